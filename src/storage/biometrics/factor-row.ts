// Factors as rows.
import type { Factor } from '../../biometrics/model/sessions.js';
import { fromJson } from '../columns.js';
import type { FactorsTable } from '../schema/biometrics.js';

export type FactorDocument = Omit<
  Factor,
  'factorId' | 'gkScopeId' | 'gkEngagementId' | 'gkSessionId' | 'kind' | 'createdAtMs'
>;

export function factorOf(row: FactorsTable): Factor {
  return {
    factorId: row.factor_id,
    gkScopeId: row.gk_scope_id,
    gkEngagementId: row.gk_engagement_id,
    gkSessionId: row.gk_session_id,
    kind: row.kind as Factor['kind'],
    createdAtMs: row.created_at,
    ...fromJson<FactorDocument>(row.document),
  };
}
