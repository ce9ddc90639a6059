// Whose the deleted prints of fraudsters were, so that past findings still say who was recognized
// (docs/adr/0089-deleted-fraudsters-keep-their-name.md). The database writes it down, whichever version of the
// program deletes a print; for prints that were deleted before, the audit trail knows it.
import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../database.js';
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const formerPrintsOfFraudsters: Migration = {
  version: 60,
  name: 'former-prints-of-fraudsters',
  async up(db, { dialect }) {
    await createTable(db, 'former_fraudster_prints', {
      gk_voiceprint_profile_id: 'text',
      gk_scope_id: 'text',
      gk_fraudster_id: 'text',
    });
    await createIndex(db, 'former_fraudster_prints', ['gk_fraudster_id']);
    await noteDeletions(db, dialect);
    await rememberDeleted(db);
  },
};

const TRIGGER = 'former_prints_of_fraudsters';

async function noteDeletions(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const on = `create trigger ${TRIGGER} after delete on voiceprint_profiles for each row when (old.owner_type = 'FRAUDSTER')`;
  const step = `insert into former_fraudster_prints (gk_voiceprint_profile_id, gk_scope_id, gk_fraudster_id)
    values (old.gk_voiceprint_profile_id, old.gk_scope_id, old.gk_owner_id) on conflict do nothing;`;
  if (dialect !== 'postgres') {
    await sql`${sql.raw(`${on} begin\n${step}\nend`)}`.execute(db);
    return;
  }
  await sql`${sql.raw(
    `create or replace function ${TRIGGER}() returns trigger language plpgsql as $$ begin\n${step}\nreturn null;\nend $$`,
  )}`.execute(db);
  await sql`${sql.raw(`${on} execute function ${TRIGGER}()`)}`.execute(db);
}

interface Deletion {
  scope_key: string;
  subject_ids: string;
}

const RECORDS_AT_ONCE = 500;

/** Fraudsters first: a print that was deleted before its owner is known to be a fraudster's only by that. */
async function rememberDeleted(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ gk_id: string }>`select gk_id from parties where kind = 'FRAUDSTER'`.execute(
    db,
  );
  const fraudsters = new Set(rows.map((row) => row.gk_id));
  await eachDeletion(db, 'DeleteFraudster', async (scope, [fraudster = '', ...prints]) => {
    fraudsters.add(fraudster);
    for (const print of prints) await remember(db, { scope, fraudster, print });
  });
  await eachDeletion(db, 'DeleteVoiceprintProfile', async (scope, [print = '', fraudster = '']) => {
    if (fraudsters.has(fraudster)) await remember(db, { scope, fraudster, print });
  });
}

async function eachDeletion(
  db: Kysely<unknown>,
  operation: 'DeleteFraudster' | 'DeleteVoiceprintProfile',
  take: (scope: string, subjects: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let offset = 0; ; offset += RECORDS_AT_ONCE) {
    const { rows } = await sql<Deletion>`select scope_key, subject_ids from audit_records
      where operation = ${sql.lit(operation)} order by scope_key, seq
      limit ${sql.lit(RECORDS_AT_ONCE)} offset ${sql.lit(offset)}`.execute(db);
    for (const row of rows) await take(row.scope_key, JSON.parse(row.subject_ids) as string[]);
    if (rows.length < RECORDS_AT_ONCE) return;
  }
}

const remember = (
  db: Kysely<unknown>,
  { scope, fraudster, print }: { scope: string; fraudster: string; print: string },
) =>
  sql`insert into former_fraudster_prints (gk_voiceprint_profile_id, gk_scope_id, gk_fraudster_id)
    values (${print}, ${scope}, ${fraudster}) on conflict do nothing`.execute(db);
