// Enroll: adds processed audio to the enrollment segments of a print. One transaction locks the print's row, so that two calls
// at once neither lose a segment nor exceed the maximum. Audio that cannot be added is not an error: the reason says why.
import { missingField, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { parametersOfPrint } from '../configsets/print-parameters.js';
import { audit } from '../call/audit.js';
import type { FullContext, RequestContext } from '../call/context.js';
import { askedIn, refusingErased } from '../call/data-subjects.js';
import { openSpeakerContext } from './opened-call.js';
import type { Parameters } from '../model/parameters.js';
import type { ProcessedAudio } from '../model/media.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { refuseOptedOut } from '../profiles/create-profile.js';
import type { EnrollmentSegment, Profile } from '../model/profiles.js';
import type { OperationDeps } from './deps.js';
import { trainableAudios } from './renew-segments.js';
import { storeFactor } from './record.js';
import { admitSegment } from '../rules/admit-segment.js';
import { enrollStatus, type EnrollReason, type EnrollStatus } from '../rules/enrollment-status.js';

interface EnrollInput {
  context: RequestContext;
  gkVoiceprintProfileId: string;
  gkProcessedAudioId: string;
}

export interface EnrollResult {
  profile: Profile;
  status: EnrollStatus;
  enrolled: boolean;
  reason: EnrollReason;
  audio: ProcessedAudio;
}

export async function enroll(deps: OperationDeps, call: Call, input: EnrollInput): Promise<EnrollResult> {
  const { gkVoiceprintProfileId, gkProcessedAudioId } = input;
  const named = { prints: [gkVoiceprintProfileId], of: { gkProcessedAudioId } };
  const context = await openSpeakerContext(deps, call, {
    context: input.context,
    faults: [
      gkVoiceprintProfileId ? undefined : missingField('gk_voiceprint_profile_id'),
      gkProcessedAudioId ? undefined : missingField('gk_processed_audio_id'),
    ],
    named,
  });
  const { gkScopeId } = context;
  return refusingErased(deps, { gkScopeId, ...named, askedIn: askedIn(context) }, () =>
    deps.store.transaction(async (tx) => {
      const audio = await tx.processedAudios.find(gkScopeId, gkProcessedAudioId);
      if (!audio) throw notFound('processed audio', 'gk_processed_audio_id');
      return addSegment(tx, { deps, call, context }, gkVoiceprintProfileId, audio);
    }),
  );
}

interface Adding {
  deps: OperationDeps;
  call: Call;
  context: FullContext;
}

/** Inside the caller's transaction; the audio is already stored. */
export async function addSegment(
  tx: BiometricsTransaction,
  { deps, call, context }: Adding,
  gkVoiceprintProfileId: string,
  audio: ProcessedAudio,
): Promise<EnrollResult> {
  const { gkScopeId } = context;
  const [known] = await tx.profiles.findMany(gkScopeId, [gkVoiceprintProfileId]);
  // The owner first, as in their erasure: in another order the two would wait for each other.
  const owner = known && (await tx.parties.find(gkScopeId, known.ownerType, known.gkOwnerId));
  const profile = known && (await tx.profiles.find(gkScopeId, gkVoiceprintProfileId));
  if (!profile) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
  if (owner) refuseOptedOut(owner);

  const segments = await tx.enrollment.list(profile.gkVoiceprintProfileId);
  const modelRevision = deps.engine.model.revision;
  const own = ownedBy(profile, context);
  const parameters = await parametersOfPrint(deps, tx, own, context.parameters);
  const before = await statusOf(tx, profile, segments, { parameters, modelRevision });
  const enrolledAudios = await tx.processedAudios.findMany(
    context.gkScopeId,
    segments.map((segment) => segment.gkProcessedAudioId),
  );
  const refused = admitSegment(audio, enrolledAudios, parameters, modelRevision);
  const reason = refused ?? (before === 'FULL' ? 'PRINT_FULL' : undefined);
  if (reason) {
    // Not added, but still attributed to the owner.
    if (profile.ownerType === 'PERSON') {
      if (audio.gkMediaSegmentId) await tx.media.link(gkScopeId, audio.gkMediaSegmentId, profile.gkOwnerId);
      await tx.erasure.noteAsked({ gkScopeId, gkPersonId: profile.gkOwnerId, ...askedIn(context) });
    }
    return { profile, audio, enrolled: false, status: before, reason };
  }
  const segment: EnrollmentSegment = {
    gkVoiceprintProfileId: profile.gkVoiceprintProfileId,
    gkProcessedAudioId: audio.gkProcessedAudioId,
    gkMediaSegmentId: audio.gkMediaSegmentId,
    gkEngagementId: context.engagement.gkEngagementId,
    usedForTrain: false,
    addedAtMs: deps.clock.now(),
  };
  await tx.enrollment.insert(segment);
  if (own !== profile) await tx.profiles.update(own);
  const enrolled = [...segments, segment];
  const status = await statusOf(tx, profile, enrolled, { parameters, modelRevision });
  await remember(tx, { deps, call, context }, { profile, audio, status, segments: enrolled.length });
  return { profile, audio, enrolled: true, status, reason: 'ENROLL_OK' };
}

/** From now on, the config set of its first segment is the print's own. */
function ownedBy(profile: Profile, { configset }: FullContext): Profile {
  return profile.configsetId ? profile : { ...profile, configsetId: configset.configsetId };
}

/** The factor of the session and the audit record for an added segment. */
async function remember(
  tx: BiometricsTransaction,
  { deps, call, context }: Adding,
  added: { profile: Profile; audio: ProcessedAudio; status: EnrollStatus; segments: number },
): Promise<void> {
  const { gkScopeId, engagement, session, configset } = context;
  const { profile, audio, status, segments } = added;
  await storeFactor(
    tx,
    { deps, context },
    {
      kind: 'ENROLLMENT',
      operation: 'Enroll',
      decision: 'UNCERTAIN',
      reason: 'ENROLL_OK',
      netSpeechMs: audio.netAudioMs,
      gkVoiceprintProfileId: profile.gkVoiceprintProfileId,
      gkProcessedAudioId: audio.gkProcessedAudioId,
      calibrationRevisionId: audio.calibrationRevisionId,
    },
  );
  await audit(tx, call, {
    type: 'VOICEPRINT_EVENT',
    operation: 'Enroll',
    gkScopeId,
    gkEngagementId: engagement.gkEngagementId,
    gkSessionId: session.gkSessionId,
    configsetId: configset.configsetId,
    subjects: [profile.gkVoiceprintProfileId, profile.gkOwnerId, audio.gkProcessedAudioId],
    detail: { status, segments, configsetRevisionId: configset.gkConfigsetRevisionId },
  });
}

export async function statusOf(
  repositories: Pick<BiometricsTransaction, 'processedAudios' | 'media'>,
  profile: Profile,
  segments: readonly EnrollmentSegment[],
  { parameters, modelRevision }: { parameters: Parameters; modelRevision: string },
): Promise<EnrollStatus> {
  const audios = await trainableAudios(repositories, profile, segments, modelRevision);
  const netSpeechMs = audios.reduce((sum, audio) => sum + audio.netAudioMs, 0);
  return enrollStatus({ added: segments.length, trainable: audios.length, netSpeechMs }, parameters);
}
