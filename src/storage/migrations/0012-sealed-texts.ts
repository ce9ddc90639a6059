// A column for the free texts of a row, sealed; see src/storage/biometrics/texts.ts. Existing rows get theirs
// after this step, in batches and with the keys (seal-plain-texts.ts); the index finds those that are left.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

const tables = [
  'engagements',
  'parties',
  'collections',
  'voiceprint_profiles',
  'media_segments',
  'processed_audios',
  'configset_revisions',
  'calibration_revisions',
];

export const sealedTexts: Migration = {
  version: 12,
  name: 'sealed-texts',
  async up(db, { bytes }) {
    for (const table of tables) {
      await db.schema.alterTable(table).addColumn('texts', bytes).execute();
      await sql`create index ${sql.id(`${table}_plain_texts`)} on ${sql.table(table)} (gk_scope_id)
        where texts is null`.execute(db);
    }
  },
};
