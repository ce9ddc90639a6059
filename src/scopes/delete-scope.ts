// The end of a scope. One that was never ACTIVE goes at once; any other stays usable as PENDING_DELETION for
// the waiting time, can be taken back, and is then deleted with all its content and keys.
import { systemActor } from '../audit/model.js';
import type { Call, Log } from '../platform.js';
import { lockForChange, requireAdministrator, requireId } from './access.js';
import { auditScope } from './audit-entry.js';
import type { ScopesDeps } from './deps.js';
import type { ScopesTransaction } from './ports.js';

export async function markScopeForDeletion(
  deps: ScopesDeps,
  call: Call,
  input: { gkScopeId: string },
): Promise<void> {
  requireAdministrator(call);
  requireId(input.gkScopeId);
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const scope = await lockForChange(tx, input.gkScopeId, now);
    if (scope.activatedAtMs === undefined)
      return deleteNow(tx, call, 'MarkScopeForDeletion', scope.gkScopeId, scope.scopeId);
    if (scope.state === 'PENDING_DELETION') return;
    const deleteAfterMs = now + deps.deletionDelayMs;
    await tx.update({ ...scope, state: 'PENDING_DELETION', deleteAfterMs, modifiedAtMs: now });
    await auditScope(tx, call, 'MarkScopeForDeletion', scope.gkScopeId, {
      deleteAfterMs: new Date(deleteAfterMs).toISOString(),
    });
  });
}

export async function unmarkScopeForDeletion(
  deps: ScopesDeps,
  call: Call,
  input: { gkScopeId: string },
): Promise<void> {
  requireAdministrator(call);
  requireId(input.gkScopeId);
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const { deleteAfterMs: _, ...scope } = await lockForChange(tx, input.gkScopeId, now);
    if (scope.state !== 'PENDING_DELETION') return;
    await tx.update({ ...scope, state: 'READY', modifiedAtMs: now });
    await auditScope(tx, call, 'UnMarkScopeForDeletion', scope.gkScopeId);
  });
}

/** For a timer: deletes the scopes whose waiting time is over. Answers their ids. */
export async function deleteDueScopes(deps: ScopesDeps, log: Log): Promise<string[]> {
  const due = await deps.store.read.listDue(deps.clock.now());
  const deleted: string[] = [];
  for (const { gkScopeId } of due) {
    const gone = await deps.store.transaction(async (tx) => {
      // It may have been unmarked in the meantime.
      const scope = await tx.lock(gkScopeId);
      if (scope?.deleteAfterMs === undefined || scope.deleteAfterMs > deps.clock.now()) return false;
      const timer = {
        requestId: 'timer',
        caller: { ...systemActor, clientId: 'system', scopes: [], tenants: 'all' as const },
      };
      await deleteNow(tx, timer, 'DeleteScope', gkScopeId, scope.scopeId);
      return true;
    });
    if (!gone) continue;
    deleted.push(gkScopeId);
    log.info({ gkScopeId }, 'scope deleted after its waiting time');
  }
  return deleted;
}

async function deleteNow(
  tx: ScopesTransaction,
  call: Pick<Call, 'caller' | 'requestId'>,
  operation: string,
  gkScopeId: string,
  scopeId: string,
): Promise<void> {
  await tx.deleteContent(gkScopeId);
  await tx.delete(gkScopeId);
  await auditScope(tx, call, operation, gkScopeId, { scopeId, deleted: true });
}
