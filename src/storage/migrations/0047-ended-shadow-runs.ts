// When a shadow run ended: its comparisons can be read until another run begins.
import type { Migration } from './migration.js';

export const endedShadowRuns: Migration = {
  version: 47,
  name: 'ended-shadow-runs',
  async up(db) {
    await db.schema.alterTable('shadow_runs').addColumn('ended', 'bigint').execute();
  },
};
