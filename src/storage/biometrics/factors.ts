import type { Factor } from '../../biometrics/sessions/model.js';
import type { FactorRepository } from '../../biometrics/sessions/ports.js';
import { fromJson, toJson } from '../columns.js';
import type { Db } from '../database.js';
import type { FactorsTable } from '../schema/biometrics.js';

type Document = Omit<
  Factor,
  'factorId' | 'gkScopeId' | 'gkEngagementId' | 'gkSessionId' | 'kind' | 'createdAt'
>;

export function factorRepository(db: Db): FactorRepository {
  const inScope = (gkScopeId: string) =>
    db
      .selectFrom('factors')
      .selectAll()
      .where('gk_scope_id', '=', gkScopeId)
      .orderBy('created_at')
      .orderBy('factor_id');
  return {
    async insert({ factorId, gkScopeId, gkEngagementId, gkSessionId, kind, createdAt, ...document }) {
      await db
        .insertInto('factors')
        .values({
          factor_id: factorId,
          gk_scope_id: gkScopeId,
          gk_engagement_id: gkEngagementId,
          gk_session_id: gkSessionId,
          kind,
          document: toJson(document),
          created_at: createdAt,
        })
        .execute();
    },
    async listBySession(gkScopeId, gkSessionId) {
      return (await inScope(gkScopeId).where('gk_session_id', '=', gkSessionId).execute()).map(fromRow);
    },
    async listByEngagement(gkScopeId, gkEngagementId) {
      return (await inScope(gkScopeId).where('gk_engagement_id', '=', gkEngagementId).execute()).map(fromRow);
    },
  };
}

function fromRow(row: FactorsTable): Factor {
  return {
    factorId: row.factor_id,
    gkScopeId: row.gk_scope_id,
    gkEngagementId: row.gk_engagement_id,
    gkSessionId: row.gk_session_id,
    kind: row.kind as Factor['kind'],
    createdAt: row.created_at,
    ...fromJson<Document>(row.document),
  };
}
