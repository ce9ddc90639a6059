// What changed after 0.2.0, until 19 November 2026; versions 50 to 62 and 64 to 66 were builds in between.
//
// What sessions mean is stored beside them, so that lists find and sort them by it (docs/adr/0092-one-assessment.md).
// Existing sessions are unassessed until the server has come to them. What checks are found by has columns.
//
// Whose the deleted prints of fraudsters were is remembered, so that past findings still say who was recognized
// (docs/adr/0089-deleted-fraudsters-keep-their-name.md). For prints that were deleted before, the audit trail knows it.
import { type Kysely, sql } from 'kysely';
import { fillFactorColumns } from '../biometrics/factor-columns.js';
import type { Migration } from './migration.js';

const tables = [
  `create table session_assessments (
    gk_session_id text not null constraint session_assessments_pk primary key, gk_scope_id text not null,
    gk_engagement_id text not null, created_at bigint not null, headline text not null, decision text,
    follows_engagement integer not null, modified_at bigint not null
  )`,
  `create index session_assessments_headline
    on session_assessments (gk_scope_id, headline, created_at desc, gk_session_id)`,
  `create index session_assessments_decision
    on session_assessments (gk_scope_id, decision, created_at desc, gk_session_id)`,
  `create index session_assessments_following on session_assessments (gk_engagement_id) where follows_engagement = 1`,
  `create index session_assessments_undecided on session_assessments (gk_scope_id) where follows_engagement = 1`,
  `create table session_caveats (
    gk_session_id text not null, caveat text not null, gk_scope_id text not null, created_at bigint not null,
    constraint session_caveats_pk primary key (gk_session_id, caveat)
  )`,
  'create index session_caveats_newest on session_caveats (gk_scope_id, caveat, created_at desc, gk_session_id)',
  `create table unassessed_sessions (
    gk_session_id text not null constraint unassessed_sessions_pk primary key, gk_scope_id text not null,
    created_at bigint not null
  )`,
  'create index unassessed_sessions_gk_scope_id on unassessed_sessions (gk_scope_id, created_at)',
  `create table former_fraudster_prints (
    gk_voiceprint_profile_id text not null constraint former_fraudster_prints_pk primary key,
    gk_scope_id text not null, gk_fraudster_id text not null
  )`,
  'create index former_fraudster_prints_gk_fraudster_id on former_fraudster_prints (gk_fraudster_id)',
] as const;

/** From here on, programs that write wait for the end: what takes long was done before, or is done after it (fill-factors.ts). */
const changes = [
  `create index voiceprint_profiles_of_fraudsters on voiceprint_profiles (gk_scope_id) where owner_type = 'FRAUDSTER'`,
  'alter table factors add column decision text',
  'alter table factors add column gk_voiceprint_profile_id text',
  'alter table factors add column gk_processed_audio_id text',
  'alter table factors add column operation text',
  // 0.2.0 runs the same queries without these, only slower.
  'drop index factors_open_checks',
  'drop index factors_alarms',
  'drop index factors_audio',
  'drop index factors_print',
] as const;

const indexes = [
  'create index factors_unfilled on factors (factor_id) where decision is null',
  `create index factors_alarms on factors (gk_scope_id, kind) where decision = 'FRAUD'`,
  'create index factors_audio on factors (gk_processed_audio_id) where gk_processed_audio_id is not null',
  'create index factors_print on factors (gk_voiceprint_profile_id) where gk_voiceprint_profile_id is not null',
  `create index factors_live on factors (gk_scope_id, created_at, gk_session_id) where operation = 'LiveAudio'`,
] as const;

export const assessmentsAndFormerPrints: Migration = {
  version: 67,
  name: 'assessments-and-former-prints',
  async up(db, { dialect }) {
    const run = async (statements: readonly string[]) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    };
    await run(tables);
    await sql`insert into unassessed_sessions (gk_session_id, gk_scope_id, created_at)
      select gk_session_id, gk_scope_id, created_at from sessions`.execute(db);
    await rememberDeleted(db);
    await run(changes);
    // Nobody else works on a file, and indexes of filled columns are made faster.
    if (dialect === 'sqlite') await fillFactorColumns(db, dialect, sql`decision is null`);
    await run(indexes);
  },
};

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
