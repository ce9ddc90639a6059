// The attack checks: from a detector's evidence to a decision. A detector that cannot be trusted on this
// audio says LOW_RELIABILITY instead of guessing.
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
  const { unfamiliar, doubts, spans, reliability } = measure;
  const risk: RiskResult = { risk: measure.risk, reliability };
  const result = { ...base, risk, score: measure.llr, unfamiliar, spans };
  if (!measure.reliable) return { ...result, decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY', doubts };
  if (reliability < attackChecks.reliabilityMin) {
    const tooLow: Doubt = { measure: 'reliability', value: reliability, limit: attackChecks.reliabilityMin };
    return { ...result, decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY', doubts: [tooLow] };
  }
  if (risk.risk >= attackChecks.riskHigh) {
    return {
      ...result,
      decision: 'FRAUD',
      reason: kind === 'synthetic' ? 'SYNTHETIC_SPEECH_DETECTED' : 'PLAYBACK_INDICATION',
    };
  }
  return { ...result, decision: 'NO_RISK_DETECTED', reason: 'AUDIO_OK' };
}

function reasonOf(validity: AudioValidity): SpoofReason {
  return validity === 'MULTIPLE_SPEAKERS_DETECTED' ? 'LOW_RELIABILITY' : validity;
}
