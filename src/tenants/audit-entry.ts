// How a change of a tenant is recorded in the audit trail: in the tenant's own chain, so that the tenant can read it, and in
// the installation's chain, which outlives the tenant.
import { type AuditEntry, auditedBy, type Named, SYSTEM_CHAIN, auditDetail } from '../audit/model.js';
import type { Call } from '../platform.js';
import type { TenantsTransaction } from './ports.js';
import type { AuditAct } from '../words/audit/english.js';

export async function auditTenant<D extends Named<D>>(
  tx: TenantsTransaction,
  call: Pick<Call, 'caller' | 'requestId'>,
  operation: AuditAct,
  gkScopeId: string,
  detail?: D,
): Promise<void> {
  const entry: Omit<AuditEntry, 'chain'> = {
    ...auditedBy(call),
    recordType: 'SCOPE_EVENT',
    operation,
    context: { gkScopeId },
    subjectIds: [gkScopeId],
    ...(detail && { detail: auditDetail(detail) }),
  };
  await tx.audit.append({ ...entry, chain: gkScopeId });
  await tx.audit.append({ ...entry, chain: SYSTEM_CHAIN });
}
