// CreatePerson, CreateFraudster: a person or fraudster under the caller's own ID.
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openSessionContext, type RequestContext, type SessionContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { checkPartyDetails, idField, newParty, partyEvent } from './party-rules.js';
import type { Party, PartyDetails, PartyKind } from '../model/entities.js';
import type { BiometricsTransaction } from '../ports/store.js';

interface CreatePartyInput {
  context: RequestContext;
  kind: PartyKind;
  externalId: string;
  details: Partial<PartyDetails>;
}

export async function createParty(
  deps: BiometricsDeps,
  call: Call,
  input: CreatePartyInput,
): Promise<string> {
  const faults = checkPartyDetails(input.details).id(idField(input.kind), input.externalId);
  const opened = await openSessionContext(deps, call, input.context, faults.found);
  const party = await deps.store.transaction((tx) => insertParty(tx, { deps, call, opened }, input));
  return party.gkId;
}

interface Opened {
  deps: BiometricsDeps;
  call: Call;
  opened: SessionContext;
}

/** Inside the caller's transaction. */
export async function insertParty(
  tx: BiometricsTransaction,
  { deps, call, opened: { gkScopeId, engagement, session } }: Opened,
  {
    kind,
    externalId,
    details = {},
  }: Pick<CreatePartyInput, 'kind' | 'externalId'> & Partial<CreatePartyInput>,
): Promise<Party> {
  const ids = { gkId: deps.ids.uuid(), gkScopeId, externalId, nowMs: deps.clock.now() };
  const party = newParty(kind, ids, details);
  await tx.parties.insert(party);
  await audit(tx, call, {
    type: partyEvent(kind),
    operation: kind === 'PERSON' ? 'CreatePerson' : 'CreateFraudster',
    gkScopeId,
    gkEngagementId: engagement.gkEngagementId,
    gkSessionId: session.gkSessionId,
    subjects: [party.gkId],
    personal: { externalId },
  });
  return party;
}
