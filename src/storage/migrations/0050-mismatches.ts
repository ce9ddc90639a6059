// Comparisons in which a voice did not match, by session: lists look for those whose decision is a match all
// the same.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const mismatches: Migration = {
  version: 50,
  name: 'mismatches',
  async up(db) {
    await sql`create index factors_mismatches on factors (gk_scope_id, gk_session_id)
      where kind = 'AUTHENTICATION' and document not like '%"decision":"AUTHENTIC"%'`.execute(db);
  },
};
