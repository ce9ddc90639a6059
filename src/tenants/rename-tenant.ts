// RenameScope: changes the own name of a tenant; its gk_scope_id never changes.
import { idFault, refuseFaults } from '../errors.js';
import type { Call } from '../platform.js';
import { idFaults, lockForChange, requireAdministrator } from './access.js';
import { auditTenant } from './audit-entry.js';
import type { TenantsDeps } from './deps.js';

export async function renameTenant(
  deps: TenantsDeps,
  call: Call,
  input: { gkScopeId: string; newScopeId: string },
): Promise<void> {
  requireAdministrator(call);
  refuseFaults([...idFaults(input.gkScopeId), idFault('new_scope_id', input.newScopeId)]);
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const tenant = await lockForChange(tx, input.gkScopeId, now);
    // A retry that finds its own work done succeeds.
    if (tenant.scopeId === input.newScopeId) return;
    await tx.update({ ...tenant, scopeId: input.newScopeId, modifiedAtMs: now });
    await auditTenant(tx, call, 'RenameScope', input.gkScopeId, {
      from: tenant.scopeId,
      to: input.newScopeId,
    });
  });
}
