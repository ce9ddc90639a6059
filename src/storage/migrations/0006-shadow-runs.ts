// Config-set revisions that run in the shadow of the active one.
import type { Migration } from './migration.js';

export const shadowRuns: Migration = {
  version: 6,
  name: 'shadow-runs',
  async up(db) {
    await db.schema
      .createTable('shadow_runs')
      .addColumn('gk_scope_id', 'text', (c) => c.notNull())
      .addColumn('configset_key', 'text', (c) => c.notNull())
      .addColumn('gk_configset_revision_id', 'text', (c) => c.notNull())
      .addColumn('since', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('shadow_runs_pk', ['gk_scope_id', 'configset_key'])
      .execute();
    await db.schema
      .createIndex('factors_time')
      .on('factors')
      .columns(['gk_scope_id', 'created_at'])
      .execute();
  },
};
