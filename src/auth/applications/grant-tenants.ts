// The tenants (gk_scope_id) that tokens of an environment may reach. Administrators decide; a withdrawn
// tenant is out of reach within seconds, even for tokens that still name it.
import { AppError, notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { identifierFault } from '../fields.js';
import type { Environment } from '../model.js';
import { requireAdministrator } from '../permissions.js';
import type { AuditAct } from '../../words/audit/english.js';

const TENANTS_MAX = 256;

interface TenantInput {
  appId: string;
  gkScopeId: string;
}

export async function grantTenant(deps: AuthDeps, call: Call, input: TenantInput): Promise<Environment> {
  return changeTenants(deps, call, input, 'environment.grant-tenant', (tenants) => [
    ...new Set([...tenants, input.gkScopeId]),
  ]);
}

export async function withdrawTenant(deps: AuthDeps, call: Call, input: TenantInput): Promise<Environment> {
  return changeTenants(deps, call, input, 'environment.withdraw-tenant', (tenants) =>
    tenants.filter((tenant) => tenant !== input.gkScopeId),
  );
}

async function changeTenants(
  deps: AuthDeps,
  call: Call,
  { appId, gkScopeId }: TenantInput,
  action: AuditAct,
  change: (tenants: readonly string[]) => string[],
): Promise<Environment> {
  requireAdministrator(call);
  refuseFaults([identifierFault('gk_scope_id', gkScopeId)]);
  return commit(deps, call, async ({ tx, nowMs, audit, announce }) => {
    const before = await tx.environments.lock(appId);
    if (!before) throw notFound('environment', 'app_id');
    const tenants = change(before.tenants);
    if (tenants.length > TENANTS_MAX)
      throw new AppError('TOO_LARGE', `an environment can have at most ${TENANTS_MAX} tenants`);
    const environment = { ...before, tenants, updatedAtMs: nowMs };
    await tx.environments.update(environment);
    await announce('app', appId, 'refresh');
    await audit(action, { type: 'environment', id: appId }, { gkScopeId }, [gkScopeId]);
    return environment;
  });
}
