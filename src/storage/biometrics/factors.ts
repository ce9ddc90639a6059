// Factors: the measured outcomes inside sessions. Only ever inserted.
import type { FactorRepository } from '../../biometrics/ports/sessions.js';
import { namedInScope, toJson } from '../columns.js';
import type { Db } from '../database.js';
import { factorOf } from './factor-row.js';
import { readPage } from './page.js';
import { aboutSessions } from './session-persons.js';
import { tieVerified } from './voice-ties.js';

export function factorRepository(db: Db): FactorRepository {
  const named = (gkScopeId: string) =>
    db
      .selectFrom('factors')
      .selectAll()
      .where(namedInScope('gk_scope_id', gkScopeId))
      .orderBy('created_at')
      .orderBy('factor_id');
  return {
    async insert(factor) {
      const { factorId, gkScopeId, gkEngagementId, gkSessionId, kind, createdAtMs, ...document } = factor;
      await db
        .insertInto('factors')
        .values({
          factor_id: factorId,
          gk_scope_id: gkScopeId,
          gk_engagement_id: gkEngagementId,
          gk_session_id: gkSessionId,
          kind,
          document: toJson(document),
          created_at: createdAtMs,
        })
        .execute();
      await tieVerified(db, factor);
    },
    async listBySession(gkScopeId, gkSessionId) {
      return (await named(gkScopeId).where('gk_session_id', '=', gkSessionId).execute()).map(factorOf);
    },
    async countBySessions(gkScopeId, gkSessionIds) {
      if (gkSessionIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('factors')
        .select((select) => ['gk_session_id', select.fn.countAll<number>().as('count')] as const)
        .where(namedInScope('gk_scope_id', gkScopeId))
        .where('gk_session_id', 'in', [...gkSessionIds])
        .groupBy('gk_session_id')
        .execute();
      return new Map(rows.map((row) => [row.gk_session_id, Number(row.count)]));
    },
    aboutSessions: (gkScopeId, gkSessionIds) => aboutSessions(db, gkScopeId, gkSessionIds),
    async list(gkScopeId, { fromMs, toMs }, page) {
      let query = db.selectFrom('factors').selectAll().where('gk_scope_id', '=', gkScopeId);
      if (fromMs !== undefined) query = query.where('created_at', '>=', fromMs);
      if (toMs !== undefined) query = query.where('created_at', '<', toMs);
      const { rows, next } = await readPage(query, 'factor_id', page);
      return { factors: rows.map(factorOf), ...(next && { next }) };
    },
    async listByEngagement(gkScopeId, gkEngagementId) {
      return (await named(gkScopeId).where('gk_engagement_id', '=', gkEngagementId).execute()).map(factorOf);
    },
  };
}
