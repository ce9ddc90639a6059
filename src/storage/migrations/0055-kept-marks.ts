// The marks of erased persons' sessions are stored: their checks can no longer produce them.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const keptMarks: Migration = {
  version: 55,
  name: 'kept-marks',
  async up(db) {
    await sql`create index sessions_kept_marks on sessions (gk_scope_id, gk_session_id)
      where document like '%"marks":{"%'`.execute(db);
  },
};
