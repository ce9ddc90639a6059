// The end of a tenant. One that was never ACTIVE is deleted at once; any other stays usable as PENDING_DELETION for the
// waiting time, in which the deletion can be canceled, and is then deleted with all its content and keys.
import { systemCaller } from '../audit/model.js';
import type { Call, Log } from '../platform.js';
import { lockForChange, requireAdministrator, requireId } from './access.js';
import { auditTenant } from './audit-entry.js';
import type { TenantsDeps } from './deps.js';
import type { TenantsTransaction } from './ports.js';
import type { AuditAct } from '../words/audit/english.js';

export async function markTenantForDeletion(
  deps: TenantsDeps,
  call: Call,
  input: { gkScopeId: string },
): Promise<void> {
  requireAdministrator(call);
  requireId(input.gkScopeId);
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const tenant = await lockForChange(tx, input.gkScopeId, now);
    if (tenant.activatedAtMs === undefined)
      return deleteNow(tx, call, 'MarkScopeForDeletion', tenant.gkScopeId, tenant.scopeId);
    if (tenant.state === 'PENDING_DELETION') return;
    const deleteAfterMs = now + deps.deletionDelayMs;
    await tx.update({ ...tenant, state: 'PENDING_DELETION', deleteAfterMs, modifiedAtMs: now });
    await auditTenant(tx, call, 'MarkScopeForDeletion', tenant.gkScopeId, {
      deleteAfterMs: new Date(deleteAfterMs).toISOString(),
    });
  });
}

export async function unmarkTenantForDeletion(
  deps: TenantsDeps,
  call: Call,
  input: { gkScopeId: string },
): Promise<void> {
  requireAdministrator(call);
  requireId(input.gkScopeId);
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const { deleteAfterMs: _, ...tenant } = await lockForChange(tx, input.gkScopeId, now);
    if (tenant.state !== 'PENDING_DELETION') return;
    await tx.update({ ...tenant, state: 'READY', modifiedAtMs: now });
    await auditTenant(tx, call, 'UnMarkScopeForDeletion', tenant.gkScopeId);
  });
}

/** For a timer: deletes the tenants whose waiting time is over. Returns their IDs. */
export async function deleteDueTenants(deps: TenantsDeps, log: Log): Promise<string[]> {
  const due = await deps.store.read.listDue(deps.clock.now());
  const deleted: string[] = [];
  for (const { gkScopeId } of due) {
    const isDeleted = await deps.store.transaction(async (tx) => {
      // It may have been unmarked in the meantime.
      const tenant = await tx.lock(gkScopeId);
      if (tenant?.deleteAfterMs === undefined || tenant.deleteAfterMs > deps.clock.now()) return false;
      const timer = {
        requestId: 'timer',
        caller: systemCaller,
      };
      await deleteNow(tx, timer, 'DeleteScope', gkScopeId, tenant.scopeId);
      return true;
    });
    if (!isDeleted) continue;
    deleted.push(gkScopeId);
    log.info({ gkScopeId }, 'tenant deleted after its waiting time');
  }
  return deleted;
}

async function deleteNow(
  tx: TenantsTransaction,
  call: Pick<Call, 'caller' | 'requestId'>,
  operation: AuditAct,
  gkScopeId: string,
  scopeId: string,
): Promise<void> {
  await tx.deleteContent(gkScopeId);
  await tx.delete(gkScopeId);
  await auditTenant(tx, call, operation, gkScopeId, { scopeId, deleted: true });
}
