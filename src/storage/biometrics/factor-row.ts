// Factors as rows.
import type { Factor } from '../../biometrics/model/sessions.js';
import { fromJson } from '../columns.js';
import type { FactorsTable } from '../schema/biometrics.js';

type Described = Omit<
  Factor,
  'factorId' | 'gkScopeId' | 'gkEngagementId' | 'gkSessionId' | 'kind' | 'createdAtMs' | 'recording'
>;

/** `leftOut`: as 0.2.0 names `notCompared`. */
export type FactorDocument = Omit<Described, 'notCompared'> & { leftOut?: number };

export const documentOf = ({ notCompared, ...rest }: Described): FactorDocument => ({
  ...rest,
  ...(notCompared !== undefined && { leftOut: notCompared }),
});

function describedBy({ leftOut, ...rest }: FactorDocument): Described {
  return { ...rest, ...(leftOut !== undefined && { notCompared: leftOut }) };
}

export function factorOf(row: FactorsTable): Factor {
  return {
    factorId: row.factor_id,
    gkScopeId: row.gk_scope_id,
    gkEngagementId: row.gk_engagement_id,
    gkSessionId: row.gk_session_id,
    kind: row.kind as Factor['kind'],
    createdAtMs: row.created_at,
    ...describedBy(fromJson<FactorDocument>(row.document)),
  };
}
