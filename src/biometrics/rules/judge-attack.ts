// The attack checks: from a detector's evidence to a decision. A detector that cannot be trusted on this
// audio says LOW_RELIABILITY instead of guessing.
import type { SpoofScore } from '../../voice/spoof/detector.js';
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
}

/** What a check is judged by: the audio's validity, and what the detector measured, if it could. */
export interface AttackEvidence {
  validity: AudioValidity;
  measure: SpoofScore | undefined;
  detectorRevision: string | undefined;
}

export function judgeAttack(
  kind: AttackKind,
  { validity, measure, detectorRevision }: AttackEvidence,
  { attackChecks }: Parameters,
): AttackOutcome {
  const base = { kind, ...(detectorRevision !== undefined && { detectorRevision }) };
  if (validity !== 'AUDIO_OK') return { ...base, decision: 'UNCERTAIN', reason: reasonOf(validity) };
  if (!measure) return { ...base, decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY' };
  const risk: RiskResult = { risk: measure.risk, reliability: measure.reliability };
  const result = { ...base, risk, score: measure.llr };
  if (!measure.reliable || measure.reliability < attackChecks.reliabilityMin)
    return { ...result, decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY' };
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
