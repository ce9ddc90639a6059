// Reads of persons and fraudsters: details, the internal ID behind an own one, their prints.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Profile } from '../model/profiles.js';
import { gkIdField, idField, partyOrThrow } from './party-rules.js';
import type { Party, PartyKind } from '../model/entities.js';

export interface PartyView {
  party: Party;
  /** Mean over the owner's trained prints. */
  voiceClassScoreAverage?: number;
}

export async function getParty(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; kind: PartyKind; gkId: string },
): Promise<PartyView> {
  const { party, prints } = await partyWithPrints(deps, call, input);
  const scores = prints.flatMap((print) => print.trained?.voiceClassScore ?? []);
  return {
    party,
    ...(scores.length > 0 && {
      voiceClassScoreAverage: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    }),
  };
}

export async function listPartyProfiles(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; kind: PartyKind; gkId: string },
): Promise<Profile[]> {
  return (await partyWithPrints(deps, call, input)).prints;
}

export async function getGkPartyId(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; kind: PartyKind; externalId: string },
): Promise<string> {
  const faults = new Faults().required(idField(input.kind), input.externalId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const party = await deps.store.read.parties.findByExternalId(gkScopeId, input.kind, input.externalId);
  if (!party) throw notFound(input.kind.toLowerCase(), idField(input.kind));
  return party.gkId;
}

async function partyWithPrints(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; kind: PartyKind; gkId: string },
): Promise<{ party: Party; prints: Profile[] }> {
  const faults = new Faults().required(gkIdField(input.kind), input.gkId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const party = await partyOrThrow(deps.store.read.parties, gkScopeId, input.kind, input.gkId);
  return { party, prints: await deps.store.read.profiles.listByOwner(gkScopeId, input.gkId) };
}
