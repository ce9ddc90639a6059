// Passkeys: the public key, and how often each was used.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const passkeys: Migration = {
  version: 17,
  name: 'passkeys',
  async up(db, { bytes }) {
    await createTable(db, 'auth_passkeys', {
      credential_id: 'text',
      user_id: 'text',
      name: 'text',
      public_key: bytes,
      counter: 'bigint',
      created_at: 'bigint',
      last_used_at: 'bigint?',
    });
    await createIndex(db, 'auth_passkeys', ['user_id']);
  },
};
