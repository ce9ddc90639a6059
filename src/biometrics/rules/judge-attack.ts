// The attack checks: from a detector's evidence to a decision. A detector that is not reliable on this audio says
// LOW_RELIABILITY instead of guessing. Where people and attacks share a score, a tenant may set the alarm threshold itself
// (attackChecks, ADR 88).
import type { Bandwidth } from '../../voice/scoring/speaker-model.js';
import {
  ALARM_RISK,
  canAnswerOn,
  spansAtRisk,
  type DetectorInfo,
  type SpoofScore,
} from '../../voice/spoof/detector.js';
import type { AttackSpan, Doubt } from '../../voice/spoof/evidence.js';
import type { Parameters } from '../model/parameters.js';
import type { AudioValidity, Decision, RiskResult, SpoofReason } from '../model/outcome.js';

export type AttackKind = 'synthetic' | 'playback';

export interface AttackOutcome {
  kind: AttackKind;
  decision: Decision;
  reason: SpoofReason;
  risk?: RiskResult;
  /** Log-likelihood ratio; higher values suggest an attack. */
  score?: number;
  detectorRevision?: string;
  /** The detector's answer is only a hint, whatever it says. */
  experimental: boolean;
  /** The audio is unlike the training data: nothing else may turn that into an all-clear. */
  unfamiliar: boolean;
  /** Why the reliability is low. */
  doubts: readonly Doubt[];
  /** Several people speak at once. */
  isMixed?: true;
  /** Where the audio sounds like an attack. */
  spans: readonly AttackSpan[];
  /** Of the audio: that it heard or, if it was not made for that reason, would have. */
  bandwidth?: Bandwidth;
  /** The alarm threshold; absent if nothing was measured. */
  line?: AlarmThreshold;
  /** For a live call: the highest risk so far. */
  highestRisk?: number;
}

/** What a telephone carries at most, and what wide-band audio has, in kHz. */
const NARROW_KHZ = 4;
const WIDE_KHZ = 8;

/** The line of one bandwidth. */
interface AlarmThreshold {
  risk: number;
  bandwidth: Bandwidth;
}

/** What a check is judged by: the audio's validity, and the detector's measurement, if any. */
export interface AttackEvidence {
  validity: AudioValidity;
  measure: SpoofScore | undefined;
  detector:
    | Pick<DetectorInfo, 'revision' | 'experimental' | 'calibration' | 'reliability' | 'reliabilityFloor'>
    | undefined;
  /** Of the audio, if it is known. */
  bandwidth: Bandwidth | undefined;
}

export function judgeAttack(
  kind: AttackKind,
  { validity, measure, detector, bandwidth: heardIn = measure?.bandwidth }: AttackEvidence,
  { attackChecks }: Parameters,
): AttackOutcome {
  const base = {
    kind,
    ...(detector && { detectorRevision: detector.revision }),
    experimental: detector?.experimental ?? false,
    unfamiliar: false,
    doubts: [],
    spans: [],
  };
  if (validity !== 'AUDIO_OK')
    return {
      ...base,
      decision: 'UNCERTAIN',
      reason: reasonOf(validity),
      ...(validity === 'MULTIPLE_SPEAKERS_DETECTED' && { isMixed: true as const }),
    };
  if (detector && heardIn === 'narrow' && !canAnswerOn(detector, heardIn))
    return {
      ...base,
      decision: 'UNCERTAIN',
      reason: 'LOW_RELIABILITY',
      bandwidth: heardIn,
      doubts: [{ measure: 'bandwidth', value: NARROW_KHZ, limit: WIDE_KHZ }],
    };
  if (!measure) return { ...base, decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY' };
  const { unfamiliar, bandwidth } = measure;
  const { reliabilityMin } = attackChecks;
  const line: AlarmThreshold = { risk: alarmRisk(kind, bandwidth, attackChecks), bandwidth };
  const isAlarm = measure.risk >= line.risk;
  // Stretches that reach the detector's line do not explain why a lower line was reached.
  const isBelowShipped = isAlarm && measure.risk < ALARM_RISK;
  const spans = isBelowShipped && detector ? spansAtRisk(measure, detector, line.risk) : measure.spans;
  const reliability = isAlarm ? measure.alarmReliability : measure.reliability;
  const risk: RiskResult = { risk: measure.risk, reliability };
  const result = { ...base, risk, score: measure.llr, unfamiliar, spans, bandwidth, line };
  const unsure = (doubts: readonly Doubt[]): AttackOutcome => ({
    ...result,
    decision: 'UNCERTAIN',
    reason: 'LOW_RELIABILITY',
    doubts,
  });
  const doubts = isAlarm ? measure.doubts.filter((doubt) => doubt.measure !== 'score') : measure.doubts;
  // The detector's own limit and that of the config set both count: the higher one applies.
  const limited = (doubt: Doubt): Doubt =>
    doubt.measure === 'reliability' ? { ...doubt, limit: Math.max(doubt.limit, reliabilityMin) } : doubt;
  if (doubts.length > 0) return unsure(doubts.map(limited));
  if (reliability < reliabilityMin)
    return unsure([{ measure: 'reliability', value: reliability, limit: reliabilityMin }]);
  if (isAlarm) {
    return {
      ...result,
      decision: 'FRAUD',
      reason: kind === 'synthetic' ? 'SYNTHETIC_SPEECH_DETECTED' : 'PLAYBACK_INDICATION',
    };
  }
  return { ...result, decision: 'NO_RISK_DETECTED', reason: 'AUDIO_OK' };
}

/** What makes a check unreliable: the same words as for a comparison. */
export function unreliableFor({
  reason,
  doubts,
  isMixed,
}: Pick<AttackOutcome, 'reason' | 'doubts' | 'isMixed'>): string[] {
  if (reason !== 'LOW_RELIABILITY') return [];
  if (doubts.length > 0) return doubts.map(({ measure }) => measure);
  return [isMixed ? 'two_voices' : 'not_measured'];
}

/**
 * The risk from which a check raises the alarm. If the bandwidth is not known, the higher of the two lines.
 */
export function alarmRisk(
  kind: AttackKind,
  bandwidth: Bandwidth | undefined,
  attackChecks: Parameters['attackChecks'],
): number {
  const { riskHigh, syntheticRiskHigh, syntheticRiskHighNarrow, syntheticRiskHighWide } = attackChecks;
  if (kind === 'playback') return riskHigh;
  const both = syntheticRiskHigh || riskHigh;
  const [narrow, wide] = [syntheticRiskHighNarrow || both, syntheticRiskHighWide || both];
  if (bandwidth === undefined) return Math.max(narrow, wide);
  return bandwidth === 'narrow' ? narrow : wide;
}

function reasonOf(validity: AudioValidity): SpoofReason {
  return validity === 'MULTIPLE_SPEAKERS_DETECTED' ? 'LOW_RELIABILITY' : validity;
}
