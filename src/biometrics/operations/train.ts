// Train: makes a new template from the enrollment segments, after processing those again that were measured with another
// speaker model. Segments that sound like somebody else are left out; if too little remains, the old template, if any, is
// kept.
import { missingField, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { consistentSubset } from '../../voice/scoring/consistency.js';
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import { buildTemplate } from '../../voice/scoring/template.js';
import { parametersOfPrint } from '../configsets/print-parameters.js';
import { audit } from '../call/audit.js';
import type { ActiveCalibration } from '../calibration/active.js';
import type { Parameters } from '../model/parameters.js';
import { searchLater } from '../entities/search-later.js';
import { openFullContext, type RequestContext } from '../call/context.js';
import type { ProcessedAudio } from '../model/media.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { EnrollmentSegment, Profile } from '../model/profiles.js';
import type { SegmentView } from '../profiles/read-profile.js';
import type { OperationDeps } from './deps.js';
import { openCall } from './opened-call.js';
import { renewSegments, storeRenewed } from './renew-segments.js';

export type TrainReason = 'TRAIN_OK' | 'INCONSISTENCY' | 'NOT_READY_TO_TRAIN';

export interface TrainResult {
  trained: boolean;
  reason: TrainReason;
  profile: Profile;
  calibrationRevisionId: string;
  segments: readonly SegmentView[];
  /** Those that the new template was made of, and their speech; none if there is none. */
  validSegments: number;
  netSpeechMs: number;
  segmentsMin: number;
  netSpeechMsMin: number;
}

export async function train(
  deps: OperationDeps,
  call: Call,
  input: { context: RequestContext; gkVoiceprintProfileId: string },
): Promise<TrainResult> {
  const context = await openFullContext(deps, call, input.context, [
    input.gkVoiceprintProfileId ? undefined : missingField('gk_voiceprint_profile_id'),
  ]);
  const { calibration } = await openCall(deps, call, context);
  const known = await deps.store.read.profiles.find(context.gkScopeId, input.gkVoiceprintProfileId);
  if (!known) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
  const parameters = await parametersOfPrint(deps, deps.store.read, known, context.parameters);
  const renewed = await renewSegments(deps, known, parameters, {
    signal: call.signal,
    ...(call.deadlineAtMs !== undefined && { deadlineAtMs: call.deadlineAtMs }),
    client: call.caller.clientId,
    ...(call.isBackground && { priority: 'background' as const }),
  });
  return deps.store.transaction(async (tx) => {
    const profile = await tx.profiles.find(context.gkScopeId, input.gkVoiceprintProfileId);
    if (!profile) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
    await storeRenewed(tx, profile, renewed, {
      calibrationRevisionId: calibration.revisionId,
      nowMs: deps.clock.now(),
    });
    const result = await trainProfile(deps, tx, profile, calibration, parameters);
    await audit(tx, call, {
      type: 'VOICEPRINT_EVENT',
      operation: 'Train',
      gkScopeId: context.gkScopeId,
      gkEngagementId: context.engagement.gkEngagementId,
      gkSessionId: context.session.gkSessionId,
      configsetId: context.configset.configsetId,
      subjects: [profile.gkVoiceprintProfileId, profile.gkOwnerId],
      detail: {
        reason: result.reason,
        printVersion: result.profile.version,
        segments: result.segments.length,
        validSegments: result.validSegments,
        ...(renewed.length > 0 && { renewedSegments: renewed.length }),
        netSpeechMs: Math.round(result.netSpeechMs),
        model: calibration.model.revision,
        calibrationRevisionId: calibration.revisionId,
        configsetRevisionId: context.configset.gkConfigsetRevisionId,
      },
    });
    const { gkScopeId, gkOwnerId } = profile;
    const isNews = result.trained && profile.ownerType === 'FRAUDSTER';
    if (isNews && (await tx.collections.isListed(gkScopeId, gkOwnerId)))
      await searchLater(tx, deps, call, [result.profile]);
    return result;
  });
}

interface Material {
  segment: EnrollmentSegment;
  audio?: ProcessedAudio;
  sample?: VoiceSample;
}

type UsableMaterial = Material & { sample: VoiceSample; audio: ProcessedAudio };

/** The training itself, inside the caller's transaction; also used when templates are remade. */
export async function trainProfile(
  deps: OperationDeps,
  tx: BiometricsTransaction,
  profile: Profile,
  calibration: ActiveCalibration,
  { enrollment }: Parameters,
): Promise<TrainResult> {
  const material = await loadMaterial(deps, tx, profile);
  const scored = material.filter(
    (entry): entry is UsableMaterial => entry.sample !== undefined && entry.audio !== undefined,
  );
  const consistency = consistencyOf(calibration.model, scored, enrollment.consistencyLlrMin);
  const used = scored.filter((entry) => consistency.get(entry.segment)?.used);
  const reason: TrainReason = isEnough(used, enrollment)
    ? 'TRAIN_OK'
    : isEnough(scored, enrollment)
      ? 'INCONSISTENCY'
      : 'NOT_READY_TO_TRAIN';

  const isTrained = reason === 'TRAIN_OK';
  const segments: SegmentView[] = [];
  for (const { segment, audio } of material) {
    const judged = judgedSegment(segment, consistency.get(segment), reason);
    await tx.enrollment.update(judged);
    segments.push({
      segment: isTrained ? judged : { ...judged, usedForTrain: false },
      ...(audio && { audio }),
    });
  }
  const result = isTrained
    ? trainedProfile(profile, used, calibration, enrollment, deps.clock.now())
    : profile;
  const inTemplate = isTrained ? used : [];
  if (result !== profile) await tx.profiles.update(result);
  return {
    trained: isTrained,
    reason,
    profile: result,
    calibrationRevisionId: calibration.revisionId,
    segments,
    validSegments: inTemplate.length,
    netSpeechMs: netSpeechOf(inTemplate),
    segmentsMin: enrollment.segmentsMin,
    netSpeechMsMin: enrollment.netSpeechSecondsMin * 1000,
  };
}

type Consistency = ReturnType<typeof consistentSubset>[number];

function consistencyOf(
  model: SpeakerModel,
  scored: readonly UsableMaterial[],
  minLlr: number,
): Map<EnrollmentSegment, Consistency> {
  if (scored.length === 0) return new Map();
  const found = consistentSubset(
    model,
    scored.map((entry) => entry.sample),
    { minLlr },
  );
  return new Map(scored.flatMap(({ segment }, index) => (found[index] ? [[segment, found[index]]] : [])));
}

const netSpeechOf = (entries: readonly UsableMaterial[]): number =>
  entries.reduce((sum, entry) => sum + entry.audio.netAudioMs, 0);

function isEnough(
  entries: readonly UsableMaterial[],
  { segmentsMin, netSpeechSecondsMin }: Parameters['enrollment'],
): boolean {
  return entries.length >= segmentsMin && netSpeechOf(entries) >= netSpeechSecondsMin * 1000;
}

function judgedSegment(
  segment: EnrollmentSegment,
  found: Consistency | undefined,
  reason: TrainReason,
): EnrollmentSegment {
  // A failed training keeps the old template, and the segments that it was made from.
  const usedForTrain = reason === 'TRAIN_OK' ? (found?.used ?? false) : segment.usedForTrain;
  if (!found) return { ...segment, usedForTrain };
  const { consistency: _before, consistencyScore: _scoredBefore, ...rest } = segment;
  return {
    ...rest,
    ...(found.score !== undefined && {
      consistency: found.used ? 'CONSISTENT' : 'INCONSISTENT',
      consistencyScore: found.score,
    }),
    usedForTrain,
  };
}

function trainedProfile(
  profile: Profile,
  used: readonly UsableMaterial[],
  calibration: ActiveCalibration,
  enrollment: Parameters['enrollment'],
  nowMs: number,
): Profile {
  const { damaged: _mended, ...rest } = profile;
  const voiceClasses = used.flatMap((entry) => entry.audio.voiceClassScore ?? []);
  const optimal =
    used.length >= enrollment.segmentsOptimal &&
    netSpeechOf(used) >= enrollment.netSpeechSecondsOptimal * 1000;
  return {
    ...rest,
    trained: {
      template: buildTemplate(
        calibration.model,
        used.map((entry) => entry.sample),
      ),
      calibrationRevisionId: calibration.revisionId,
      ...(voiceClasses.length > 0 && {
        voiceClassScore: voiceClasses.reduce((sum, score) => sum + score, 0) / voiceClasses.length,
      }),
      segmentCount: used.length,
      trainedAtMs: nowMs,
    },
    status: optimal ? 'OPTIMAL_TRAINED' : 'BASIC_TRAINED',
    version: profile.version + 1,
    nearTermAdaptation: false,
    modifiedAtMs: nowMs,
  };
}

async function loadMaterial(
  deps: OperationDeps,
  tx: BiometricsTransaction,
  profile: Profile,
): Promise<Material[]> {
  const segments = await tx.enrollment.list(profile.gkVoiceprintProfileId);
  const audios = await tx.processedAudios.findMany(
    profile.gkScopeId,
    segments.map((segment) => segment.gkProcessedAudioId),
  );
  const byId = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio]));
  return segments.map((segment) => {
    const audio = byId.get(segment.gkProcessedAudioId);
    const voice = audio?.model?.voice;
    // Audio of another speaker model cannot be mixed in; what could be processed again has been by now.
    return {
      segment,
      ...(audio && { audio }),
      ...(voice && voice.modelRevision === deps.engine.model.revision && { sample: voice }),
    };
  });
}
