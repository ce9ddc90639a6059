// Which tenant's operators look after a site. Existing sites stay open to the operators of every tenant.
import type { Migration } from './migration.js';

export const tenantOfSite: Migration = {
  version: 27,
  name: 'tenant-of-site',
  async up(db) {
    await db.schema.alterTable('engagement_sites').addColumn('tenant_id', 'text').execute();
  },
};
