// CreateScope: a new tenant, ready for content at once.
import { idFault, missingField, refuseFaults } from '../errors.js';
import type { Call } from '../platform.js';
import { requireAdministrator } from './access.js';
import { auditTenant } from './audit-entry.js';
import type { TenantsDeps } from './deps.js';
import type { Tenant, TenantDetails, TenantProfile } from './model.js';
import { checkDetails, checkExpectedPersons } from './validate.js';

interface CreateTenantInput {
  scopeId: string;
  profile: TenantProfile | undefined;
  expectedPersonsNumber: number;
  details?: Partial<TenantDetails>;
}

export async function createTenant(
  deps: TenantsDeps,
  call: Call,
  input: CreateTenantInput,
): Promise<{ gkScopeId: string }> {
  requireAdministrator(call);
  const details = input.details ?? {};
  const { profile } = input;
  const faults = [
    idFault('scope_id', input.scopeId),
    profile === undefined ? missingField('scope_profile') : undefined,
    ...checkExpectedPersons(input.expectedPersonsNumber, 'expected_persons_number'),
    ...checkDetails(details),
  ];
  refuseFaults(faults);
  const now = deps.clock.now();
  const tenant: Tenant = {
    gkScopeId: deps.ids.uuid(),
    scopeId: input.scopeId,
    state: 'INITIALIZED',
    profile: profile as TenantProfile,
    expectedPersonsNumber: input.expectedPersonsNumber,
    customerName: details.customerName ?? '',
    description: details.description ?? '',
    isBillable: details.isBillable ?? false,
    type: details.type ?? 'UNSPECIFIED',
    ...(details.goLiveAtMs === undefined ? {} : { goLiveAtMs: details.goLiveAtMs }),
    createdAtMs: now,
    modifiedAtMs: now,
  };
  await deps.store.transaction(async (tx) => {
    await tx.insert(tenant);
    await auditTenant(tx, call, 'CreateScope', tenant.gkScopeId, { scopeId: tenant.scopeId, profile });
  });
  return { gkScopeId: tenant.gkScopeId };
}
