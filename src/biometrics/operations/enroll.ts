// Enroll: adds processed audio to the enrollment segments of a print. One transaction that holds the print's
// row, so that two calls at once neither lose a segment nor pass the maximum. What cannot be added is no
// error: the reason says why.
import { invalidFields, missingField, notFound, type FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openFullContext, type FullContext, type RequestContext } from '../call/context.js';
import type { ProcessedAudio } from '../model/media.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { refuseOptedOut } from '../profiles/create-profile.js';
import type { EnrollmentSegment, Profile } from '../model/profiles.js';
import type { OperationDeps } from './deps.js';
import { enrollStatus, type EnrollReason, type EnrollStatus } from '../rules/enrollment-status.js';

export interface EnrollInput {
  context: RequestContext;
  gkVoiceprintProfileId: string;
  gkProcessedAudioId: string;
}

export interface EnrollResult {
  profile: Profile;
  status: EnrollStatus;
  enrolled: boolean;
  /** Absent only when a full print refused the segment. */
  reason?: EnrollReason;
  audio: ProcessedAudio;
}

export async function enroll(deps: OperationDeps, call: Call, input: EnrollInput): Promise<EnrollResult> {
  const faults: FieldFault[] = [];
  if (!input.gkVoiceprintProfileId) faults.push(missingField('gk_voiceprint_profile_id'));
  if (!input.gkProcessedAudioId) faults.push(missingField('gk_processed_audio_id'));
  if (faults.length > 0) throw invalidFields(faults);
  const context = await openFullContext(deps, call, input.context);
  return deps.store.transaction(async (tx) => {
    const profile = await tx.profiles.find(context.gkScopeId, input.gkVoiceprintProfileId);
    if (!profile) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
    const audio = await tx.processedAudios.find(context.gkScopeId, input.gkProcessedAudioId);
    if (!audio) throw notFound('processed audio', 'gk_processed_audio_id');
    const owner = await tx.parties.find(context.gkScopeId, profile.ownerType, profile.gkOwnerId);
    if (owner) refuseOptedOut(owner);

    const segments = await tx.enrollment.list(profile.gkVoiceprintProfileId);
    const before = await statusOf(tx, context, segments);
    const refused = admit(audio, segments, context, deps.engine.model.revision);
    if (refused || before === 'FULL') {
      // A full print has no reason of its own (docs/reference/errors-and-reasons.md#enroll-reasons): the status
      // says it.
      return { profile, audio, enrolled: false, status: before, ...(refused && { reason: refused }) };
    }
    const now = deps.clock.now();
    const segment: EnrollmentSegment = {
      gkVoiceprintProfileId: profile.gkVoiceprintProfileId,
      gkProcessedAudioId: audio.gkProcessedAudioId,
      gkMediaSegmentId: audio.gkMediaSegmentId,
      gkEngagementId: context.engagement.gkEngagementId,
      usedForTrain: false,
      addedAtMs: now,
    };
    await tx.enrollment.insert(segment);
    const status = await statusOf(tx, context, [...segments, segment]);
    await tx.factors.insert({
      factorId: deps.ids.uuid(),
      gkScopeId: context.gkScopeId,
      gkEngagementId: context.engagement.gkEngagementId,
      gkSessionId: context.session.gkSessionId,
      kind: 'ENROLLMENT',
      operation: 'Enroll',
      decision: 'UNCERTAIN',
      reason: 'ENROLL_OK',
      netSpeechMs: audio.netAudioMs,
      gkVoiceprintProfileId: profile.gkVoiceprintProfileId,
      gkProcessedAudioId: audio.gkProcessedAudioId,
      configsetRevisionId: context.configset.gkConfigsetRevisionId,
      calibrationRevisionId: audio.calibrationRevisionId,
      createdAtMs: now,
    });
    await audit(tx, call, {
      type: 'VOICEPRINT_EVENT',
      operation: 'Enroll',
      gkScopeId: context.gkScopeId,
      gkEngagementId: context.engagement.gkEngagementId,
      gkSessionId: context.session.gkSessionId,
      configsetId: context.configset.configsetId,
      subjects: [profile.gkVoiceprintProfileId, profile.gkOwnerId, audio.gkProcessedAudioId],
      detail: {
        status,
        segments: segments.length + 1,
        configsetRevisionId: context.configset.gkConfigsetRevisionId,
      },
    });
    return { profile, audio, enrolled: true, status, reason: 'ENROLL_OK' };
  });
}

/** The reason to refuse the audio, in the order in which they matter to the caller; undefined admits it. */
export function admit(
  audio: ProcessedAudio,
  segments: readonly EnrollmentSegment[],
  { parameters }: Pick<FullContext, 'parameters'>,
  modelRevision: string,
): EnrollReason | undefined {
  // The same recording through a second processed ID would count one utterance twice.
  const known = segments.some(
    (segment) =>
      segment.gkProcessedAudioId === audio.gkProcessedAudioId ||
      segment.gkMediaSegmentId === audio.gkMediaSegmentId,
  );
  if (known) return 'ALREADY_ADDED';
  if (audio.printType !== 'VOICEPRINT') return 'WRONG_PRINT_TYPE';
  if (
    audio.validity === 'AUDIO_TOO_SHORT' ||
    audio.netAudioMs < parameters.enrollment.netSpeechSecondsMinPerSegment * 1000
  )
    return 'TOO_SHORT';
  if (audio.validity !== 'AUDIO_OK' || audio.model?.voice.modelRevision !== modelRevision)
    return 'MISSING_MODEL';
  return undefined;
}

export async function statusOf(
  repositories: Pick<BiometricsTransaction, 'processedAudios'>,
  { gkScopeId, parameters }: Pick<FullContext, 'gkScopeId' | 'parameters'>,
  segments: readonly EnrollmentSegment[],
): Promise<EnrollStatus> {
  const audios = await repositories.processedAudios.findMany(
    gkScopeId,
    segments.map((segment) => segment.gkProcessedAudioId),
  );
  const netSpeechMs = audios.reduce((sum, audio) => sum + audio.netAudioMs, 0);
  return enrollStatus(segments.length, netSpeechMs, parameters);
}
