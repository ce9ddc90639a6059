// RenameScope: another own name for the same scope; its gk_scope_id never changes.
import { invalidFields } from '../errors.js';
import type { Call } from '../platform.js';
import { lockForChange, requireAdministrator, requireId } from './access.js';
import { auditScope } from './audit-entry.js';
import type { ScopesDeps } from './deps.js';
import { checkScopeId } from './validate.js';

export async function renameScope(
  deps: ScopesDeps,
  call: Call,
  input: { gkScopeId: string; newScopeId: string },
): Promise<void> {
  requireAdministrator(call);
  requireId(input.gkScopeId);
  const faults = checkScopeId(input.newScopeId, 'new_scope_id');
  if (faults.length > 0) throw invalidFields(faults);
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const scope = await lockForChange(tx, input.gkScopeId, now);
    // A retry that finds its own work done succeeds.
    if (scope.scopeId === input.newScopeId) return;
    await tx.update({ ...scope, scopeId: input.newScopeId, modifiedAtMs: now });
    await auditScope(tx, call, 'RenameScope', input.gkScopeId, { from: scope.scopeId, to: input.newScopeId });
  });
}
