// Attack checks that were inconclusive or found something, by session: lists look for those whose decision is
// positive all the same.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const openChecks: Migration = {
  version: 48,
  name: 'open-checks',
  async up(db) {
    await sql`create index factors_open_checks on factors (gk_scope_id, gk_session_id)
      where kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')
        and document not like '%"decision":"NO_RISK_DETECTED"%'`.execute(db);
  },
};
