// Who may see and who may change tenants.
import { AppError, missingField, notFound, refuseFaults, requireTenant, type FieldFault } from '../errors.js';
import { isAdministrator, type Call } from '../platform.js';
import { isUsable, type Tenant } from './model.js';
import type { TenantsReader, TenantsTransaction } from './ports.js';
import { say } from '../words/server/say.js';

export function requireAdministrator(call: Call): void {
  if (!isAdministrator(call.caller)) throw new AppError('PERMISSION_DENIED', say('TENANTS_BY_ADMINISTRATOR'));
}

export function idFaults(gkScopeId: string): FieldFault[] {
  return gkScopeId === '' ? [missingField('gk_scope_id')] : [];
}

export function requireId(gkScopeId: string): void {
  refuseFaults(idFaults(gkScopeId));
}

/** A tenant that the caller may see. Foreign and missing ones give callers with limited rights one answer. */
export async function findVisible(
  reader: TenantsReader,
  call: Call,
  gkScopeId: string,
  nowMs: number,
): Promise<Tenant> {
  requireId(gkScopeId);
  requireTenant(call.caller, gkScopeId, 'gk_scope_id');
  return usable(await reader.find(gkScopeId), nowMs);
}

/** A tenant that is about to be changed, locked until the transaction ends. */
export async function lockForChange(
  tx: TenantsTransaction,
  gkScopeId: string,
  nowMs: number,
): Promise<Tenant> {
  requireId(gkScopeId);
  return usable(await tx.lock(gkScopeId), nowMs);
}

function usable(tenant: Tenant | undefined, nowMs: number): Tenant {
  if (!tenant || !isUsable(tenant, nowMs)) throw notFound('tenant', 'gk_scope_id');
  return tenant;
}
