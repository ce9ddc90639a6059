// Who may see and who may change scopes.
import { AppError, invalidFields, missingField, notFound } from '../errors.js';
import type { Call } from '../platform.js';
import { isUsable, type Tenant } from './model.js';
import type { TenantsReader, TenantsTransaction } from './ports.js';

export function requireAdministrator(call: Call): void {
  if (call.caller.tenants !== 'all')
    throw new AppError('PERMISSION_DENIED', 'only an administrator may change scopes');
}

export function maySee(call: Call, gkScopeId: string): boolean {
  const { tenants } = call.caller;
  return tenants === 'all' || tenants.includes(gkScopeId);
}

export function requireId(gkScopeId: string): void {
  if (gkScopeId === '') throw invalidFields([missingField('gk_scope_id')]);
}

/** A scope that the caller may see. Foreign and missing scopes give callers with limited rights one answer. */
export async function findVisible(
  reader: TenantsReader,
  call: Call,
  gkScopeId: string,
  now: number,
): Promise<Tenant> {
  requireId(gkScopeId);
  if (!maySee(call, gkScopeId)) {
    throw new AppError('PERMISSION_DENIED', 'this client may not act in this scope', {
      fields: [{ field: 'gk_scope_id', violation: 'OTHER', message: 'is not granted to this client' }],
    });
  }
  return usable(await reader.find(gkScopeId), now);
}

/** A scope that is about to be changed, locked until the transaction ends. */
export async function lockForChange(tx: TenantsTransaction, gkScopeId: string, now: number): Promise<Tenant> {
  requireId(gkScopeId);
  return usable(await tx.lock(gkScopeId), now);
}

function usable(tenant: Tenant | undefined, now: number): Tenant {
  if (!tenant || !isUsable(tenant, now)) throw notFound('scope', 'gk_scope_id');
  return tenant;
}
