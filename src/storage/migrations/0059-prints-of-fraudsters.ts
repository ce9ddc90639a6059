// Calls from which a fraudster was enrolled are found by the prints of fraudsters (src/storage/biometrics/enrolled-from.ts), of which a tenant has
// few among all its prints.
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
