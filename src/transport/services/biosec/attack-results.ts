// Results of the attack checks, alike in AnalyzeAudio and DetectAudioSpoofing.
import type { ProcessedAudio } from '../../../biometrics/model/media.js';
import type { AttackOutcome } from '../../../biometrics/rules/judge-attack.js';
import { DecisionReason } from '../../../gen/vendor/biosec/v1/audio/types_pb.js';
import { Decision } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { present, riskOf, unique } from './shared.js';

export function syntheticResultOf(audio: ProcessedAudio, outcome: AttackOutcome) {
  return {
    gkMediaSegmentId: unique(audio.gkMediaSegmentId),
    gkProcessedAudioId: unique(audio.gkProcessedAudioId),
    decision: Decision[outcome.decision],
    reason: DecisionReason[outcome.reason],
    ...present('result', outcome.risk, riskOf),
    ...present('score', outcome.score, Number),
  };
}

/** Detector revisions end in a number, which is the playback version of the contract. */
export function playbackResultOf(audio: ProcessedAudio, outcome: AttackOutcome) {
  const version = Number(outcome.detectorRevision?.match(/(\d+)$/)?.[1]);
  return {
    ...syntheticResultOf(audio, outcome),
    ...(Number.isInteger(version) && { playbackVersion: version }),
  };
}
