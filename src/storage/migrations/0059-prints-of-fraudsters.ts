// Calls that a fraudster was enrolled from are found by the prints of fraudsters
// (src/storage/biometrics/enrolled-from.ts), which are few among all prints of a tenant.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const printsOfFraudsters: Migration = {
  version: 59,
  name: 'prints-of-fraudsters',
  async up(db) {
    await sql`create index voiceprint_profiles_of_fraudsters on voiceprint_profiles (gk_scope_id)
      where owner_type = 'FRAUDSTER'`.execute(db);
  },
};
