// ResetScope: all content of the scope goes, the scope itself stays as it is.
import type { Call } from '../platform.js';
import { lockForChange, requireAdministrator, requireId } from './access.js';
import { auditScope } from './audit-entry.js';
import type { ScopesDeps } from './deps.js';

export async function resetScope(deps: ScopesDeps, call: Call, input: { gkScopeId: string }): Promise<void> {
  requireAdministrator(call);
  requireId(input.gkScopeId);
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const scope = await lockForChange(tx, input.gkScopeId, now);
    await tx.deleteContent(scope.gkScopeId);
    await tx.update({ ...scope, modifiedAtMs: now });
    await auditScope(tx, call, 'ResetScope', scope.gkScopeId);
  });
}
