// Engagements in which somebody wrote something down, by last modification: they keep the in-memory search up
// to date. The others, nearly all, are in no index.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const notedEngagements: Migration = {
  version: 37,
  name: 'noted-engagements',
  async up(db) {
    await sql`create index engagements_noted on engagements (gk_scope_id, modified_at, gk_engagement_id)
      where length(texts) > 0`.execute(db);
  },
};
