// UpdateScopeDetails: changes exactly the members that the field mask names. A named member without a value
// goes back to its default, as field masks have it.
import { missingField, refuseFaults } from '../errors.js';
import type { Call } from '../platform.js';
import { idFaults, lockForChange, requireAdministrator } from './access.js';
import { auditTenant } from './audit-entry.js';
import type { TenantsDeps } from './deps.js';
import type { Tenant, TenantDetails } from './model.js';
import { checkDetails, checkExpectedPersons } from './validate.js';
import { say } from '../words/server/say.js';

interface TenantChanges extends Partial<TenantDetails> {
  expectedPersonsNumber?: number;
}

interface UpdateTenantInput {
  gkScopeId: string;
  details: TenantChanges | undefined;
  /** Member names in proto spelling, without a leading `details.`; `*` stands for all. */
  mask: readonly string[];
}

/** What each name of the mask changes. */
const members: Record<string, (tenant: Tenant, details: TenantChanges) => Tenant> = {
  customer_name: (tenant, details) => ({ ...tenant, customerName: details.customerName ?? '' }),
  description: (tenant, details) => ({ ...tenant, description: details.description ?? '' }),
  is_billable: (tenant, details) => ({ ...tenant, isBillable: details.isBillable ?? false }),
  scope_type: (tenant, details) => ({ ...tenant, type: details.type ?? 'UNSPECIFIED' }),
  go_live_timestamp: ({ goLiveAtMs: _, ...tenant }, details) => ({
    ...tenant,
    ...(details.goLiveAtMs === undefined ? {} : { goLiveAtMs: details.goLiveAtMs }),
  }),
  expected_persons_number: (tenant, details) => ({
    ...tenant,
    expectedPersonsNumber: details.expectedPersonsNumber ?? tenant.expectedPersonsNumber,
  }),
};

export async function updateTenantDetails(
  deps: TenantsDeps,
  call: Call,
  input: UpdateTenantInput,
): Promise<void> {
  requireAdministrator(call);
  const names = input.mask.includes('*') ? Object.keys(members) : input.mask;
  const faults = idFaults(input.gkScopeId);
  if (!input.details) faults.push(missingField('details'));
  if (names.length === 0) faults.push(missingField('field_mask'));
  for (const name of names) {
    if (Object.hasOwn(members, name)) continue;
    faults.push({
      field: 'field_mask',
      violation: 'INVALID_FORMAT',
      ...say('FIXED_FIELD'),
      value: name,
    });
  }
  const details = input.details ?? {};
  faults.push(...checkDetails(details));
  if (details.expectedPersonsNumber !== undefined) {
    faults.push(...checkExpectedPersons(details.expectedPersonsNumber, 'details.expected_persons_number'));
  }
  refuseFaults(faults);
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const before = await lockForChange(tx, input.gkScopeId, now);
    const after = names.reduce((tenant, name) => members[name]?.(tenant, details) ?? tenant, before);
    await tx.update({ ...after, modifiedAtMs: now });
    await auditTenant(tx, call, 'UpdateScopeDetails', input.gkScopeId, { changed: [...names] });
  });
}
