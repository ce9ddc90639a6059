// What an ID token says besides its subject: the client's nonce, and when the person signed in.
import type { Migration } from './migration.js';

export const idTokens: Migration = {
  version: 24,
  name: 'id-tokens',
  async up(db) {
    await db.schema.alterTable('auth_codes').addColumn('nonce', 'text').execute();
    await db.schema.alterTable('auth_codes').addColumn('signed_in_at', 'bigint').execute();
  },
};
