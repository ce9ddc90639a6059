// Voices of many recordings together, so that a search through stored calls opens one block instead of
// hundreds of rows; and which block each recording is in, so that the block is deleted with it.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const voiceBlocks: Migration = {
  version: 33,
  name: 'voice-blocks',
  async up(db, { bytes }) {
    await createTable(db, 'voice_blocks', {
      block_id: 'text',
      gk_scope_id: 'text',
      calls: 'integer',
      newest_at: 'bigint',
      voices: bytes,
    });
    await createIndex(db, 'voice_blocks', ['gk_scope_id', 'newest_at']);
    await db.schema.alterTable('call_voices').addColumn('block_id', 'text').execute();
    await createIndex(db, 'call_voices', ['gk_scope_id', 'block_id', 'created_at']);
  },
};
