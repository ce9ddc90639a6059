// Marks now also tell of persons who were claimed but not compared if nothing was decided, or if the decision
// is anything but "nothing suspicious". Sessions that claim somebody are due, and leave a note as soon as
// they begin (docs/adr/0086-marks-beside-a-decision.md).
import { sql } from 'kysely';
import type { Migration } from './migration.js';

/** The claim in a line of a batch is sealed. */
const CLAIMED = `claimed_gk_person_id is not null`;
const OF_BATCH = `session_type = 'OFFLINE_MEDIA_PROCESSING'`;
const TRIGGER = 'marks_of_sessions_insert';

export const marksOfClaims: Migration = {
  version: 58,
  name: 'marks-of-claims',
  async up(db, { dialect }) {
    const condition = `when (new.document like '%"decision":{%' or new.${CLAIMED} or new.${OF_BATCH})`;
    if (dialect === 'postgres') {
      await sql`${sql.raw(`drop trigger ${TRIGGER} on sessions`)}`.execute(db);
      await sql`${sql.raw(
        `create trigger ${TRIGGER} after insert on sessions for each row ${condition} execute function ${TRIGGER}()`,
      )}`.execute(db);
    } else {
      await sql`${sql.raw(`drop trigger ${TRIGGER}`)}`.execute(db);
      await sql`${sql.raw(`create trigger ${TRIGGER} after insert on sessions for each row ${condition} begin
        insert into mark_changes (change_id, gk_scope_id, gk_session_id, gk_engagement_id)
        values (lower(hex(randomblob(16))), new.gk_scope_id, new.gk_session_id, new.gk_engagement_id);
      end`)}`.execute(db);
    }
    await sql`insert into marks_due (gk_session_id, gk_scope_id, created_at, stamp)
      select gk_session_id, gk_scope_id, created_at, 'marks-of-claims' from sessions
      where not exists (select 1 from marks_due where marks_due.gk_session_id = sessions.gk_session_id)
        and (${sql.raw(CLAIMED)} or ${sql.raw(OF_BATCH)}
          or document like '%"isClaimErased":true%')`.execute(db);
  },
};
