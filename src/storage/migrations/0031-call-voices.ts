// The voice of each recording by itself, in small rows by time: what is read when somebody looks back through many calls.
// Recordings from before are not found by it until they are processed again.
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
