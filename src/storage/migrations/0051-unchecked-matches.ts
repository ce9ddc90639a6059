// Positive comparisons, and attack checks, by session: lists look for positive comparisons without an attack
// check.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const uncheckedMatches: Migration = {
  version: 51,
  name: 'unchecked-matches',
  async up(db) {
    await sql`create index factors_matches on factors (gk_scope_id, gk_session_id)
      where kind in ('AUTHENTICATION', 'FRAUD_DETECTION')
        and (document like '%"decision":"AUTHENTIC"%' or document like '%"decision":"NO_RISK_DETECTED"%')`.execute(
      db,
    );
    await sql`create index factors_attack_checks on factors (gk_scope_id, gk_session_id)
      where kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')`.execute(db);
  },
};
