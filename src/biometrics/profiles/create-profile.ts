// CreateVoiceprintProfile: an empty print for an owner, under a tag. People who have opted out get none.
import { AppError, invalidFields } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import {
  openSessionContext,
  rememberedParameters,
  type RequestContext,
  type SessionContext,
} from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Party } from '../model/entities.js';
import { Faults } from '../call/limits.js';
import type { CustomData } from '../model/outcome.js';
import { insertParty } from '../entities/create-party.js';
import { idField } from '../entities/party-rules.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { lookUpOwner, noSuchOwner, ownerFaults, type OwnerAndTag } from './owner.js';
import { unlocked } from '../rules/profile-changes.js';
import { say } from '../../words/server/say.js';

interface CreateProfileInput {
  context: RequestContext;
  owner?: OwnerAndTag;
  customData?: CustomData;
}

/** Also creates the person if nobody is known under that ID yet, as a caller's first enrollment needs. */
export async function createVoiceprintProfile(
  deps: BiometricsDeps,
  call: Call,
  input: CreateProfileInput,
): Promise<string> {
  const { owner } = input;
  const faults = new Faults().customData('details.custom_data', input.customData);
  if (owner) faults.id('owner.tag', owner.tag);
  const wrongOwner = ownerFaults(owner, 'owner');
  for (const fault of wrongOwner) faults.add(fault);
  if (owner?.externalId && wrongOwner.length === 0)
    faults.id(`owner.${idField(owner.kind)}`, owner.externalId);
  const opened = await openSessionContext(deps, call, input.context, faults.found);
  const parameters = opened.configset ? opened.parameters : await rememberedParameters(deps, opened.session);
  const mayMakePerson = parameters.enrollment.createMissingPersons;
  const create = () =>
    deps.store.transaction(async (tx) => {
      const party = await ownerOf(tx, { deps, call, opened }, owner, mayMakePerson);
      refuseOptedOut(party);
      return insertProfile(tx, { deps, call, opened }, party, input);
    });
  const isNew = owner && !(await lookUpOwner(deps.store.read, opened.gkScopeId, owner));
  if (!isNew) return create();
  // Somebody else may create the same person at the same moment; then it exists at the second try.
  return create().catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'ALREADY_EXISTS') return create();
    throw error;
  });
}

interface Opened {
  deps: BiometricsDeps;
  call: Call;
  opened: SessionContext;
}

async function ownerOf(
  tx: BiometricsTransaction,
  { deps, call, opened }: Opened,
  owner: OwnerAndTag | undefined,
  mayMakePerson: boolean,
): Promise<Party> {
  if (!owner) throw invalidFields(ownerFaults(owner, 'owner'));
  const known = await lookUpOwner(tx, opened.gkScopeId, owner);
  if (known) return known;
  const { externalId } = owner;
  if (owner.kind !== 'PERSON' || owner.gkId || !externalId || !mayMakePerson)
    throw noSuchOwner(owner, 'owner');
  return insertParty(tx, { deps, call, opened }, { kind: 'PERSON', externalId });
}

/** Inside the caller's transaction; the owner exists. */
export async function insertProfile(
  tx: BiometricsTransaction,
  { deps, call, opened: { gkScopeId, engagement, session } }: Opened,
  owner: Party,
  input: CreateProfileInput,
): Promise<string> {
  const gkVoiceprintProfileId = deps.ids.uuid();
  const now = deps.clock.now();
  const tag = input.owner?.tag ?? '';
  await tx.profiles.insert({
    gkVoiceprintProfileId,
    gkScopeId,
    gkOwnerId: owner.gkId,
    ownerType: owner.kind,
    tag,
    status: 'NOT_TRAINED',
    version: 0,
    lock: unlocked,
    nearTermAdaptation: false,
    customData: input.customData ?? {},
    createdAtMs: now,
    modifiedAtMs: now,
  });
  await audit(tx, call, {
    type: 'VOICEPRINT_EVENT',
    operation: 'CreateVoiceprintProfile',
    gkScopeId,
    gkEngagementId: engagement.gkEngagementId,
    gkSessionId: session.gkSessionId,
    subjects: [gkVoiceprintProfileId, owner.gkId],
    detail: { ownerType: owner.kind, tag },
  });
  return gkVoiceprintProfileId;
}

/** Also used by Enroll: consent may have been withdrawn since the print was made. */
export function refuseOptedOut(owner: Party): void {
  if (owner.consent?.status !== 'OPTED_OUT') return;
  throw new AppError('PERMISSION_DENIED', say('OPTED_OUT'), {
    diagnostics: [{ code: 'PERSON_OPTED_OUT' }],
  });
}
