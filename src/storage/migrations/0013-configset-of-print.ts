// The config set that the first segment of a print was enrolled under: its limits apply to the print,
// whichever set a later call names. Existing prints have none until their next segment.
import type { Migration } from './migration.js';

export const configsetOfPrint: Migration = {
  version: 13,
  name: 'configset-of-print',
  async up(db) {
    await db.schema.alterTable('voiceprint_profiles').addColumn('configset_id', 'text').execute();
  },
};
