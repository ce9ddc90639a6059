// Marks now also tell of channels that were heard as one, and of persons who were claimed but not compared.
// The stored marks of existing sessions lack these, so all of them are due
// (docs/adr/0086-marks-beside-a-decision.md).
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const marksOfMixedChannels: Migration = {
  version: 57,
  name: 'marks-of-mixed-channels',
  async up(db) {
    await sql`insert into marks_due (gk_session_id, gk_scope_id, created_at, stamp)
      select gk_session_id, gk_scope_id, created_at, 'marks-of-mixed-channels' from sessions
      where not exists (select 1 from marks_due where marks_due.gk_session_id = sessions.gk_session_id)
        and (document like '%"decision":{%'
          or exists (select 1 from factors where factors.gk_session_id = sessions.gk_session_id))`.execute(
      db,
    );
  },
};
