// A column for the sealed descriptions of batches, as other free texts have it (0012-sealed-texts.ts):
// existing rows get theirs at the next start.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const sealedDescriptions: Migration = {
  version: 41,
  name: 'sealed-descriptions',
  async up(db, { bytes }) {
    await db.schema.alterTable('jobs').addColumn('texts', bytes).execute();
    await sql`create index jobs_plain_texts on jobs (gk_scope_id) where texts is null`.execute(db);
  },
};
