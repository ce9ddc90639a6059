// SetScopeState: callers may only choose between INITIALIZED and ACTIVE; the server sets the other states.
import { AppError, missingField, refuseFaults, type FieldFault } from '../errors.js';
import type { Call } from '../platform.js';
import { idFaults, lockForChange, requireAdministrator } from './access.js';
import { auditTenant } from './audit-entry.js';
import type { TenantsDeps } from './deps.js';
import type { TenantState } from './model.js';
import { say } from '../words/server/say.js';

export async function setTenantState(
  deps: TenantsDeps,
  call: Call,
  input: { gkScopeId: string; state: TenantState | undefined },
): Promise<void> {
  requireAdministrator(call);
  const { state } = input;
  refuseFaults([...idFaults(input.gkScopeId), stateFault(state)]);
  if (state === undefined) return;
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const tenant = await lockForChange(tx, input.gkScopeId, now);
    if (tenant.state === 'PENDING_DELETION') {
      throw new AppError('INVALID_REQUEST', 'the tenant is marked for deletion: unmark it first', {
        fields: [
          {
            field: 'scope_state',
            violation: 'FIELD_CONFLICT',
            ...say('TENANT_PENDING_DELETION'),
          },
        ],
      });
    }
    if (tenant.state === state) return;
    await tx.update({
      ...tenant,
      state,
      modifiedAtMs: now,
      ...(state === 'ACTIVE' ? { activatedAtMs: tenant.activatedAtMs ?? now } : {}),
    });
    await auditTenant(tx, call, 'SetScopeState', input.gkScopeId, { from: tenant.state, to: state });
  });
}

function stateFault(state: TenantState | undefined): FieldFault | undefined {
  if (state === undefined) return missingField('scope_state');
  if (state === 'INITIALIZED' || state === 'ACTIVE') return undefined;
  return {
    field: 'scope_state',
    violation: 'OUT_OF_RANGE',
    ...say('NOT_A_TENANT_STATE'),
    value: state,
  };
}
