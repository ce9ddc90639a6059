// Live calls are counted by the operation of their checks, which was only in the document of a factor.
import { sql } from 'kysely';
import { fillOperations } from '../biometrics/factor-columns.js';
import type { Migration } from './migration.js';

export const operationOfFactors: Migration = {
  version: 65,
  name: 'operation-of-factors',
  async up(db, { dialect }) {
    await sql`alter table factors add column operation text`.execute(db);
    await fillOperations(db, dialect, 'all');
    await sql`create index factors_live on factors (gk_scope_id, created_at, gk_session_id)
      where operation = 'LiveAudio'`.execute(db);
  },
};
