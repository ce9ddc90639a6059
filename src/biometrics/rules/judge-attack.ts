// The attack checks: from a detector's evidence to a decision. A detector that cannot be trusted on this
// audio says LOW_RELIABILITY instead of guessing. Where people and attacks share a score, a tenant may draw the
// line itself (attackChecks, ADR 88).
import type { SpoofScore } from '../../voice/spoof/detector.js';
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
}

/** What a check is judged by: the audio's validity, and what the detector measured, if it could. */
export interface AttackEvidence {
  validity: AudioValidity;
  measure: SpoofScore | undefined;
  detector: { revision: string; experimental: boolean } | undefined;
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
  const { unfamiliar, spans } = measure;
  const { reliabilityMin } = attackChecks;
  const isAlarm = measure.risk >= alarmRisk(kind, attackChecks);
  const reliability = isAlarm ? measure.alarmReliability : measure.reliability;
  const risk: RiskResult = { risk: measure.risk, reliability };
  const result = { ...base, risk, score: measure.llr, unfamiliar, spans };
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

/** The risk from which on a check raises the alarm. */
export function alarmRisk(
  kind: AttackKind,
  { riskHigh, syntheticRiskHigh }: Parameters['attackChecks'],
): number {
  return (kind === 'synthetic' && syntheticRiskHigh) || riskHigh;
}

function reasonOf(validity: AudioValidity): SpoofReason {
  return validity === 'MULTIPLE_SPEAKERS_DETECTED' ? 'LOW_RELIABILITY' : validity;
}
