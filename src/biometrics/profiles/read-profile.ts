// Reads of prints: the internal ID behind owner and tag, details, enrollment segments.
import { invalidFields, missingChoice, missingField, notFound, type FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { ProcessedAudio } from '../model/media.js';
import type { EnrollmentSegment, Profile } from '../model/profiles.js';
import { findOwner, lookUpOwner, ownerFaults, type OwnerAndTag } from './owner.js';
import { lockAt } from '../rules/profile-changes.js';
import { say } from '../../words/server/say.js';

export interface ProfileReference {
  gkVoiceprintProfileId?: string;
  owner?: OwnerAndTag;
}

/**
 * Undefined if the owner has no such print, or there is no such owner, by either ID: callers then create one
 * (docs/reference/voiceprint-contract.md#workflows).
 */
export async function getGkVoiceprintProfileId(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; owner?: OwnerAndTag },
): Promise<string | undefined> {
  const gkScopeId = await openTenant(deps, call, input.context, ownerFaults(input.owner, 'owner'));
  const owner = input.owner && (await lookUpOwner(deps.store.read, gkScopeId, input.owner));
  if (!owner) return undefined;
  return (await printOfOwner(deps, gkScopeId, owner.gkId, input.owner?.tag ?? '', 'owner.tag'))
    ?.gkVoiceprintProfileId;
}

export async function getVoiceprintProfile(
  deps: BiometricsDeps,
  call: Call,
  input: ProfileReference & { context: RequestContext },
): Promise<Profile> {
  const gkScopeId = await openTenant(deps, call, input.context, referenceFaults(input));
  const profile = await resolveProfile(deps, gkScopeId, input);
  return { ...profile, lock: lockAt(profile.lock, deps.clock.now()) };
}

export interface SegmentView {
  segment: EnrollmentSegment;
  /** Absent if its audio was deleted. */
  audio?: ProcessedAudio;
}

export async function listEnrollmentSegments(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; gkVoiceprintProfileId: string },
): Promise<SegmentView[]> {
  const faults = new Faults().required('gk_voiceprint_profile_id', input.gkVoiceprintProfileId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const profile = await resolveProfile(deps, gkScopeId, input);
  const segments = await deps.store.read.enrollment.list(profile.gkVoiceprintProfileId);
  const audios = await deps.store.read.processedAudios.findMany(
    gkScopeId,
    segments.map((segment) => segment.gkProcessedAudioId),
  );
  const byId = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio]));
  return segments.map((segment) => {
    const audio = byId.get(segment.gkProcessedAudioId);
    return { segment, ...(audio && { audio }) };
  });
}

/** Faults of a reference to one print; which members it may be named by depends on the operation. */
export function referenceFaults(reference: ProfileReference): FieldFault[] {
  if (reference.gkVoiceprintProfileId) return [];
  return reference.owner
    ? ownerFaults(reference.owner, 'owner_and_tag')
    : missingChoice(['gk_voiceprint_profile_id', 'owner_and_tag']);
}

export async function resolveProfile(
  deps: BiometricsDeps,
  gkScopeId: string,
  reference: ProfileReference,
): Promise<Profile> {
  if (reference.gkVoiceprintProfileId) {
    const profile = await deps.store.read.profiles.find(gkScopeId, reference.gkVoiceprintProfileId);
    if (!profile) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
    return profile;
  }
  if (!reference.owner) throw invalidFields([missingField('gk_voiceprint_profile_id')]);
  const owner = await findOwner(deps, gkScopeId, reference.owner, 'owner_and_tag');
  const profile = await printOfOwner(deps, gkScopeId, owner.gkId, reference.owner.tag, 'owner_and_tag.tag');
  if (!profile) throw notFound('voiceprint profile', 'owner_and_tag');
  return profile;
}

async function printOfOwner(
  deps: BiometricsDeps,
  gkScopeId: string,
  gkOwnerId: string,
  tag: string,
  field: string,
): Promise<Profile | undefined> {
  const prints = await deps.store.read.profiles.listByOwner(gkScopeId, gkOwnerId);
  if (tag) return prints.find((print) => print.tag === tag);
  if (prints.length > 1) {
    throw invalidFields([
      {
        field,
        violation: 'MANDATORY_FIELD_MISSING',
        ...say('OWNER_TAG_NEEDED'),
      },
    ]);
  }
  return prints[0];
}
