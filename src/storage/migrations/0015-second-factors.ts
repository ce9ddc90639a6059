// Passwords chosen by somebody else, authenticator apps, and recovery codes.
import type { Migration } from './migration.js';
import { createTable } from './table.js';

export const secondFactors: Migration = {
  version: 15,
  name: 'second-factors',
  async up(db, { bytes }) {
    // Existing users have had their chance to change it.
    await db.schema
      .alterTable('auth_users')
      .addColumn('must_change_password', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await createTable(db, 'auth_totp', {
      user_id: 'text',
      sealed_secret: bytes,
      last_step: 'bigint',
      created_at: 'bigint',
    });
    await createTable(
      db,
      'auth_recovery_codes',
      { user_id: 'text', code_hash: 'text', created_at: 'bigint' },
      2,
    );
  },
};
