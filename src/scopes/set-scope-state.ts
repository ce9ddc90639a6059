// SetScopeState: callers may only choose between INITIALIZED and ACTIVE; the other states are made by us.
import { AppError, invalidFields, missingField } from '../errors.js';
import type { Call } from '../platform.js';
import { lockForChange, requireAdministrator, requireId } from './access.js';
import { auditScope } from './audit-entry.js';
import type { ScopesDeps } from './deps.js';
import type { ScopeState } from './model.js';

export async function setScopeState(
  deps: ScopesDeps,
  call: Call,
  input: { gkScopeId: string; state: ScopeState | undefined },
): Promise<void> {
  requireAdministrator(call);
  requireId(input.gkScopeId);
  const { state } = input;
  if (state === undefined) throw invalidFields([missingField('scope_state')]);
  if (state !== 'INITIALIZED' && state !== 'ACTIVE') {
    throw invalidFields([
      {
        field: 'scope_state',
        violation: 'OUT_OF_RANGE',
        message: 'must be INITIALIZED or ACTIVE',
        value: state,
      },
    ]);
  }
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const scope = await lockForChange(tx, input.gkScopeId, now);
    if (scope.state === 'PENDING_DELETION') {
      throw new AppError('INVALID_REQUEST', 'the scope is marked for deletion: unmark it first', {
        fields: [
          {
            field: 'scope_state',
            violation: 'FIELD_CONFLICT',
            message: 'cannot change while the scope is PENDING_DELETION',
          },
        ],
      });
    }
    if (scope.state === state) return;
    await tx.update({
      ...scope,
      state,
      modifiedAtMs: now,
      ...(state === 'ACTIVE' ? { activatedAtMs: scope.activatedAtMs ?? now } : {}),
    });
    await auditScope(tx, call, 'SetScopeState', input.gkScopeId, { from: scope.state, to: state });
  });
}
