// Consecutive wrong passwords, by the account they were tried for, over all addresses and nodes; and an epoch
// per user, which invalidates the browsers that were known until then.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const failedSignIns: Migration = {
  version: 43,
  name: 'failed-sign-ins',
  async up(db) {
    await createTable(db, 'auth_failures', {
      key: 'text',
      failures: 'bigint',
      last_at: 'bigint',
      free_at: 'bigint',
    });
    await createIndex(db, 'auth_failures', ['last_at']);
    await db.schema.alterTable('auth_users').addColumn('device_epoch', 'text').execute();
  },
};
