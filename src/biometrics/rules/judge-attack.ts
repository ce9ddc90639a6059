// The attack checks: from a detector's evidence to a decision. A detector that is not reliable on this audio says
// LOW_RELIABILITY instead of guessing. Where people and attacks share a score, a tenant may set the alarm line itself
// (attackChecks, ADR 88).
import type { Bandwidth } from '../../voice/scoring/speaker-model.js';
import { ALARM_RISK, spansAtRisk, type DetectorInfo, type SpoofScore } from '../../voice/spoof/detector.js';
import type { AttackSpan, Doubt } from '../../voice/spoof/evidence.js';
import type { Parameters } from '../model/parameters.js';
import type { AudioValidity, Decision, RiskResult, SpoofReason } from '../model/outcome.js';

export type AttackKind = 'synthetic' | 'playback';

export interface AttackOutcome {
  kind: AttackKind;
  decision: Decision;
  reason: SpoofReason;
  risk?: RiskResult;
  /** Log-likelihood ratio, higher speaks for an attack. */
  score?: number;
  detectorRevision?: string;
  /** The detector's word is a hint, whatever it says. */
  experimental: boolean;
  /** The audio is unlike what the detector was trained on: nothing else may turn that into an all-clear. */
  unfamiliar: boolean;
  /** Why the reliability is low. */
  doubts: readonly Doubt[];
  /** Where the audio sounds like an attack. */
  spans: readonly AttackSpan[];
  /** From where on it is an alarm; absent where nothing was measured. */
  line?: AlarmLine;
  /** Of a live call: the highest risk so far. */
  highestRisk?: number;
}

/** Of one bandwidth. */
interface AlarmLine {
  risk: number;
  bandwidth: Bandwidth;
}

/** What a check is judged by: the audio's validity, and what the detector measured, if it could. */
export interface AttackEvidence {
  validity: AudioValidity;
  measure: SpoofScore | undefined;
  detector: Pick<DetectorInfo, 'revision' | 'experimental' | 'calibration'> | undefined;
}

export function judgeAttack(
  kind: AttackKind,
  { validity, measure, detector }: AttackEvidence,
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
  if (validity !== 'AUDIO_OK') return { ...base, decision: 'UNCERTAIN', reason: reasonOf(validity) };
  if (!measure) return { ...base, decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY' };
  const { unfamiliar, bandwidth } = measure;
  const { reliabilityMin } = attackChecks;
  const line: AlarmLine = { risk: alarmRisk(kind, bandwidth, attackChecks), bandwidth };
  const isAlarm = measure.risk >= line.risk;
  // What reaches the detector's line by itself says nothing of why a lower one was reached.
  const isOwnAlarm = isAlarm && measure.risk < ALARM_RISK;
  const spans = isOwnAlarm && detector ? spansAtRisk(measure, detector, line.risk) : measure.spans;
  const reliability = isAlarm ? measure.alarmReliability : measure.reliability;
  const risk: RiskResult = { risk: measure.risk, reliability };
  const result = { ...base, risk, score: measure.llr, unfamiliar, spans, line };
  const unsure = (doubts: readonly Doubt[]): AttackOutcome => ({
    ...result,
    decision: 'UNCERTAIN',
    reason: 'LOW_RELIABILITY',
    doubts,
  });
  const doubts = isAlarm ? measure.doubts.filter((doubt) => doubt.measure !== 'score') : measure.doubts;
  if (doubts.length > 0) return unsure(doubts);
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

/** The risk from which on a check raises the alarm. Where the band is not known, by the higher of the two lines. */
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
