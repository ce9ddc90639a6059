// The single decision on all factors of AnalyzeAudio. Pure.
import type { ComparisonOutcome } from '../model/comparison.js';
import type { Decision, RiskResult, VoiceprintReason } from '../model/outcome.js';
import type { AttackOutcome } from './judge-attack.js';
import { attackFactors, keepsAnswerOpen } from './open-check.js';

export interface OverallOutcome {
  decision: Decision;
  reason: VoiceprintReason;
  risk?: RiskResult;
}

type Factor = Pick<ComparisonOutcome, 'decision' | 'reason' | 'risk'>;
type Attack = Pick<AttackOutcome, 'kind' | 'decision' | 'reason' | 'risk' | 'unfamiliar'>;

/**
 * Fraud beats everything; then the authentication decides; without one, the fraud side. An attack check that
 * is not reliable on this audio neither accuses nor acquits; one that finds the audio unfamiliar lets nobody
 * pass. That nothing was found is said only if the check for synthetic speech, if requested, has said so
 * itself (ADR 0031).
 */
export function combineOutcomes(
  authentication: Factor | undefined,
  fraud: Factor | undefined,
  attacks: readonly Attack[],
): OverallOutcome {
  const alarms = [authentication, fraud, ...attacks].filter((outcome) => outcome?.decision === 'FRAUD');
  const worst = alarms.reduce<(typeof alarms)[number]>(
    (a, b) => ((b?.risk?.risk ?? 0) > (a?.risk?.risk ?? -1) ? b : a),
    undefined,
  );
  if (worst)
    return { decision: 'FRAUD', reason: 'FRAUDSTER_INDICATION', ...(worst.risk && { risk: worst.risk }) };
  const compared = authentication ?? fraud;
  const unknown = attacks.find((outcome) => outcome.unfamiliar);
  const isClear = !compared || compared.decision === 'AUTHENTIC' || compared.decision === 'NO_RISK_DETECTED';
  if (unknown && isClear)
    return { decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY', ...(unknown.risk && { risk: unknown.risk }) };
  const open = attacks.find(({ kind, decision }) => keepsAnswerOpen({ kind: attackFactors[kind], decision }));
  if (open && (!compared || compared.decision === 'NO_RISK_DETECTED')) return unsure(open);
  if (compared) return pick(compared);
  // No voice was compared: all that can be said is that the checks found nothing wrong with the audio.
  const clear = attacks.find((outcome) => outcome.decision === 'NO_RISK_DETECTED');
  if (clear)
    return { decision: 'NO_RISK_DETECTED', reason: 'AUDIO_OK', ...(clear.risk && { risk: clear.risk }) };
  const [first] = attacks;
  return first ? unsure(first) : { decision: 'UNCERTAIN', reason: 'NO_SCORES' };
}

function unsure({ reason, risk }: Attack): OverallOutcome {
  const isAlarm = reason === 'SYNTHETIC_SPEECH_DETECTED' || reason === 'PLAYBACK_INDICATION';
  return { decision: 'UNCERTAIN', reason: isAlarm ? 'NO_SCORES' : reason, ...(risk && { risk }) };
}

function pick({ decision, reason, risk }: Factor): OverallOutcome {
  return { decision, reason, ...(risk && { risk }) };
}
