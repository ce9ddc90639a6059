// Which session at the company's identity provider a signed-in browser belongs to.
import type { Migration } from './migration.js';
import { createIndex } from './table.js';

export const providerSessions: Migration = {
  version: 19,
  name: 'provider-sessions',
  async up(db) {
    await db.schema.alterTable('auth_login_sessions').addColumn('provider_session', 'text').execute();
    await createIndex(db, 'auth_login_sessions', ['provider_session']);
  },
};
