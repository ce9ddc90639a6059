// Wrong passwords in a row, by whom they were tried for, over all addresses and nodes; and a mark of each user that ends the browsers
// they were known by.
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
