// The state and outcome of live calls, for clients that ask later.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const liveOutcomes: Migration = {
  version: 28,
  name: 'live-outcomes',
  async up(db, { bytes }) {
    await createTable(db, 'live_outcomes', {
      live_call_id: 'text',
      gk_scope_id: 'text',
      expires_at: 'bigint',
      info: bytes,
    });
    await createIndex(db, 'live_outcomes', ['gk_scope_id']);
    await createIndex(db, 'live_outcomes', ['expires_at']);
  },
};
