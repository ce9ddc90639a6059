// The sealed fingerprint of a recording, so that a copy of it is found whichever speaker model heard it.
// Existing audio has none until it is processed again.
import type { Migration } from './migration.js';

export const fingerprints: Migration = {
  version: 26,
  name: 'fingerprints',
  async up(db, { bytes }) {
    await db.schema.alterTable('processed_audios').addColumn('fingerprint', bytes).execute();
  },
};
