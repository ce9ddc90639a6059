// The tenant whose events are asked for: that the request names one, that the caller may act in it, and that it is there.
import { missingField, notFound, refuseFaults, requireTenant, type FieldFault } from '../errors.js';
import type { Call } from '../platform.js';

export interface TenantDeps {
  tenantExists(gkScopeId: string): Promise<boolean>;
}

/** Refuses what is wrong with the request as a whole, `faults` included, before it says anything of the tenant. */
export async function openTenant(
  deps: TenantDeps,
  call: Call,
  gkScopeId: string,
  faults: readonly (FieldFault | undefined)[] = [],
): Promise<void> {
  refuseFaults([gkScopeId === '' ? missingField('context.gk_scope_id') : undefined, ...faults]);
  requireTenant(call.caller, gkScopeId, 'context.gk_scope_id');
  if (!(await deps.tenantExists(gkScopeId))) throw notFound('tenant', 'context.gk_scope_id');
}
