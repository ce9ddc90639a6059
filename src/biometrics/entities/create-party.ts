// CreatePerson, CreateFraudster: a person or fraudster under the caller's own ID.
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openSessionContext, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { checkPartyDetails, idField, newParty, partyEvent } from './party-rules.js';
import type { PartyDetails, PartyKind } from '../model/entities.js';

export interface CreatePartyInput {
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
  const { gkScopeId, engagement, session } = await openSessionContext(
    deps,
    call,
    input.context,
    faults.found,
  );
  const gkId = deps.ids.uuid();
  const now = deps.clock.now();
  await deps.store.transaction(async (tx) => {
    const { kind, externalId, details } = input;
    await tx.parties.insert(newParty(kind, { gkId, gkScopeId, externalId, now }, details));
    await audit(tx, call, {
      type: partyEvent(input.kind),
      operation: input.kind === 'PERSON' ? 'CreatePerson' : 'CreateFraudster',
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      subjects: [gkId],
      personal: { externalId: input.externalId },
    });
  });
  return gkId;
}
