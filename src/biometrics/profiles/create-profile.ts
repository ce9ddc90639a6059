// CreateVoiceprintProfile: an empty print for an owner, under a tag. Who has opted out gets none.
import { AppError } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openSessionContext, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Party } from '../model/entities.js';
import { Faults } from '../call/limits.js';
import type { CustomData } from '../model/outcome.js';
import { findOwner, ownerFaults, type OwnerAndTag } from './owner.js';
import { unlocked } from '../rules/profile-changes.js';

export interface CreateProfileInput {
  context: RequestContext;
  owner?: OwnerAndTag;
  customData?: CustomData;
}

export async function createVoiceprintProfile(
  deps: BiometricsDeps,
  call: Call,
  input: CreateProfileInput,
): Promise<string> {
  const faults = new Faults()
    .customData('details.custom_data', input.customData)
    .id('owner.tag', input.owner?.tag);
  for (const fault of ownerFaults(input.owner, 'owner')) faults.add(fault);
  faults.throwIfAny();
  const { gkScopeId, engagement, session } = await openSessionContext(deps, call, input.context);
  const owner = await findOwner(deps, gkScopeId, input.owner, 'owner');
  refuseOptedOut(owner);
  const gkVoiceprintProfileId = deps.ids.uuid();
  const now = deps.clock.now();
  await deps.store.transaction(async (tx) => {
    await tx.profiles.insert({
      gkVoiceprintProfileId,
      gkScopeId,
      gkOwnerId: owner.gkId,
      ownerType: owner.kind,
      tag: input.owner?.tag ?? '',
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
      detail: { ownerType: owner.kind, tag: input.owner?.tag ?? '' },
    });
  });
  return gkVoiceprintProfileId;
}

/** Also asked by Enroll: consent may have been withdrawn since the print was made. */
export function refuseOptedOut(owner: Party): void {
  if (owner.consent?.status !== 'OPTED_OUT') return;
  throw new AppError(
    'PERMISSION_DENIED',
    'this person has opted out of voice biometrics: opt the person in first',
    {
      diagnostics: [{ code: 'PERSON_OPTED_OUT' }],
    },
  );
}
