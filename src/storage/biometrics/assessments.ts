// What sessions mean, as it is stored (reassess.ts says when), and the pages of sessions that are found by it.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type {
  AssessmentFilter,
  AssessmentRepository,
  StoredAssessment,
} from '../../biometrics/ports/assessments.js';
import type { Page } from '../../biometrics/ports/page.js';
import type { SessionFilter } from '../../biometrics/ports/sessions.js';
import { flag, namedInTenant, orNull } from '../columns.js';
import type { Db, DialectName } from '../database.js';
import type { SessionsTable } from '../schema/biometrics.js';
import { fillFactorColumns } from './factor-columns.js';
import { readPage } from './page.js';

const IDS_PER_QUERY = 500;

export function assessmentRepository(
  db: Db,
  dialect: DialectName,
  assessed: (gkScopeId: string, gkSessionIds: readonly string[]) => Promise<readonly StoredAssessment[]>,
): AssessmentRepository {
  return {
    async hasUnassessed(gkScopeId) {
      const query = db.selectFrom('unassessed_sessions').select('gk_session_id');
      return (await query.where('gk_scope_id', '=', gkScopeId).limit(1).executeTakeFirst()) !== undefined;
    },
    async sessionsWith(gkScopeId, filter) {
      const { table, conditions } = assessedIn(filter);
      const { rows } = await sql<{ gk_session_id: string }>`select gk_session_id from ${sql.table(table)}
        where gk_scope_id = ${gkScopeId} and ${and(conditions)}
        ${filter.orUnassessed ? sql`union select gk_session_id from unassessed_sessions where gk_scope_id = ${gkScopeId}` : sql``}`.execute(
        db,
      );
      return new Set(rows.map((row) => row.gk_session_id));
    },
    async findMany(gkScopeId, gkSessionIds) {
      const found: [string, Pick<StoredAssessment, 'headline' | 'decision'>][] = [];
      for (let at = 0; at < gkSessionIds.length; at += IDS_PER_QUERY) {
        const rows = await db
          .selectFrom('session_assessments')
          .select(['gk_session_id', 'headline', 'decision'])
          .where(namedInTenant('gk_scope_id', gkScopeId))
          .where('gk_session_id', 'in', gkSessionIds.slice(at, at + IDS_PER_QUERY))
          .execute();
        for (const { gk_session_id: id, headline, decision } of rows)
          found.push([id, { headline, decision: decision ?? undefined } as StoredAssessment]);
      }
      return new Map(found);
    },
    async unassessed(limit) {
      const all = db.selectFrom('unassessed_sessions').select(['gk_session_id', 'gk_scope_id']);
      const first = await all.limit(1).executeTakeFirst();
      if (!first) return undefined;
      const { gk_scope_id: gkScopeId } = first;
      const newest = all.where('gk_scope_id', '=', gkScopeId).orderBy('created_at', 'desc').limit(limit);
      return { gkScopeId, gkSessionIds: (await newest.execute()).map((row) => row.gk_session_id) };
    },
    async countUnassessed() {
      const all = db.selectFrom('unassessed_sessions').select(({ fn }) => fn.countAll<number>().as('count'));
      return Number((await all.executeTakeFirstOrThrow()).count);
    },
    async assess(gkScopeId, gkSessionIds) {
      const ids = [...gkSessionIds];
      if (ids.length === 0) return;
      // First: a change that is committed while they are assessed enters them again.
      for (const table of ['unassessed_sessions', 'session_caveats', 'session_assessments'] as const)
        await db.deleteFrom(table).where('gk_session_id', 'in', ids).execute();
      await store(db, gkScopeId, await assessed(gkScopeId, ids));
    },
    async enterWrittenBefore(sinceMs) {
      // First: a check that is committed after it is found by the next look.
      const filled = await fillFactorColumns(db, dialect, sql`decision is null`);
      const engagements = [...new Set(filled.map((row) => row.gk_engagement_id))];
      for (let at = 0; at < engagements.length; at += IDS_PER_QUERY)
        await enter(
          db,
          sql`where gk_engagement_id in (${sql.join(engagements.slice(at, at + IDS_PER_QUERY))})`,
        );
      const known = sql`session_assessments known on known.gk_session_id = sessions.gk_session_id`;
      await enter(
        db,
        sql`left join ${known} where known.gk_session_id is null or known.modified_at < sessions.modified_at`,
      );
      await enter(
        db,
        sql`join engagements on engagements.gk_engagement_id = sessions.gk_engagement_id
          where engagements.modified_at >= ${sinceMs}`,
      );
      // Its erasures change only documents.
      const changed = sql`select sessions.gk_session_id from sessions
        join ${known} where known.modified_at < sessions.modified_at`;
      await fillFactorColumns(db, dialect, sql`gk_session_id in (${changed})`);
      for (const table of ['session_assessments', 'session_caveats'] as const)
        await sql`delete from ${sql.table(table)} where not exists (
          select 1 from sessions where sessions.gk_session_id = ${sql.table(table)}.gk_session_id)`.execute(
          db,
        );
    },
  };
}

/** `which`: of `sessions`, as unassessed. */
async function enter(db: Db, which: RawBuilder<unknown>): Promise<void> {
  await sql`insert into unassessed_sessions (gk_session_id, gk_scope_id, created_at)
    select sessions.gk_session_id, sessions.gk_scope_id, sessions.created_at from sessions ${which}
    on conflict (gk_session_id) do nothing`.execute(db);
}

async function store(db: Db, gkScopeId: string, assessed: readonly StoredAssessment[]): Promise<void> {
  if (assessed.length === 0) return;
  const ids = assessed.map(({ gkSessionId }) => gkSessionId);
  const sessions = await db
    .selectFrom('sessions')
    .select(['gk_session_id', 'gk_engagement_id', 'created_at', 'modified_at'])
    .where('gk_session_id', 'in', ids)
    .execute();
  const byId = new Map(sessions.map((row) => [row.gk_session_id, row]));
  const there = assessed.flatMap((one) => {
    const row = byId.get(one.gkSessionId);
    return row ? [{ ...one, row }] : [];
  });
  if (there.length === 0) return;
  await db
    .insertInto('session_assessments')
    .values(
      there.map(({ row, headline, decision, followsEngagement }) => ({
        ...row,
        gk_scope_id: gkScopeId,
        headline,
        decision: orNull(decision),
        follows_engagement: flag(followsEngagement),
      })),
    )
    .execute();
  const caveats = there.flatMap(({ row: { gk_session_id, created_at }, caveats: names }) =>
    names.map((caveat) => ({ gk_session_id, caveat, gk_scope_id: gkScopeId, created_at })),
  );
  if (caveats.length > 0) await db.insertInto('session_caveats').values(caveats).execute();
}

/** Read along the index of the first caveat, or else of headlines and decisions, which are in order of time. */
export function listAssessed(
  db: Db,
  { gkScopeId, assessed, filter }: { gkScopeId: string; assessed: AssessmentFilter; filter: SessionFilter },
  page: Page,
): Promise<{ rows: SessionsTable[]; next?: string }> {
  const { table, conditions } = assessedIn(assessed);
  const query = db
    .selectFrom(table)
    .innerJoin('sessions', 'sessions.gk_session_id', `${table}.gk_session_id`)
    .selectAll('sessions')
    .where(`${table}.gk_scope_id`, '=', gkScopeId)
    .where(and([...conditions, ...conditionsOf(filter, table)]));
  return readPage(query, 'gk_session_id', page, table);
}

type Driving = 'session_caveats' | 'session_assessments';

function assessedIn({ caveats: [first, ...others], headlines, decisions }: AssessmentFilter): {
  table: Driving;
  conditions: RawBuilder<SqlBool>[];
} {
  const ofCaveats = others.map((names) => hasCaveat('session_caveats.gk_session_id', names));
  if (!first) return { table: 'session_assessments', conditions: resultIn(headlines, decisions) };
  const result = resultIn(headlines, decisions);
  return {
    table: 'session_caveats',
    conditions: [
      sql<SqlBool>`session_caveats.caveat in (${sql.join([...first])})`,
      ...ofCaveats,
      ...(result.length > 0 ? [hasResult('session_caveats.gk_session_id', result)] : []),
    ],
  };
}

const resultIn = (headlines: readonly string[], decisions: readonly string[]): RawBuilder<SqlBool>[] => [
  ...(headlines.length > 0
    ? [sql<SqlBool>`session_assessments.headline in (${sql.join([...headlines])})`]
    : []),
  ...(decisions.length > 0
    ? [sql<SqlBool>`session_assessments.decision in (${sql.join([...decisions])})`]
    : []),
];

const hasResult = (session: string, result: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select 1 from session_assessments
    where session_assessments.gk_session_id = ${sql.ref(session)} and ${and(result)})`;

const hasCaveat = (session: string, names: readonly string[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select 1 from session_caveats other
    where other.gk_session_id = ${sql.ref(session)} and other.caveat in (${sql.join([...names])}))`;

const and = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql.join<SqlBool>([...conditions], sql` and `);

/** Whether `sessions` fit, or may fit. */
export function isAssessed({
  caveats,
  headlines,
  decisions,
  orUnassessed,
}: AssessmentFilter): RawBuilder<SqlBool> {
  const result = resultIn(headlines, decisions);
  const all = and([
    ...caveats.map((names) => hasCaveat('sessions.gk_session_id', names)),
    ...(result.length > 0 ? [hasResult('sessions.gk_session_id', result)] : []),
  ]);
  if (!orUnassessed) return sql<SqlBool>`(${all})`;
  return sql<SqlBool>`((${all}) or exists (select 1 from unassessed_sessions
    where unassessed_sessions.gk_session_id = sessions.gk_session_id))`;
}

/** `times` is the table whose `created_at` orders the page. */
export function conditionsOf(
  { active, types = [], fromMs, toMs }: SessionFilter,
  times: 'sessions' | Driving,
): RawBuilder<SqlBool>[] {
  const created = sql.ref(`${times}.created_at`);
  return [
    ...(active === undefined ? [] : [sql<SqlBool>`sessions.is_active = ${flag(active)}`]),
    ...(types.length === 0 ? [] : [sql<SqlBool>`sessions.session_type in (${sql.join([...types])})`]),
    ...(fromMs === undefined ? [] : [sql<SqlBool>`${created} >= ${fromMs}`]),
    ...(toMs === undefined ? [] : [sql<SqlBool>`${created} < ${toMs}`]),
  ];
}
