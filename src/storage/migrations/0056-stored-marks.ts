// The marks beside the decisions of sessions are stored, so that lists find them. The data they depend on has
// many writers, including nodes of earlier versions: the database itself notes each change, in the
// transaction that makes it, and the server works out the consequences (activity/stored-marks.ts). Existing
// sessions are due. The indexes used so far are no longer needed: earlier versions run the same queries
// without them, only slower.
import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../database.js';
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const storedMarks: Migration = {
  version: 56,
  name: 'stored-marks',
  async up(db, { dialect }) {
    // The subject of a change: a session, the checks that decide others of its engagement, a recording, the
    // owner of a print, or a config set.
    await createTable(db, 'mark_changes', {
      change_id: 'text',
      gk_scope_id: 'text',
      gk_session_id: 'text?',
      gk_engagement_id: 'text?',
      gk_processed_audio_id: 'text?',
      gk_media_segment_id: 'text?',
      gk_voiceprint_profile_id: 'text?',
      configset_key: 'text?',
    });
    await createIndex(db, 'mark_changes', ['gk_scope_id']);
    await createTable(db, 'marks_due', {
      gk_session_id: 'text',
      gk_scope_id: 'text',
      created_at: 'bigint',
      stamp: 'text',
    });
    await createIndex(db, 'marks_due', ['gk_scope_id', 'created_at']);
    await createTable(db, 'marked_sessions', {
      gk_session_id: 'text',
      gk_scope_id: 'text',
      document: 'text',
    });
    await createTable(
      db,
      'session_marks',
      { gk_session_id: 'text', mark: 'text', gk_scope_id: 'text', created_at: 'bigint' },
      2,
    );
    await sql`create index session_marks_newest on session_marks
      (gk_scope_id, mark, created_at desc, gk_session_id)`.execute(db);
    for (const change of changes) await noteChanges(db, dialect, change);
    await sql`insert into marks_due (gk_session_id, gk_scope_id, created_at, stamp)
      select gk_session_id, gk_scope_id, created_at, 'stored-marks' from sessions
      where document like '%"decision":{%'
        or exists (select 1 from factors where factors.gk_session_id = sessions.gk_session_id)`.execute(db);
    for (const index of needless) await sql`drop index ${sql.ref(index)}`.execute(db);
  },
};

const needless = [
  'factors_open_checks',
  'factors_mismatches',
  'factors_matches',
  'factors_attack_checks',
  'factors_nobody_compared',
  'factors_open_lists',
  'factors_heard',
  'sessions_kept_marks',
] as const;

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

const DECIDED = `new.document like '%"decision":{%'`;
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
  { ...ofSession, on: 'insert', row: 'new', when: () => DECIDED },
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
