// Manual changes of a print: custom data, lock and unlock, removal of a segment, of the template, or of the whole print.
import { AppError, changedMeanwhile, notFound, type FieldFault } from '../../errors.js';
import { type AuditDetail, auditDetail } from '../../audit/model.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openSessionContext, type RequestContext } from '../call/context.js';
import { eraseWhatPrintKept } from '../call/data-subjects.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { Faults } from '../call/limits.js';
import type { CustomData } from '../model/outcome.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { Profile, ProfileLock } from '../model/profiles.js';
import { lockedByHand, unlocked, untrained } from '../rules/profile-changes.js';
import { referenceFaults, resolveProfile, type ProfileReference } from './read-profile.js';
import type { AuditAct } from '../../words/audit/english.js';

interface ById {
  context: RequestContext;
  gkVoiceprintProfileId: string;
}

export async function updateVoiceprintProfile(
  deps: BiometricsDeps,
  call: Call,
  input: ProfileReference & { context: RequestContext; customData?: CustomData },
): Promise<void> {
  await change(deps, call, input, {
    operation: 'UpdateVoiceprintProfileDetails',
    faults: [
      ...new Faults().customData('details.custom_data', input.customData).found,
      ...referenceFaults(input),
    ],
    edit: (tx, profile, now) =>
      tx.profiles.update({
        ...profile,
        ...(input.customData && { customData: input.customData }),
        modifiedAtMs: now,
      }),
  });
}

/** What the caller has read of a manual lock; absent if there was none. */
export type SeenLock = Pick<ProfileLock, 'lockedAtMs' | 'text'>;

interface ChangeOfLock extends ById {
  /** Not compared if absent. */
  expected?: { lock?: SeenLock };
}

export async function lockVoiceprintProfile(
  deps: BiometricsDeps,
  call: Call,
  input: ChangeOfLock & { reason: string },
): Promise<void> {
  await change(deps, call, input, {
    operation: 'LockVoiceprintProfile',
    faults: byIdFaults(input).text('reason', input.reason).found,
    freeText: { reason: input.reason },
    edit: (tx, profile, now) => {
      refuseOtherLock(profile, input);
      return tx.profiles.update(lockedByHand(profile, call.caller.subject, input.reason, now));
    },
  });
}

export async function unlockVoiceprintProfile(
  deps: BiometricsDeps,
  call: Call,
  input: ChangeOfLock,
): Promise<void> {
  await change(deps, call, input, {
    operation: 'UnlockVoiceprintProfile',
    faults: byIdFaults(input).found,
    edit: (tx, profile, now) => {
      refuseOtherLock(profile, input);
      return tx.profiles.update({ ...profile, lock: unlocked, modifiedAtMs: now });
    },
  });
}

/**
 * Locking again keeps the time and changes the reason. A lock that ends by itself is not anybody's decision.
 */
function refuseOtherLock({ lock }: Profile, { expected }: ChangeOfLock): void {
  if (!expected) return;
  const isByHand = lock.locked && lock.autoUnlockAtMs === undefined;
  const markOf = (seen: SeenLock | undefined) => seen && `${seen.lockedAtMs ?? ''} ${seen.text}`;
  if (markOf(isByHand ? lock : undefined) !== markOf(expected.lock)) throw changedMeanwhile(['lock']);
}

export async function deleteVoiceprintTemplate(deps: BiometricsDeps, call: Call, input: ById): Promise<void> {
  await change(deps, call, input, {
    operation: 'DeleteVoiceprintTemplate',
    faults: byIdFaults(input).found,
    edit: async (tx, profile, now) => {
      await tx.profiles.update(untrained(profile, now));
      for (const segment of await tx.enrollment.list(profile.gkVoiceprintProfileId))
        await tx.enrollment.update({ ...segment, usedForTrain: false });
    },
  });
}

export async function deleteVoiceprintProfile(
  deps: BiometricsDeps,
  call: Call,
  input: ById & { reason: string },
): Promise<void> {
  await change(deps, call, input, {
    operation: 'DeleteVoiceprintProfile',
    faults: byIdFaults(input).text('reason', input.reason).found,
    freeText: { reason: input.reason },
    edit: async (tx, profile) => {
      await eraseWhatPrintKept(deps, tx, profile);
      await tx.profiles.delete(profile.gkScopeId, profile.gkVoiceprintProfileId);
    },
  });
}

export async function removeEnrollmentSegment(
  deps: BiometricsDeps,
  call: Call,
  input: ById & { gkProcessedAudioId: string },
): Promise<void> {
  const { gkProcessedAudioId } = input;
  await change(deps, call, input, {
    operation: 'RemoveEnrollmentSegment',
    faults: byIdFaults(input).required('gk_processed_audio_id', gkProcessedAudioId).found,
    detail: auditDetail({ gkProcessedAudioId }),
    edit: async (tx, profile) => {
      await eraseWhatPrintKept(deps, tx, profile);
      // The template stays until the next training: removing a segment by mistake must not lock the person out.
      const removed = await tx.enrollment.remove(profile.gkVoiceprintProfileId, gkProcessedAudioId);
      if (!removed) throw notFound('enrollment segment', 'gk_processed_audio_id');
    },
  });
}

/** For operations that take no owner and tag instead. */
const byIdFaults = ({ gkVoiceprintProfileId }: ById): Faults =>
  new Faults().required('gk_voiceprint_profile_id', gkVoiceprintProfileId);

interface ProfileChange {
  operation: AuditAct;
  faults: readonly FieldFault[];
  /** For the audit trail; free text is sealed there. */
  detail?: AuditDetail;
  freeText?: { reason: string };
  edit(tx: BiometricsTransaction, profile: Profile, nowMs: number): Promise<void>;
}

async function change(
  deps: BiometricsDeps,
  call: Call,
  input: ProfileReference & { context: RequestContext },
  { operation, faults, detail, freeText, edit }: ProfileChange,
): Promise<void> {
  const { gkScopeId, engagement, session } = await openSessionContext(deps, call, input.context, faults);
  const { gkVoiceprintProfileId } = await resolveProfile(deps, gkScopeId, input);
  await deps.store.transaction(async (tx) => {
    const profile = await tx.profiles.find(gkScopeId, gkVoiceprintProfileId);
    if (!profile) throw new AppError('NOT_FOUND', 'the voiceprint profile no longer exists');
    await edit(tx, profile, deps.clock.now());
    await audit(tx, call, {
      type: 'VOICEPRINT_EVENT',
      operation,
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      subjects: [gkVoiceprintProfileId, profile.gkOwnerId],
      ...(detail && { detail }),
      ...(freeText?.reason && { personal: freeText }),
    });
  });
}
