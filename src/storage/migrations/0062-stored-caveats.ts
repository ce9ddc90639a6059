// The caveats of assessments are stored beside the marks, so that lists find sessions by them. Existing sessions are due.
import { sql } from 'kysely';
import { ALL_SESSIONS_DUE } from './0061-marks-and-former-prints.js';
import type { Migration } from './migration.js';

export const storedCaveats: Migration = {
  version: 62,
  name: 'stored-caveats',
  async up(db) {
    await sql
      .raw(`${ALL_SESSIONS_DUE} on conflict (gk_session_id) do update set stamp = excluded.stamp`)
      .execute(db);
  },
};
