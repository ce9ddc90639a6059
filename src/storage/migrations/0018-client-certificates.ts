// The certificates by which clients prove who they are (mutual TLS).
import type { Migration } from './migration.js';

export const clientCertificates: Migration = {
  version: 18,
  name: 'client-certificates',
  async up(db) {
    await db.schema.alterTable('auth_clients').addColumn('certificate', 'text').execute();
  },
};
