// Inconclusive watchlist checks, by session: lists look for those whose decision is positive all the same.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const openLists: Migration = {
  version: 53,
  name: 'open-lists',
  async up(db) {
    await sql`create index factors_open_lists on factors (gk_scope_id, gk_session_id)
      where kind = 'FRAUD_DETECTION' and document not like '%"decision":"NO_RISK_DETECTED"%'
        and document not like '%"decision":"FRAUD"%'`.execute(db);
  },
};
