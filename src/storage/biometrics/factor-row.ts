// Factors as rows, and the expressions that the indexes over their documents use (migration 36).
import { type RawBuilder, sql } from 'kysely';
import type { Factor } from '../../biometrics/model/sessions.js';
import { fromJson } from '../columns.js';
import type { DialectName } from '../database.js';
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

/**
 * The ID that a factor names, spelled as in the index. Pass `table` if the column is ambiguous or factors are
 * joined twice.
 */
export function namedByFactor(
  dialect: DialectName,
  member: 'gkVoiceprintProfileId' | 'gkProcessedAudioId',
  table?: string,
): RawBuilder<string> {
  const document = table ? `${table}.document` : 'document';
  return sql<string>`${sql.raw(
    dialect === 'postgres'
      ? `substring(${document} from '"${member}":"([^"]*)"')`
      : `json_extract(${document}, '$.${member}')`,
  )}`;
}
