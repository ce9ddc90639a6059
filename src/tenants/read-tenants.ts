// GetGkScopeId, GetScopeDetails and ListScopes: callers see the tenants that they were granted. ListTenantDeletions is for
// administrators.
import { AppError, invalidFields, missingField, notFound } from '../errors.js';
import { DAY_MS, mayReach, type Call } from '../platform.js';
import { findVisible, requireAdministrator } from './access.js';
import type { TenantsDeps } from './deps.js';
import { isUsable, type Tenant } from './model.js';

const LIST_MAX = 1000;

export async function getGkScopeId(
  deps: TenantsDeps,
  call: Call,
  input: { scopeId: string },
): Promise<{ gkScopeId: string }> {
  if (input.scopeId === '') throw invalidFields([missingField('scope_id')]);
  const tenant = await deps.store.read.findByChosenId(input.scopeId);
  if (!tenant || !isUsable(tenant, deps.clock.now()) || !mayReach(call.caller, tenant.gkScopeId))
    throw notFound('tenant', 'scope_id');
  return { gkScopeId: tenant.gkScopeId };
}

export function getTenantDetails(
  deps: TenantsDeps,
  call: Call,
  input: { gkScopeId: string },
): Promise<Tenant> {
  return findVisible(deps.store.read, call, input.gkScopeId, deps.clock.now());
}

export async function listTenants(deps: TenantsDeps, call: Call): Promise<Tenant[]> {
  const { tenants } = call.caller;
  const found = await deps.store.read.list({
    limit: LIST_MAX + 1,
    ...(tenants === 'all' ? {} : { gkScopeIds: tenants }),
  });
  if (found.length > LIST_MAX) throw new AppError('TOO_LARGE', `there are more than ${LIST_MAX} tenants`);
  const now = deps.clock.now();
  return found.filter((tenant) => isUsable(tenant, now));
}

interface TenantDeletion {
  gkScopeId: string;
  /** Of one that is marked. */
  deleteAfterMs?: number;
  /** Nothing waits for it: it was never active. */
  isImmediate: boolean;
}

/** When each tenant is deleted for good, or would be: the messages of the contract have no place for it. */
export async function listTenantDeletions(
  deps: TenantsDeps,
  call: Call,
): Promise<{ waitingDays: number; tenants: TenantDeletion[] }> {
  requireAdministrator(call);
  const tenants = await listTenants(deps, call);
  return {
    waitingDays: deps.deletionDelayMs / DAY_MS,
    tenants: tenants.map(({ gkScopeId, deleteAfterMs, activatedAtMs }) => ({
      gkScopeId,
      isImmediate: activatedAtMs === undefined,
      ...(deleteAfterMs !== undefined && { deleteAfterMs }),
    })),
  };
}
