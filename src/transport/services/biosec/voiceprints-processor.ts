// VoiceprintsProcessor: the nine operations of the voiceprint specification.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { analyzeAudio, type AnalyzeResult } from '../../../biometrics/operations/analyze-audio.js';
import type { AudioInput } from '../../../biometrics/operations/audio-input.js';
import type { CandidateTarget, CollectionAndTag } from '../../../biometrics/operations/candidates.js';
import { checkWatchlistConsistency } from '../../../biometrics/operations/check-watchlist.js';
import type { ComparisonResult } from '../../../biometrics/operations/record.js';
import type { OperationDeps } from '../../../biometrics/operations/deps.js';
import { enroll } from '../../../biometrics/operations/enroll.js';
import { getEnrollStatus } from '../../../biometrics/operations/get-enroll-status.js';
import { detectKnownFraudsters, identify } from '../../../biometrics/operations/identify.js';
import { processAudio } from '../../../biometrics/operations/process-audio.js';
import type { CandidateScore, ComparisonOutcome } from '../../../biometrics/model/comparison.js';
import { train } from '../../../biometrics/operations/train.js';
import { verify } from '../../../biometrics/operations/verify.js';
import type { PrintDetails } from '../../../biometrics/model/profiles.js';
import {
  Decision,
  OwnerType,
  TrainReason,
  TrainStatus,
  type AudioChannelSelector,
  type UniqueIdAndTag,
  type UniqueId,
  type ListOfUniqueId,
} from '../../../gen/vendor/biosec/v1/common_pb.js';
import { VoiceprintsProcessor } from '../../../gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import {
  DecisionReason,
  EnrollReason,
  EnrollStatus,
  VoiceprintProfileStatus,
  type VoiceprintDetailsSchema,
  type VoiceprintResultSchema,
} from '../../../gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import {
  attackDiagnostics,
  boundDiagnostics,
  damageDiagnostics,
  coolingOffDiagnostics,
  lockDiagnostics,
  memberDiagnostics,
  okWith,
  promptWantedDiagnostics,
  unreliableDiagnostics,
  untrainedDiagnostics,
} from './diagnostics.js';
import { playbackResultOf, syntheticResultOf } from './attack-results.js';
import { segmentDetailsOf } from './segment-details.js';
import {
  audioDetailsOf,
  biosecAccess,
  contextOf,
  durationOf,
  present,
  riskOf,
  unique,
  validityOf,
  valueOf,
} from './shared.js';

export function voiceprintsProcessorService(deps: OperationDeps): ServiceBinding {
  return bindService(VoiceprintsProcessor, biosecAccess, {
    processAudio: async (call, request) => {
      const audio = await processAudio(deps, call, {
        context: contextOf(request),
        audio: audioInput(request.input, request.channelSelector),
        forEnrollment: request.isForEnrollment ?? false,
      });
      return {
        ...okWith(...boundDiagnostics(audio)),
        result: {
          gkMediaSegmentId: unique(audio.gkMediaSegmentId),
          gkProcessedAudioId: unique(audio.gkProcessedAudioId),
          validity: validityOf(audio),
          audioDetails: audioDetailsOf(audio),
          ...present('voiceClassScore', audio.voiceClassScore, Number),
          gkCalibrationModelRevisionId: unique(audio.calibrationRevisionId),
        },
      };
    },
    enroll: async (call, request) => {
      const result = await enroll(deps, call, {
        context: contextOf(request),
        gkVoiceprintProfileId: valueOf(request.gkVoiceprintProfileId),
        gkProcessedAudioId: valueOf(request.gkProcessedAudioId),
      });
      return {
        result: {
          enrollStatus: EnrollStatus[result.status],
          voiceprintDetails: voiceprintDetailsOf(result.profile),
          enrolled: result.enrolled,
          reason: result.reason ? EnrollReason[result.reason] : EnrollReason.UNSPECIFIED,
          audioDetails: audioDetailsOf(result.audio),
        },
      };
    },
    getEnrollStatus: async (call, request) => {
      const { status, isTrained } = await getEnrollStatus(deps, call, {
        context: contextOf(request),
        gkVoiceprintProfileId: valueOf(request.gkVoiceprintProfileId),
      });
      return { result: EnrollStatus[status], isTrained };
    },
    train: async (call, request) => {
      const result = await train(deps, call, {
        context: contextOf(request),
        gkVoiceprintProfileId: valueOf(request.gkVoiceprintProfileId),
      });
      return {
        result: {
          trainStatus: result.trained ? TrainStatus.TRAINED : TrainStatus.FAILED,
          reason: TrainReason[result.reason],
          status: VoiceprintProfileStatus[result.profile.status],
          voiceprintDetails: voiceprintDetailsOf(result.profile),
          gkCalibrationModelRevisionId: unique(result.calibrationRevisionId),
          totalSegments: result.segments.length,
          totalValidSegments: result.validSegments,
          minSegmentsRequired: result.segmentsMin,
          totalNetAudio: durationOf(result.netSpeechMs),
          minNetAudioRequired: durationOf(result.netSpeechMsMin),
          enrollmentSegmentsDetails: result.segments.map(segmentDetailsOf),
        },
      };
    },
    checkWatchlistConsistency: async (call, request) => {
      const found = await checkWatchlistConsistency(deps, call, {
        context: contextOf(request),
        target: targetOf(request.target),
      });
      return {
        ...okWith(
          ...damageDiagnostics([found]),
          ...memberDiagnostics('watchlist', found),
          ...untrainedDiagnostics(found.untrained),
        ),
        totalNumberOfCompatiblePrints: found.compatible,
        totalNumberOfIncompatiblePrints: found.incompatible,
        incompatiblePrints: found.prints.map(({ profile, calibration, fraudsterId }) => ({
          voiceprintDetails: voiceprintDetailsOf(profile),
          ...present('incompatibleCalibrationModel', calibration, calibrationOf),
          ...present('fraudsterId', fraudsterId, String),
        })),
        requiredCalibrationModel: calibrationOf(found.required),
      };
    },
    verify: async (call, request) => {
      const result = await verify(deps, call, {
        context: contextOf(request),
        audio: audioInput(request.audio, request.channelSelector),
        gkVoiceprintProfileId: valueOf(request.gkVoiceprintProfileId),
        ignoreCheckpoints: request.ignoreCheckpoints,
      });
      return {
        ...okWith(
          ...boundDiagnostics(result.audio),
          ...promptWantedDiagnostics(result),
          ...damageDiagnostics([result.outcome]),
          ...coolingOffDiagnostics(result.outcome),
          ...unreliableDiagnostics('authentication', result.outcome),
        ),
        result: {
          ...commonResult(result),
          voiceprintDetails: voiceprintDetailsOf(result.profile),
          ...present('authenticationScore', result.outcome.scores[0], scoreOf),
        },
      };
    },
    identify: async (call, request) => {
      const result = await identify(deps, call, {
        context: contextOf(request),
        audio: audioInput(request.audio, request.channelSelector),
        target: targetOf(request.target),
        ignoreCheckpoints: request.ignoreCheckpoints,
      });
      return {
        ...okWith(
          ...boundDiagnostics(result.audio),
          ...promptWantedDiagnostics(result),
          ...damageDiagnostics([result.outcome]),
          ...lockDiagnostics(result.outcome),
          ...coolingOffDiagnostics(result.outcome),
          ...memberDiagnostics('group', result.outcome),
          ...unreliableDiagnostics('authentication', result.outcome),
        ),
        result: {
          ...commonResult(result),
          ...present('authenticationScore', result.outcome.scores[0], scoreOf),
          voiceprintResults: result.outcome.scores.map(personResultOf),
        },
      };
    },
    detectKnownFraudsters: async (call, request) => {
      const result = await detectKnownFraudsters(deps, call, {
        context: contextOf(request),
        audio: audioInput(request.audio, request.channelSelector),
        target: targetOf(request.target),
        ignoreCheckpoints: request.ignoreCheckpoints,
      });
      return {
        ...okWith(
          ...boundDiagnostics(result.audio),
          ...promptWantedDiagnostics(result),
          ...damageDiagnostics([result.outcome]),
          ...memberDiagnostics('watchlist', result.outcome),
          ...unreliableDiagnostics('fraud_detection', result.outcome),
        ),
        result: {
          ...commonResult(result),
          ...present('fraudDetectionScore', result.outcome.scores[0], scoreOf),
          voiceprintResults: result.outcome.scores.map(fraudsterResultOf),
          numberOfPrints: result.outcome.prints,
        },
      };
    },
    analyzeAudio: async (call, request) => {
      const result = await analyzeAudio(deps, call, {
        context: contextOf(request),
        audio: audioInput(request.audio, request.channelSelector),
        ...present('profileIds', request.gkVoiceprintProfileIds, idsOf),
        ...present('group', request.group, collectionOf),
        ...present('watchlist', request.watchlist, collectionOf),
        checks: {
          synthetic: request.syntheticSpeechDetectionParameters !== undefined,
          playback: request.channelPlaybackDetectionParameters !== undefined,
        },
        ignoreCheckpoints: request.ignoreCheckpoints,
      });
      const { audio, calibration, authentication, fraud } = result;
      return {
        ...okWith(
          ...boundDiagnostics(audio),
          ...promptWantedDiagnostics(result),
          ...damageDiagnostics([authentication, fraud]),
          ...lockDiagnostics(authentication),
          ...coolingOffDiagnostics(authentication),
          ...memberDiagnostics('group', authentication),
          ...memberDiagnostics('watchlist', fraud),
          ...unreliableDiagnostics('authentication', authentication),
          ...unreliableDiagnostics('fraud_detection', fraud),
          ...attackDiagnostics(result),
        ),
        result: {
          gkMediaSegmentId: unique(audio.gkMediaSegmentId),
          gkProcessedAudioId: unique(audio.gkProcessedAudioId),
          decision: Decision[result.decision],
          reason: DecisionReason[result.reason],
          ...present('voiceClassScore', audio.voiceClassScore, Number),
          ...present('riskEngineGlobalResult', result.risk, riskOf),
          validity: validityOf(audio),
          ...present('authenticationResult', authentication, (outcome) => ({
            ...present('topPersonVoiceprintDetails', outcome.scores[0]?.candidate, voiceprintDetailsOf),
            ...present('authenticationScore', outcome.scores[0], scoreOf),
            ...decided(outcome),
            numberOfPersonsPrints: outcome.prints,
          })),
          ...present('fraudDetectionResult', fraud, (outcome) => ({
            ...present('topFraudsterVoiceprintDetails', outcome.scores[0]?.candidate, voiceprintDetailsOf),
            ...present('fraudDetectionScore', outcome.scores[0], scoreOf),
            ...decided(outcome),
            numberOfFraudstersPrints: outcome.prints,
          })),
          ...present('syntheticSpeechResult', result.synthetic, (outcome) =>
            syntheticResultOf(audio, outcome),
          ),
          ...present('channelPlaybackResult', result.playback, (outcome) => playbackResultOf(audio, outcome)),
          gkCalibrationModelRevisionId: unique(calibration.revisionId),
          audioDetails: audioDetailsOf(audio, speechBehind(result)),
          voiceprintResults: [
            ...(authentication?.scores ?? []).map(personResultOf),
            ...(fraud?.scores ?? []).map(fraudsterResultOf),
          ],
          calibrationModelDetails: calibrationOf(calibration),
        },
      };
    },
  });
}

type AudioOneof =
  | { case: 'gkMediaSegmentId' | 'gkProcessedAudioId'; value: UniqueId }
  | { case: undefined; value?: undefined };

export function audioInput(audio: AudioOneof, selector: AudioChannelSelector | undefined): AudioInput {
  return {
    ...(audio.case && { [audio.case]: audio.value.value }),
    ...present('channel', selector?.channel, Number),
  };
}

type TargetOneof =
  | { case: 'gkVoiceprintProfileIds'; value: ListOfUniqueId }
  | { case: 'group' | 'watchlist'; value: UniqueIdAndTag }
  | { case: undefined; value?: undefined };

function targetOf(target: TargetOneof): CandidateTarget {
  if (target.case === undefined) return {};
  return target.case === 'gkVoiceprintProfileIds'
    ? { profileIds: idsOf(target.value) }
    : { collection: collectionOf(target.value) };
}

const idsOf = (list: ListOfUniqueId): string[] => list.uniqueIds.map((id) => id.value);

function collectionOf({ uniqueId, tag }: UniqueIdAndTag): CollectionAndTag {
  return { gkId: valueOf(uniqueId), ...present('tag', tag, String) };
}

function calibrationOf({
  revisionId,
  calibrationModelId,
}: {
  revisionId: string;
  calibrationModelId: string;
}) {
  return { gkCalibrationModelRevisionId: unique(revisionId), calibrationModelId };
}

const scoreOf = ({ llr }: CandidateScore) => ({ biometricScore: llr });

function personResultOf(score: CandidateScore): MessageInitShape<typeof VoiceprintResultSchema> {
  return {
    gkVoiceprintProfileId: unique(score.candidate.gkVoiceprintProfileId),
    score: { case: 'authenticationScore', value: scoreOf(score) },
  };
}

function fraudsterResultOf(score: CandidateScore): MessageInitShape<typeof VoiceprintResultSchema> {
  return {
    gkVoiceprintProfileId: unique(score.candidate.gkVoiceprintProfileId),
    score: { case: 'fraudDetectionScore', value: scoreOf(score) },
  };
}

/** Net speech that the overall decision rests on; the attack checks look at all of it. */
function speechBehind({ authentication, fraud, synthetic, playback, audio }: AnalyzeResult): number {
  const compared = [authentication, fraud].filter((outcome) => outcome !== undefined);
  return synthetic || playback || compared.length === 0
    ? audio.netAudioMs
    : Math.max(...compared.map((outcome) => outcome.netSpeechMs));
}

function decided(outcome: ComparisonOutcome) {
  return {
    decision: Decision[outcome.decision],
    reason: DecisionReason[outcome.reason],
    ...present('riskEngineResult', outcome.risk, riskOf),
  };
}

/** The fields that Verify, Identify and DetectKnownFraudsters share (docs/reference/voiceprint-contract.md#results). */
function commonResult({ outcome, audio, calibration }: ComparisonResult) {
  return {
    ...present('voiceprintDetails', outcome.scores[0]?.candidate, voiceprintDetailsOf),
    gkMediaSegmentId: unique(audio.gkMediaSegmentId),
    gkProcessedAudioId: unique(audio.gkProcessedAudioId),
    ...decided(outcome),
    ...present('voiceClassScore', audio.voiceClassScore, Number),
    gkCalibrationModelRevisionId: unique(calibration.revisionId),
    // Of a comparison: the speech that its decision rests on.
    audioDetails: audioDetailsOf(audio, outcome.netSpeechMs),
  };
}

function voiceprintDetailsOf(profile: PrintDetails): MessageInitShape<typeof VoiceprintDetailsSchema> {
  return {
    gkVoiceprintProfileId: unique(profile.gkVoiceprintProfileId),
    gkOwnerId: unique(profile.gkOwnerId),
    ownerType: OwnerType[profile.ownerType],
    profileTag: profile.tag,
    printVersion: profile.version,
  };
}
