// The attack checks: from a detector's evidence to a decision. A detector that cannot be trusted on this
// audio says LOW_RELIABILITY instead of guessing.
import type { SpoofScore } from '../../voice/spoof/detector.js';
import type { Parameters } from '../configsets/parameters.js';
import type { ProcessedAudio } from '../media/model.js';
import type { AudioValidity, Decision, RiskResult, SpoofReason } from '../outcome.js';
import type { OperationDeps } from './deps.js';

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

export function judgeAttack(
  deps: OperationDeps,
  parameters: Parameters,
  kind: AttackKind,
  audio: ProcessedAudio,
  measure: SpoofScore | undefined,
): AttackOutcome {
  const revision = deps.engine.detectors[kind]?.revision;
  const base = { kind, ...(revision !== undefined && { detectorRevision: revision }) };
  if (audio.validity !== 'AUDIO_OK')
    return { ...base, decision: 'UNCERTAIN', reason: reasonOf(audio.validity) };
  if (!measure) return { ...base, decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY' };
  const { attackChecks } = parameters;
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
