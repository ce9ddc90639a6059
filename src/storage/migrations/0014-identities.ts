// People who sign in with the company's identity provider.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const identities: Migration = {
  version: 14,
  name: 'identities',
  async up(db) {
    const columns = { issuer: 'text', subject: 'text', user_id: 'text', created_at: 'bigint' } as const;
    await createTable(db, 'auth_identities', columns, 2);
    await createIndex(db, 'auth_identities', ['user_id']);
  },
};
