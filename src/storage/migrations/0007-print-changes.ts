// The journal of changes of prints and of who is in a group or watchlist: what other nodes have to read again.
import type { Migration } from './migration.js';
import { createTable } from './table.js';

export const printChanges: Migration = {
  version: 7,
  name: 'print-changes',
  async up(db) {
    await createTable(db, 'print_stamps', { gk_scope_id: 'text', seq: 'bigint' });
    await createTable(
      db,
      'print_changes',
      { gk_scope_id: 'text', seq: 'bigint', kind: 'text', gk_id: 'text', member_gk_id: 'text' },
      2,
    );
  },
};
