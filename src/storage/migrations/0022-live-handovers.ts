// Running calls that move to another node when theirs shuts down.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const liveHandovers: Migration = {
  version: 22,
  name: 'live-handovers',
  async up(db, { bytes }) {
    await createTable(db, 'live_handovers', {
      token_hash: 'text',
      gk_scope_id: 'text',
      external_hash: 'text',
      expires_at: 'bigint',
      state: bytes,
    });
    await createIndex(db, 'live_handovers', ['gk_scope_id', 'external_hash']);
    await createIndex(db, 'live_handovers', ['expires_at']);
  },
};
