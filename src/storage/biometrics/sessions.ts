// Sessions: by their IDs, by what was found in them, by what changed, and by age.
import type { Session } from '../../biometrics/model/sessions.js';
import type { ChangePosition } from '../../biometrics/ports/page.js';
import type { SessionRepository } from '../../biometrics/ports/sessions.js';
import { fromJson, namedInTenant } from '../columns.js';
import { locksRows, type Db } from '../database.js';
import type { SessionsTable } from '../schema/biometrics.js';
import type { Keyring } from '../sealing/keyring.js';
import { claimReplaced, unlinkClaimed } from './corrected-links.js';
import { modifiedBehind, readPage } from './page.js';
import { sessionsWithFraudster } from './call-findings.js';
import { cutOffSessions } from './cut-off-sessions.js';
import { conditionsOf, isAssessed, listAssessed } from './assessments.js';
import { reassess } from './reassess.js';
import { sessionsAbout } from './session-persons.js';
import { fromRow, toRow, type SessionDocument } from './session-rows.js';
import { onlyHolding, sessionsThatHeard } from './upload-sessions.js';
import { linkClaimed } from './voice-links.js';

export function sessionRepository(db: Db, keyring: Keyring): SessionRepository {
  const fromRows = rowReader(db, keyring);
  return {
    ...cutOffSessions(db),
    ...findsById(db, fromRows),
    ...searches(db, fromRows),
    ...changes(db, fromRows),
    ...writes(db, keyring),
    ...ageing(db),
  };
}

type RowReader = ReturnType<typeof rowReader>;

function rowReader(db: Db, keyring: Keyring) {
  return async (gkScopeId: string, rows: readonly SessionsTable[]): Promise<Session[]> => {
    if (rows.length === 0) return [];
    const sealer = await keyring.forTenant(db, gkScopeId);
    return rows.map((row) => fromRow(row, sealer));
  };
}

/** Sessions by ID, and those of an engagement. */
function findsById(
  db: Db,
  fromRows: RowReader,
): Pick<SessionRepository, 'find' | 'findMany' | 'listByEngagement' | 'isErased'> {
  return {
    async find(gkScopeId, gkSessionId) {
      const query = db
        .selectFrom('sessions')
        .selectAll()
        .where('gk_scope_id', '=', gkScopeId)
        .where('gk_session_id', '=', gkSessionId);
      return (await fromRows(gkScopeId, await (locksRows(db) ? query.forUpdate() : query).execute()))[0];
    },
    async findMany(gkScopeId, gkSessionIds) {
      if (gkSessionIds.length === 0) return [];
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .where('gk_session_id', 'in', [...gkSessionIds])
        .execute();
      return fromRows(gkScopeId, rows);
    },
    async listByEngagement(gkScopeId, gkEngagementId) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .where('gk_engagement_id', '=', gkEngagementId)
        .orderBy('created_at')
        .orderBy('gk_session_id')
        .execute();
      return fromRows(gkScopeId, rows);
    },
    async isErased(gkSessionId) {
      const query = db.selectFrom('sessions').select('document').where('gk_session_id', '=', gkSessionId);
      const row = await (locksRows(db) ? query.forShare() : query).executeTakeFirst();
      return row !== undefined && fromJson<SessionDocument>(row.document).isErased === true;
    },
  };
}

/** Searches by the contents and findings of sessions. */
function searches(
  db: Db,
  fromRows: RowReader,
): Pick<SessionRepository, 'list' | 'amongFound' | 'withFraudster' | 'onlyHolding' | 'heardBy'> {
  const idsIn = (gkScopeId: string) =>
    db.selectFrom('sessions').select('gk_session_id').where(namedInTenant('gk_scope_id', gkScopeId));
  return {
    async list(gkScopeId, filter, page) {
      const { gkPersonId, gkFraudsterId, assessed } = filter;
      const isNamed = gkPersonId !== undefined || gkFraudsterId !== undefined;
      if (assessed && !assessed.orUnassessed && !isNamed) {
        const { rows, next } = await listAssessed(db, { gkScopeId, assessed, filter }, page);
        return { sessions: await fromRows(gkScopeId, rows), ...(next && { next }) };
      }
      const all = db.selectFrom('sessions').selectAll();
      let query = isNamed
        ? all.where(namedInTenant('gk_scope_id', gkScopeId))
        : all.where('gk_scope_id', '=', gkScopeId);
      if (gkPersonId !== undefined) query = query.where('gk_session_id', 'in', sessionsAbout(gkPersonId));
      if (gkFraudsterId !== undefined)
        query = query.where('gk_session_id', 'in', await sessionsWithFraudster(db, gkScopeId, filter));
      if (assessed) query = query.where(isAssessed(assessed));
      for (const condition of conditionsOf(filter, 'sessions')) query = query.where(condition);
      const { rows, next } = await readPage(query, 'gk_session_id', page);
      return { sessions: await fromRows(gkScopeId, rows), ...(next && { next }) };
    },
    async amongFound(gkScopeId, gkSessionIds, filter) {
      if (gkSessionIds.length === 0) return new Set();
      const query = idsIn(gkScopeId)
        .where('gk_session_id', 'in', [...gkSessionIds])
        .where('gk_session_id', 'in', await sessionsWithFraudster(db, gkScopeId, filter));
      return new Set((await query.execute()).map((row) => row.gk_session_id));
    },
    async withFraudster(gkScopeId, filter, limit) {
      const query = idsIn(gkScopeId)
        .where('gk_session_id', 'in', await sessionsWithFraudster(db, gkScopeId, filter))
        .orderBy('created_at', 'desc')
        .limit(limit);
      return (await query.execute()).map((row) => row.gk_session_id);
    },
    onlyHolding: (gkScopeId, gkSessionIds) => onlyHolding(db, gkScopeId, gkSessionIds),
    heardBy: (gkScopeId, gkMediaSegmentIds) => sessionsThatHeard(db, gkScopeId, gkMediaSegmentIds),
  };
}

/** Sessions that changed after a position, for clients that follow changes, and their number. */
function changes(db: Db, fromRows: RowReader): Pick<SessionRepository, 'changed' | 'changedIds' | 'count'> {
  return {
    async changed(gkScopeId, after, limit) {
      return fromRows(gkScopeId, await modified(db, gkScopeId, after, limit).execute());
    },
    async changedIds(gkScopeId, after, limit) {
      const query = modified(db, gkScopeId, after, limit)
        .clearSelect()
        .select(['gk_session_id', 'modified_at']);
      return (await query.execute()).map((row) => ({ atMs: row.modified_at, id: row.gk_session_id }));
    },
    async count(gkScopeId) {
      const row = await db
        .selectFrom('sessions')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('gk_scope_id', '=', gkScopeId)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
  };
}

const modified = (db: Db, gkScopeId: string, after: ChangePosition, limit: number) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('gk_scope_id', '=', gkScopeId)
    .where(modifiedBehind('gk_session_id', after))
    .orderBy('modified_at')
    .orderBy('gk_session_id')
    .limit(limit);

/** Links a session to the person it claims; a new claim removes the link to the previous person. */
function writes(db: Db, keyring: Keyring): Pick<SessionRepository, 'insert' | 'update' | 'touch'> {
  return {
    async insert(session) {
      await db
        .insertInto('sessions')
        .values(await toRow(db, keyring, session))
        .execute();
      await linkClaimed(db, session);
      await reassess(db, session.gkScopeId, { sessions: [session.gkSessionId] });
    },
    async update(session) {
      const before = await claimReplaced(db, session);
      const { gk_session_id, gk_scope_id, ...columns } = await toRow(db, keyring, session);
      await db
        .updateTable('sessions')
        .set(columns)
        .where('gk_session_id', '=', gk_session_id)
        .where('gk_scope_id', '=', gk_scope_id)
        .execute();
      if (before !== undefined) await unlinkClaimed(db, before, session);
      await linkClaimed(db, session);
      await reassess(db, gk_scope_id, { sessions: [gk_session_id] });
    },
    async touch(gkSessionId, atMs) {
      await db
        .updateTable('sessions')
        .set({ last_activity_at: atMs })
        .where('gk_session_id', '=', gkSessionId)
        .execute();
    },
  };
}

const deletedWithSessions = [
  'factors',
  'asked_persons',
  'call_findings',
  'session_assessments',
  'session_caveats',
  'unassessed_sessions',
  'sessions',
] as const;

/** Sessions that have not been touched for a long time. */
function ageing(db: Db): Pick<SessionRepository, 'tenantsWithOlder' | 'deleteOlder'> {
  return {
    async tenantsWithOlder(beforeMs) {
      const tenants = new Set<string>();
      for (const table of ['sessions', 'engagements'] as const) {
        const rows = await db
          .selectFrom(table)
          .select('gk_scope_id')
          .distinct()
          .where('last_activity_at', '<', beforeMs)
          .execute();
        for (const row of rows) tenants.add(row.gk_scope_id);
      }
      return [...tenants].sort();
    },
    async deleteOlder(gkScopeId, beforeMs, limit) {
      const old = await db
        .selectFrom('sessions')
        .select(['gk_session_id', 'gk_engagement_id'])
        .where('gk_scope_id', '=', gkScopeId)
        .where('last_activity_at', '<', beforeMs)
        .orderBy('created_at')
        .limit(limit)
        .execute();
      if (old.length === 0) return 0;
      const ids = old.map((row) => row.gk_session_id);
      const heard = db
        .selectFrom('factors')
        .select('gk_processed_audio_id')
        .where('gk_session_id', 'in', ids);
      await reassess(db, gkScopeId, {
        checksIn: old.map((row) => row.gk_engagement_id),
        audios: (await heard.execute()).flatMap((row) => row.gk_processed_audio_id ?? []),
      });
      for (const table of deletedWithSessions)
        await db
          .deleteFrom(table)
          .where(namedInTenant('gk_scope_id', gkScopeId))
          .where('gk_session_id', 'in', ids)
          .execute();
      return ids.length;
    },
  };
}
