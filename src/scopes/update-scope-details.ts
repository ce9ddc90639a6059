// UpdateScopeDetails: changes exactly the members that the field mask names. A named member without a value
// goes back to its default, as field masks have it.
import { type FieldFault, invalidFields, missingField } from '../errors.js';
import type { Call } from '../platform.js';
import { lockForChange, requireAdministrator, requireId } from './access.js';
import { auditScope } from './audit-entry.js';
import type { ScopesDeps } from './deps.js';
import type { Scope, ScopeDetails } from './model.js';
import { checkDetails, checkExpectedPersons } from './validate.js';

export interface ScopeChanges extends Partial<ScopeDetails> {
  expectedPersonsNumber?: number;
}

export interface UpdateScopeInput {
  gkScopeId: string;
  details: ScopeChanges;
  /** Member names in proto spelling, without a leading `details.`; `*` stands for all. */
  mask: readonly string[];
}

/** What each name of the mask changes. */
const members: Record<string, (scope: Scope, details: ScopeChanges) => Scope> = {
  customer_name: (scope, details) => ({ ...scope, customerName: details.customerName ?? '' }),
  description: (scope, details) => ({ ...scope, description: details.description ?? '' }),
  is_billable: (scope, details) => ({ ...scope, isBillable: details.isBillable ?? false }),
  scope_type: (scope, details) => ({ ...scope, type: details.type ?? 'UNSPECIFIED' }),
  go_live_timestamp: ({ goLiveAtMs: _, ...scope }, details) => ({
    ...scope,
    ...(details.goLiveAtMs === undefined ? {} : { goLiveAtMs: details.goLiveAtMs }),
  }),
  expected_persons_number: (scope, details) => ({
    ...scope,
    expectedPersonsNumber: details.expectedPersonsNumber ?? scope.expectedPersonsNumber,
  }),
};

export async function updateScopeDetails(
  deps: ScopesDeps,
  call: Call,
  input: UpdateScopeInput,
): Promise<void> {
  requireAdministrator(call);
  requireId(input.gkScopeId);
  const names = input.mask.includes('*') ? Object.keys(members) : input.mask;
  const faults: FieldFault[] = [];
  if (names.length === 0) faults.push(missingField('field_mask'));
  for (const name of names) {
    if (Object.hasOwn(members, name)) continue;
    faults.push({
      field: 'field_mask',
      violation: 'INVALID_FORMAT',
      message: 'names no member that can be changed',
      value: name,
    });
  }
  faults.push(...checkDetails(input.details));
  if (input.details.expectedPersonsNumber !== undefined) {
    faults.push(
      ...checkExpectedPersons(input.details.expectedPersonsNumber, 'details.expected_persons_number'),
    );
  }
  if (faults.length > 0) throw invalidFields(faults);
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const before = await lockForChange(tx, input.gkScopeId, now);
    const after = names.reduce((scope, name) => members[name]?.(scope, input.details) ?? scope, before);
    await tx.update({ ...after, modifiedAtMs: now });
    await auditScope(tx, call, 'UpdateScopeDetails', input.gkScopeId, { changed: [...names] });
  });
}
