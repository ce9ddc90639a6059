// Writes one audit record of an operation, inside the operation's transaction.
import {
  auditedBy,
  systemActor,
  auditDetail,
  type AuditEntry,
  type JsonObject,
  type Named,
  type RecordType,
} from '../../audit/model.js';
import type { Call } from '../../platform.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { AuditAct } from '../../words/audit/english.js';

interface AuditFact<D extends Named<D>> {
  type: RecordType;
  operation: AuditAct;
  gkScopeId: string;
  gkEngagementId?: string;
  gkSessionId?: string;
  configsetId?: string;
  /** Internal IDs of the persons, prints or media concerned: erasure finds a person's records by them. */
  subjects?: readonly string[];
  /** Never personal data, never a voice; scores, decisions, revisions and identifiers. */
  detail?: D;
  /** Personal data; sealed, masked in plain exports, shredded on erasure. */
  personal?: JsonObject;
}

export function audit<D extends Named<D>>(
  tx: BiometricsTransaction,
  call: Call,
  fact: AuditFact<D>,
): Promise<void> {
  return tx.audit.append(entryOf(auditedBy(call), fact));
}

/** For work without a caller. */
export function auditBySystem<D extends Named<D>>(
  tx: Pick<BiometricsTransaction, 'audit'>,
  fact: AuditFact<D>,
): Promise<void> {
  return tx.audit.append(entryOf({ actor: systemActor }, fact));
}

/**
 * From here on, all others of the tenant who record something have to wait: only for the first thing that a
 * transaction does.
 */
export function auditFirst<D extends Named<D>>(
  tx: BiometricsTransaction,
  call: Call,
  fact: AuditFact<D>,
): Promise<void> {
  return tx.auditAtOnce.append(entryOf(auditedBy(call), fact));
}

function entryOf<D extends Named<D>>(
  by: Pick<AuditEntry, 'actor' | 'requestId'>,
  fact: AuditFact<D>,
): AuditEntry {
  const { gkScopeId, gkEngagementId, gkSessionId, configsetId } = fact;
  return {
    ...by,
    chain: gkScopeId,
    recordType: fact.type,
    operation: fact.operation,
    context: {
      gkScopeId,
      ...(gkEngagementId && { gkEngagementId }),
      ...(gkSessionId && { gkSessionId }),
      ...(configsetId && { configsetId }),
    },
    subjectIds: fact.subjects ?? [],
    ...(fact.detail && { detail: auditDetail(fact.detail) }),
    ...(fact.personal && { personal: fact.personal }),
  };
}
