// What changed after 0.2.0, until 18 November 2026; versions 50 to 60 were builds in between.
//
// The marks beside the decisions of sessions are stored, so that lists find them. The data they depend on has
// many writers, including nodes of earlier versions: the database itself notes each change, in the
// transaction that makes it, and the server works out the consequences (activity/stored-marks.ts). Existing
// sessions are due.
//
// Whose the deleted prints of fraudsters were is remembered, so that past findings still say who was recognized
// (docs/adr/0089-deleted-fraudsters-keep-their-name.md). The database writes it down, whichever version of the
// program deletes a print; for prints that were deleted before, the audit trail knows it.
import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../database.js';
import type { Migration } from './migration.js';

/** The subject of a mark change: a session, the checks that decide others of its engagement, a recording, the owner of a print, or a config set. */
const tables = [
  `create table mark_changes (
    change_id text not null constraint mark_changes_pk primary key, gk_scope_id text not null,
    gk_session_id text, gk_engagement_id text, gk_processed_audio_id text, gk_media_segment_id text,
    gk_voiceprint_profile_id text, configset_key text
  )`,
  'create index mark_changes_gk_scope_id on mark_changes (gk_scope_id)',
  `create table marks_due (
    gk_session_id text not null constraint marks_due_pk primary key, gk_scope_id text not null,
    created_at bigint not null, stamp text not null
  )`,
  'create index marks_due_gk_scope_id_created_at on marks_due (gk_scope_id, created_at)',
  `create table marked_sessions (
    gk_session_id text not null constraint marked_sessions_pk primary key, gk_scope_id text not null,
    document text not null
  )`,
  `create table session_marks (
    gk_session_id text not null, mark text not null, gk_scope_id text not null, created_at bigint not null,
    constraint session_marks_pk primary key (gk_session_id, mark)
  )`,
  'create index session_marks_newest on session_marks (gk_scope_id, mark, created_at desc, gk_session_id)',
  `create table former_fraudster_prints (
    gk_voiceprint_profile_id text not null constraint former_fraudster_prints_pk primary key,
    gk_scope_id text not null, gk_fraudster_id text not null
  )`,
  'create index former_fraudster_prints_gk_fraudster_id on former_fraudster_prints (gk_fraudster_id)',
  `create index voiceprint_profiles_of_fraudsters on voiceprint_profiles (gk_scope_id) where owner_type = 'FRAUDSTER'`,
  // Stored marks answer what this one was for; 0.2.0 runs the same query without it, only slower.
  'drop index factors_open_checks',
] as const;

export const ALL_SESSIONS_DUE = `insert into marks_due (gk_session_id, gk_scope_id, created_at, stamp)
  select gk_session_id, gk_scope_id, created_at, 'stored-marks' from sessions
  where document like '%"decision":{%' or document like '%"isClaimErased":true%' or document like '%"isErased":true%'
    or claimed_gk_person_id is not null or session_type = 'OFFLINE_MEDIA_PROCESSING'
    or exists (select 1 from factors where factors.gk_session_id = sessions.gk_session_id)`;

export const marksAndFormerPrints: Migration = {
  version: 61,
  name: 'marks-and-former-prints',
  async up(db, { dialect }) {
    for (const statement of tables) await sql.raw(statement).execute(db);
    for (const change of changes) await noteChanges(db, dialect, change);
    await sql.raw(ALL_SESSIONS_DUE).execute(db);
    await noteDeletions(db, dialect);
    await rememberDeleted(db);
  },
};

type Column = 'session' | 'engagement' | 'audio' | 'media' | 'print' | 'configset';

const columnOf: Readonly<Record<Column, string>> = {
  session: 'gk_session_id',
  engagement: 'gk_engagement_id',
  audio: 'gk_processed_audio_id',
  media: 'gk_media_segment_id',
  print: 'gk_voiceprint_profile_id',
  configset: 'configset_key',
};

interface Change {
  table: string;
  /** `insert`, `delete` or `update of ...`. */
  on: string;
  /** Which of the two versions of the row is noted. */
  row: 'new' | 'old';
  /** Gets `differs`, which compares two expressions even if one of them is null. */
  when?: (differs: string) => string;
  values: Partial<Record<Column, string>>;
  /** Instead of a column of the row: the recording that a factor names. */
  hasAudio?: true;
  /** The session's stored marks are deleted first. */
  forgets?: true;
}

/** The claim in a line of a batch is sealed. */
const DECIDED_OR_CLAIMED = `new.document like '%"decision":{%' or new.claimed_gk_person_id is not null
  or new.session_type = 'OFFLINE_MEDIA_PROCESSING'`;
const ofFactor = {
  table: 'factors',
  values: { session: 'gk_session_id', engagement: 'gk_engagement_id' },
  hasAudio: true,
} as const;
const ofSession = {
  table: 'sessions',
  values: { session: 'gk_session_id', engagement: 'gk_engagement_id' },
} as const;
const ofPrint = { values: { print: 'gk_voiceprint_profile_id' } } as const;
const ofConfigset = { table: 'configset_revisions', values: { configset: 'configset_key' } } as const;

const changes: readonly Change[] = [
  { ...ofFactor, on: 'insert', row: 'new' },
  {
    ...ofFactor,
    on: 'update of document',
    row: 'old',
    when: (differs) => `new.document ${differs} old.document`,
  },
  { ...ofFactor, on: 'delete', row: 'old' },
  { ...ofSession, on: 'insert', row: 'new', when: () => DECIDED_OR_CLAIMED },
  {
    ...ofSession,
    on: 'update of document, claimed_gk_person_id',
    row: 'new',
    when: (differs) =>
      `new.document ${differs} old.document or new.claimed_gk_person_id ${differs} old.claimed_gk_person_id`,
  },
  { ...ofSession, on: 'delete', row: 'old', forgets: true },
  {
    table: 'processed_audios',
    on: 'delete',
    row: 'old',
    values: { audio: 'gk_processed_audio_id', media: 'gk_media_segment_id' },
  },
  {
    table: 'media_segments',
    on: 'delete',
    row: 'old',
    values: { session: 'gk_session_id', engagement: 'gk_engagement_id' },
  },
  { ...ofPrint, table: 'former_prints', on: 'insert', row: 'new' },
  { ...ofPrint, table: 'former_prints', on: 'delete', row: 'old' },
  { ...ofPrint, table: 'voiceprint_profiles', on: 'delete', row: 'old' },
  {
    ...ofPrint,
    table: 'voiceprint_profiles',
    on: 'update of gk_owner_id',
    row: 'new',
    when: (differs) => `new.gk_owner_id ${differs} old.gk_owner_id`,
  },
  { ...ofConfigset, on: 'insert', row: 'new', when: () => `new.state = 'ACTIVE'` },
  {
    ...ofConfigset,
    on: 'update of state, document',
    row: 'new',
    when: () => `new.state = 'ACTIVE' or old.state = 'ACTIVE'`,
  },
  { ...ofConfigset, on: 'delete', row: 'old', when: () => `old.state = 'ACTIVE'` },
];

const known = ['marks_due', 'session_marks', 'marked_sessions'] as const;

async function noteChanges(db: Kysely<unknown>, dialect: DialectName, change: Change): Promise<void> {
  const { table, on, row, when, values, hasAudio, forgets } = change;
  const isPostgres = dialect === 'postgres';
  const audio = isPostgres
    ? `substring(${row}.document from '"gkProcessedAudioId":"([^"]*)"')`
    : `json_extract(${row}.document, '$.gkProcessedAudioId')`;
  const written = Object.entries(values).map(([name, column]) => [
    columnOf[name as Column],
    `${row}.${column}`,
  ]);
  if (hasAudio) written.push([columnOf.audio, audio]);
  const id = isPostgres ? 'gen_random_uuid()::text' : 'lower(hex(randomblob(16)))';
  const columns = ['change_id', 'gk_scope_id', ...written.map(([column]) => column)];
  const told = [id, `${row}.gk_scope_id`, ...written.map(([, value]) => value)];
  const steps = [
    ...(forgets ? known.map((of) => `delete from ${of} where gk_session_id = ${row}.gk_session_id;`) : []),
    `insert into mark_changes (${columns.join(', ')}) values (${told.join(', ')});`,
  ].join('\n');
  const name = `marks_of_${table}_${on.split(' ')[0]}`;
  const condition = when ? `when (${when(isPostgres ? 'is distinct from' : 'is not')})` : '';
  if (!isPostgres) {
    await sql`${sql.raw(
      `create trigger ${name} after ${on} on ${table} for each row ${condition} begin\n${steps}\nend`,
    )}`.execute(db);
    return;
  }
  await sql`${sql.raw(
    `create or replace function ${name}() returns trigger language plpgsql as $$ begin\n${steps}\nreturn null;\nend $$`,
  )}`.execute(db);
  await sql`${sql.raw(
    `create trigger ${name} after ${on} on ${table} for each row ${condition} execute function ${name}()`,
  )}`.execute(db);
}

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
