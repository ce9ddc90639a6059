// CreateScope: a new tenant partition, ready for content at once.
import { invalidFields, missingField } from '../errors.js';
import type { Call } from '../platform.js';
import { requireAdministrator } from './access.js';
import { auditScope } from './audit-entry.js';
import type { ScopesDeps } from './deps.js';
import type { Scope, ScopeDetails, ScopeProfile } from './model.js';
import { checkDetails, checkExpectedPersons, checkScopeId } from './validate.js';

export interface CreateScopeInput {
  scopeId: string;
  profile: ScopeProfile | undefined;
  expectedPersonsNumber: number;
  details?: Partial<ScopeDetails>;
}

export async function createScope(
  deps: ScopesDeps,
  call: Call,
  input: CreateScopeInput,
): Promise<{ gkScopeId: string }> {
  requireAdministrator(call);
  const details = input.details ?? {};
  const { profile } = input;
  const faults = [
    ...checkScopeId(input.scopeId, 'scope_id'),
    ...(profile === undefined ? [missingField('scope_profile')] : []),
    ...checkExpectedPersons(input.expectedPersonsNumber, 'expected_persons_number'),
    ...checkDetails(details),
  ];
  if (faults.length > 0 || profile === undefined) throw invalidFields(faults);
  const now = deps.clock.now();
  const scope: Scope = {
    gkScopeId: deps.ids.uuid(),
    scopeId: input.scopeId,
    state: 'INITIALIZED',
    profile,
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
    await tx.insert(scope);
    await auditScope(tx, call, 'CreateScope', scope.gkScopeId, { scopeId: scope.scopeId, profile });
  });
  return { gkScopeId: scope.gkScopeId };
}
