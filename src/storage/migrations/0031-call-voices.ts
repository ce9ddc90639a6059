// The voice of each recording in a small row of its own, by time: read when somebody searches back through
// many calls. Existing recordings are not found until they are processed again.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const callVoices: Migration = {
  version: 31,
  name: 'call-voices',
  async up(db, { bytes }) {
    await createTable(db, 'call_voices', {
      gk_processed_audio_id: 'text',
      gk_scope_id: 'text',
      gk_media_segment_id: 'text',
      gk_session_id: 'text',
      created_at: 'bigint',
      voice: bytes,
    });
    await createIndex(db, 'call_voices', ['gk_scope_id', 'created_at', 'gk_processed_audio_id']);
    await createIndex(db, 'call_voices', ['gk_media_segment_id']);
  },
};
