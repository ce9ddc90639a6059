// How much was taken of each rate limit, for nodes that share a database.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const sharedRates: Migration = {
  version: 11,
  name: 'shared-rates',
  async up(db) {
    await createTable(db, 'auth_rates', { key: 'text', taken: 'bigint', updated_at: 'bigint' });
    await createIndex(db, 'auth_rates', ['updated_at']);
  },
};
