// ResetScope: deletes all content of a tenant but keeps the tenant itself as it is.
import type { Call } from '../platform.js';
import { lockForChange, requireAdministrator, requireId } from './access.js';
import { auditTenant } from './audit-entry.js';
import type { TenantsDeps } from './deps.js';

export async function resetTenant(
  deps: TenantsDeps,
  call: Call,
  input: { gkScopeId: string },
): Promise<void> {
  requireAdministrator(call);
  requireId(input.gkScopeId);
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const tenant = await lockForChange(tx, input.gkScopeId, now);
    await tx.deleteContent(tenant.gkScopeId);
    await tx.update({ ...tenant, modifiedAtMs: now });
    await auditTenant(tx, call, 'ResetScope', tenant.gkScopeId);
  });
}
