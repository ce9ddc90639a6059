// Prints by the calibration they were trained under: those of another speaker model are found without opening
// every print.
import type { Migration } from './migration.js';
import { createIndex } from './table.js';

export const printsByCalibration: Migration = {
  version: 38,
  name: 'prints-by-calibration',
  async up(db) {
    await createIndex(db, 'voiceprint_profiles', ['gk_scope_id', 'calibration_revision_id', 'owner_type']);
  },
};
