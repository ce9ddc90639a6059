// Marks beside the decisions of sessions. The database notes every change to data that they depend on,
// whoever writes it (migration 56); these notes say which sessions' marks are due. Nothing is locked while
// marks are worked out: they count only if the session is still due with the same stamp, and any write in the
// meantime leaves another note.
import { randomUUID } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionMarks } from '../../biometrics/model/sessions.js';
import type { MarkFilter, MarksRepository } from '../../biometrics/ports/marks.js';
import { markNames } from '../../biometrics/rules/session-marks.js';
import { fromJson, namedInTenant, toJson } from '../columns.js';
import type { Db, DialectName } from '../database.js';
import type { MarkChangesTable } from '../schema/marks.js';
import { namedByFactor } from './factor-row.js';

const CHANGES_AT_ONCE = 500;
/**
 * If more changes are waiting, all sessions of the tenant become due: looking up each one would cost more.
 */
const CHANGES_MAX = 20_000;
const IDS_PER_QUERY = 500;

export function marksRepository(db: Db, dialect: DialectName): MarksRepository {
  return {
    async hasChanges(gkScopeId) {
      const query = db.selectFrom('mark_changes').select('change_id').where('gk_scope_id', '=', gkScopeId);
      return (await query.limit(1).executeTakeFirst()) !== undefined;
    },
    spreadChanges: (gkScopeId) => spreadChanges({ db, dialect }, gkScopeId),
    async due(gkScopeId, limit) {
      const rows = await db
        .selectFrom('marks_due')
        .select(['gk_session_id', 'stamp'])
        .where('gk_scope_id', '=', gkScopeId)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ gkSessionId: row.gk_session_id, stamp: row.stamp }));
    },
    async dueAmong(gkScopeId, gkSessionIds) {
      if (gkSessionIds.length === 0) return [];
      const rows = await db
        .selectFrom('marks_due')
        .select(['gk_session_id', 'stamp'])
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .where('gk_session_id', 'in', [...gkSessionIds])
        .execute();
      return rows.map((row) => ({ gkSessionId: row.gk_session_id, stamp: row.stamp }));
    },
    async countDue() {
      const row = await db
        .selectFrom('marks_due')
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async tenantsWithWork() {
      const { rows } = await sql<{ gk_scope_id: string }>`
        select gk_scope_id from mark_changes union select gk_scope_id from marks_due`.execute(db);
      return rows.map((row) => row.gk_scope_id);
    },
    async keep(gkScopeId, workedOut) {
      for (let at = 0; at < workedOut.length; at += IDS_PER_QUERY)
        await keep(db, gkScopeId, workedOut.slice(at, at + IDS_PER_QUERY));
    },
    async findMany(gkScopeId, gkSessionIds) {
      if (gkSessionIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('marked_sessions')
        .select(['gk_session_id', 'document'])
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .where('gk_session_id', 'in', [...gkSessionIds])
        .execute();
      return new Map(rows.map((row) => [row.gk_session_id, fromJson<SessionMarks>(row.document)]));
    },
    async sessionsWith(gkScopeId, { marks, orDue }) {
      const ids = new Set<string>();
      const [first = '', ...others] = marks;
      let query = db
        .selectFrom('session_marks')
        .select('gk_session_id')
        .where('gk_scope_id', '=', gkScopeId)
        .where('mark', '=', first);
      for (const mark of others) query = query.where(hasMark('session_marks.gk_session_id', mark));
      for (const row of await query.execute()) ids.add(row.gk_session_id);
      if (!orDue) return ids;
      const due = db.selectFrom('marks_due').select('gk_session_id').where('gk_scope_id', '=', gkScopeId);
      for (const row of await due.execute()) ids.add(row.gk_session_id);
      return ids;
    },
  };
}

export const hasMark = (session: string, mark: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select 1 from session_marks other
    where other.gk_session_id = ${sql.ref(session)} and other.mark = ${mark})`;

/** Whether sessions have all of these marks or, with `orDue`, have marks that are due. */
export function hasMarks({ marks, orDue }: MarkFilter): RawBuilder<SqlBool> {
  const all = sql.join<SqlBool>(
    marks.map((mark) => hasMark('sessions.gk_session_id', mark)),
    sql` and `,
  );
  if (!orDue) return sql<SqlBool>`(${all})`;
  return sql<SqlBool>`((${all}) or exists (select 1 from marks_due
    where marks_due.gk_session_id = sessions.gk_session_id))`;
}

type Kept = Parameters<MarksRepository['keep']>[1];

async function keep(db: Db, gkScopeId: string, workedOut: Kept): Promise<void> {
  const taken = new Set<string>();
  for (const stamp of new Set(workedOut.map((one) => one.stamp))) {
    const ids = workedOut.flatMap((one) => (one.stamp === stamp ? one.gkSessionId : []));
    const gone = await db
      .deleteFrom('marks_due')
      .where('gk_session_id', 'in', ids)
      .where('stamp', '=', stamp)
      .returning('gk_session_id')
      .execute();
    for (const row of gone) taken.add(row.gk_session_id);
  }
  if (taken.size === 0) return;
  await forget(db, [...taken]);
  const sessions = workedOut.flatMap((one) => {
    const names = [...markNames(one.marks), ...one.caveats.map((name) => `CAVEAT_${name}`)];
    const isMarked = Object.keys(one.marks).length > 0 || names.length > 0;
    return taken.has(one.gkSessionId) && isMarked ? { ...one, names } : [];
  });
  if (sessions.length === 0) return;
  const common = ({ gkSessionId }: { gkSessionId: string }) => ({
    gk_session_id: gkSessionId,
    gk_scope_id: gkScopeId,
  });
  await db
    .insertInto('marked_sessions')
    .values(sessions.map((one) => ({ ...common(one), document: toJson(one.marks) })))
    .execute();
  const marks = sessions.flatMap((one) =>
    one.names.map((mark) => ({ ...common(one), mark, created_at: one.createdAtMs })),
  );
  if (marks.length > 0) await db.insertInto('session_marks').values(marks).execute();
}

async function forget(db: Db, gkSessionIds: readonly string[]): Promise<void> {
  for (const table of ['session_marks', 'marked_sessions'] as const)
    await db
      .deleteFrom(table)
      .where('gk_session_id', 'in', [...gkSessionIds])
      .execute();
}

interface Place {
  db: Db;
  dialect: DialectName;
}

async function spreadChanges({ db, dialect }: Place, gkScopeId: string): Promise<boolean> {
  const stamp = randomUUID();
  const rows = await db
    .selectFrom('mark_changes')
    .selectAll()
    .where('gk_scope_id', '=', gkScopeId)
    .limit(CHANGES_AT_ONCE)
    .execute();
  if (rows.length === 0) return false;
  const isMore = rows.length === CHANGES_AT_ONCE;
  if (isMore && (await hasTooMany(db, gkScopeId))) {
    // Delete the notes first: any later change is either in the rows that are read next, or leaves another
    // note.
    await db.deleteFrom('mark_changes').where('gk_scope_id', '=', gkScopeId).execute();
    await makeDue(db, sql`gk_scope_id = ${gkScopeId} and (${isClaimed} or ${mayHaveMarks})`, stamp);
    return false;
  }
  const sessions = await concernedBy({ db, dialect }, gkScopeId, rows);
  for (const ids of chunks(sessions)) {
    await makeDue(
      db,
      sql`${namedInTenant('gk_scope_id', gkScopeId)} and gk_session_id in (${sql.join(ids)})`,
      stamp,
    );
  }
  await forgetGone(db, [...new Set(rows.flatMap((row) => row.gk_session_id ?? []))]);
  for (const ids of chunks(rows.map((row) => row.change_id)))
    await db.deleteFrom('mark_changes').where('change_id', 'in', ids).execute();
  return isMore;
}

async function hasTooMany(db: Db, gkScopeId: string): Promise<boolean> {
  const next = db.selectFrom('mark_changes').select('change_id').where('gk_scope_id', '=', gkScopeId);
  return (await next.offset(CHANGES_MAX).limit(1).executeTakeFirst()) !== undefined;
}

const mayHaveMarks = sql<SqlBool>`(document like '%"decision":{%'
  or exists (select 1 from factors where factors.gk_session_id = sessions.gk_session_id))`;

/**
 * Somebody is claimed, or was before an erasure. Batch sessions always count, because the claim in a line is
 * sealed.
 */
const isClaimed = sql<SqlBool>`(claimed_gk_person_id is not null or session_type = 'OFFLINE_MEDIA_PROCESSING'
  or document like '%"isClaimErased":true%')`;

async function makeDue(db: Db, which: RawBuilder<unknown>, stamp: string): Promise<void> {
  await sql`insert into marks_due (gk_session_id, gk_scope_id, created_at, stamp)
    select gk_session_id, gk_scope_id, created_at, ${stamp} from sessions where ${which} order by gk_session_id
    on conflict (gk_session_id) do update set stamp = excluded.stamp`.execute(db);
}

/** A session that was deleted while its marks were worked out has left some behind. */
async function forgetGone(db: Db, gkSessionIds: readonly string[]): Promise<void> {
  for (const ids of chunks(gkSessionIds)) {
    const there = await db
      .selectFrom('sessions')
      .select('gk_session_id')
      .where('gk_session_id', 'in', ids)
      .execute();
    const known = new Set(there.map((row) => row.gk_session_id));
    const gone = ids.filter((id) => !known.has(id));
    if (gone.length === 0) continue;
    await forget(db, gone);
    await db.deleteFrom('marks_due').where('gk_session_id', 'in', gone).execute();
  }
}

/** The sessions whose marks may have changed. */
async function concernedBy(
  { db, dialect }: Place,
  gkScopeId: string,
  rows: readonly MarkChangesTable[],
): Promise<string[]> {
  const named = (column: keyof MarkChangesTable): string[] => [
    ...new Set(rows.flatMap((row) => row[column] ?? [])),
  ];
  const sessions = new Set(named('gk_session_id'));
  const engagements = new Set(named('gk_engagement_id'));
  const add = async (query: RawBuilder<SessionOf>): Promise<void> => {
    for (const row of (await query.execute(db)).rows) {
      sessions.add(row.gk_session_id);
      engagements.add(row.gk_engagement_id);
    }
  };
  for (const ids of chunks(named('gk_processed_audio_id'))) {
    await add(naming(dialect, 'gkProcessedAudioId', sql`(${sql.join(ids)})`));
    await add(
      ofMedia(
        dialect,
        sql`select gk_media_segment_id from processed_audios
      where gk_processed_audio_id in (${sql.join(ids)})`,
      ),
    );
  }
  for (const ids of chunks(named('gk_media_segment_id'))) await add(ofMedia(dialect, sql.join(ids)));
  for (const ids of chunks(named('gk_voiceprint_profile_id')))
    await add(naming(dialect, 'gkVoiceprintProfileId', sql`(${sql.join(ids)})`));
  if (named('configset_key').length > 0)
    await add(sql<SessionOf>`select gk_session_id, gk_engagement_id from sessions
      where gk_scope_id = ${gkScopeId} and ${isOpen} and ${mayHaveMarks}`);
  for (const ids of chunks([...engagements]))
    await add(sql<SessionOf>`select gk_session_id, gk_engagement_id from sessions
      where gk_engagement_id in (${sql.join(ids)}) and (${isOpen} or exists (select 1 from marked_sessions
        where marked_sessions.gk_session_id = sessions.gk_session_id
          and marked_sessions.document like '%"isFromElsewhere":true%'))`);
  return [...sessions].sort();
}

/** Without a decision of its own, a session's outcome is that of all checks in its engagement so far. */
const isOpen = sql<SqlBool>`sessions.document not like '%"decision":{%'`;

interface SessionOf {
  gk_session_id: string;
  gk_engagement_id: string;
}

/**
 * SQLite uses the index on the IDs that factors name only if the value is an expression, not a plain column.
 */
const naming = (
  dialect: DialectName,
  member: 'gkProcessedAudioId' | 'gkVoiceprintProfileId',
  ids: RawBuilder<unknown>,
): RawBuilder<SessionOf> =>
  sql<SessionOf>`select distinct gk_session_id, gk_engagement_id from factors
    where ${namedByFactor(dialect, member)} in ${ids}`;

/** The sessions that these recordings are stored in, and those that have heard them. */
const ofMedia = (dialect: DialectName, media: RawBuilder<unknown>): RawBuilder<SessionOf> =>
  sql<SessionOf>`select gk_session_id, gk_engagement_id from media_segments where gk_media_segment_id in (${media})
    union ${naming(
      dialect,
      'gkProcessedAudioId',
      sql`(select gk_processed_audio_id || '' from processed_audios where gk_media_segment_id in (${media}))`,
    )}`;

function chunks(ids: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < ids.length; at += IDS_PER_QUERY) parts.push(ids.slice(at, at + IDS_PER_QUERY));
  return parts;
}
