// Marks now also tell of decisions that erased sessions took over, and that somebody else is claimed where the
// person decided about was erased. Sessions that were erased, and those that took over a decision, are due
// (docs/adr/0086-marks-beside-a-decision.md).
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const marksOfErasedCarried: Migration = {
  version: 61,
  name: 'marks-of-erased-carried',
  async up(db) {
    await sql`insert into marks_due (gk_session_id, gk_scope_id, created_at, stamp)
      select gk_session_id, gk_scope_id, created_at, 'marks-of-erased-carried' from sessions
      where not exists (select 1 from marks_due where marks_due.gk_session_id = sessions.gk_session_id)
        and (document like '%"isErased":true%'
          or exists (select 1 from marked_sessions where marked_sessions.gk_session_id = sessions.gk_session_id
            and marked_sessions.document like '%"isFromElsewhere":true%'))`.execute(db);
  },
};
