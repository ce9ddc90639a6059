// Watchlist checks in which nobody could be compared, by session: lists look for those without an attack
// check.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const nobodyCompared: Migration = {
  version: 52,
  name: 'nobody-compared',
  async up(db) {
    await sql`create index factors_nobody_compared on factors (gk_scope_id, gk_session_id)
      where kind = 'FRAUD_DETECTION'
        and (document like '%"reason":"NO_SCORES"%' or document like '%"reason":"NOT_ENOUGH_SEGMENTS"%')`.execute(
      db,
    );
  },
};
