// Renames, updates and deletes persons and fraudsters. Deleting also removes the prints; audio and history are subject to the
// retention settings.
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openSessionContext, type RequestContext } from '../call/context.js';
import { eraseWhatPrintKept } from '../call/data-subjects.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { Faults } from '../call/limits.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { checkPartyDetails, gkIdField, idField, nameOf, partyEvent, partyOrThrow } from './party-rules.js';
import type { PartyDetails, PartyKind } from '../model/entities.js';

interface PartyReference {
  context: RequestContext;
  kind: PartyKind;
  gkId: string;
}

export async function renameParty(
  deps: BiometricsDeps,
  call: Call,
  input: PartyReference & { newExternalId: string },
): Promise<void> {
  const faults = new Faults()
    .required(gkIdField(input.kind), input.gkId)
    .id(`new_${idField(input.kind)}`, input.newExternalId);
  const { gkScopeId, engagement, session } = await openSessionContext(
    deps,
    call,
    input.context,
    faults.found,
  );
  await deps.store.transaction(async (tx) => {
    const party = await partyOrThrow(tx.parties, gkScopeId, input.kind, input.gkId);
    await tx.parties.update({ ...party, externalId: input.newExternalId, modifiedAtMs: deps.clock.now() });
    await audit(tx, call, {
      type: partyEvent(input.kind),
      operation: `Rename${nameOf(input.kind)}`,
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      subjects: [input.gkId],
      personal: { from: party.externalId, to: input.newExternalId },
    });
  });
}

export async function updateParty(
  deps: BiometricsDeps,
  call: Call,
  input: PartyReference & { details: Partial<PartyDetails> },
): Promise<void> {
  const faults = checkPartyDetails(input.details).required(gkIdField(input.kind), input.gkId);
  const { gkScopeId, engagement, session } = await openSessionContext(
    deps,
    call,
    input.context,
    faults.found,
  );
  await deps.store.transaction(async (tx) => {
    const party = await partyOrThrow(tx.parties, gkScopeId, input.kind, input.gkId);
    await tx.parties.update({
      ...party,
      details: { ...party.details, ...input.details },
      modifiedAtMs: deps.clock.now(),
    });
    await audit(tx, call, {
      type: partyEvent(input.kind),
      operation: `Update${nameOf(input.kind)}`,
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      subjects: [input.gkId],
      detail: { changed: Object.keys(input.details) },
    });
  });
}

export async function deleteParty(deps: BiometricsDeps, call: Call, input: PartyReference): Promise<void> {
  const faults = new Faults().required(gkIdField(input.kind), input.gkId);
  const { gkScopeId, engagement, session } = await openSessionContext(
    deps,
    call,
    input.context,
    faults.found,
  );
  await deps.store.transaction(async (tx) => {
    const { externalId } = await partyOrThrow(tx.parties, gkScopeId, input.kind, input.gkId);
    for (const print of await tx.profiles.listByOwner(gkScopeId, input.gkId))
      await eraseWhatPrintKept(deps, tx, print);
    const { prints } = await deletePrintsOf(tx, gkScopeId, input.gkId);
    await tx.parties.delete(gkScopeId, input.kind, input.gkId);
    await audit(tx, call, {
      type: partyEvent(input.kind),
      operation: `Delete${nameOf(input.kind)}`,
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      subjects: [input.gkId, ...prints],
      detail: { deletedPrints: prints.length },
      // A later erasure looks for the name in lines of batches.
      personal: { externalId },
    });
  });
}

/** Returns the IDs of the deleted prints, and how many processed audios of calls were deleted with them. */
export async function deletePrintsOf(
  tx: BiometricsTransaction,
  gkScopeId: string,
  gkOwnerId: string,
): Promise<{ prints: string[]; audios: number }> {
  const prints = await tx.profiles.listByOwner(gkScopeId, gkOwnerId);
  let audios = 0;
  for (const print of prints) audios += await tx.profiles.delete(gkScopeId, print.gkVoiceprintProfileId);
  return { prints: prints.map((print) => print.gkVoiceprintProfileId), audios };
}
