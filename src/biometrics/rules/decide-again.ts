// Decides again, under other settings, what was measured in a call. Pure.
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import { ALARM_RISK, UNDECIDED_RELIABILITY } from '../../voice/spoof/detector.js';
import type { Decision } from '../model/outcome.js';
import type { Parameters } from '../model/parameters.js';
import type { Factor } from '../model/sessions.js';
import { decideScore } from './decide-score.js';
import { alarmRisk } from './judge-attack.js';
import { decideSession } from './session-decision.js';

/** A measured factor, and the settings under which it was decided then. */
export interface Measured {
  factor: Factor;
  own: Parameters;
}

/** One call, as two settings decide it. */
export interface Compared {
  active: Decision;
  shadow: Decision;
  /** The check in which they differ, or else the last one. */
  factor: Factor;
}

/** Enrollment and audio that was only inspected decide nothing. */
const deciding: ReadonlySet<Factor['kind']> = new Set([
  'AUTHENTICATION',
  'FRAUD_DETECTION',
  'SYNTHETIC_SPEECH',
  'CHANNEL_PLAYBACK',
]);

export const isDecision = ({ kind }: Pick<Factor, 'kind'>): boolean => deciding.has(kind);

/**
 * The decision on a whole call under both: what its agent was told, and would have been told. Undefined if
 * nothing was decided.
 */
export function compareCall(
  measured: readonly Measured[],
  model: SpeakerModel,
  { active, shadow }: { active: Parameters; shadow: Parameters },
): Compared | undefined {
  const last = measured.at(-1)?.factor;
  if (!last) return undefined;
  const under = (parameters: Parameters): Factor[] =>
    measured.map(({ factor, own }) =>
      own === parameters ? factor : decideAgain(factor, { model, parameters, own }),
    );
  const [then, now] = [under(active), under(shadow)];
  const differing = measured.findLast((_, index) => then[index]?.decision !== now[index]?.decision);
  return {
    active: decideSession(then, active).decision,
    shadow: decideSession(now, shadow).decision,
    factor: differing?.factor ?? last,
  };
}

interface Settings {
  model: SpeakerModel;
  parameters: Parameters;
  /** The settings under which the factor was decided when it was measured. */
  own: Parameters;
}

function decideAgain(factor: Factor, { model, parameters, own }: Settings): Factor {
  const { kind, score, reliability, netSpeechMs } = factor;
  // Without a score the audio was at fault, and no threshold changes that.
  if (score === undefined || reliability === undefined) return factor;
  if (kind !== 'AUTHENTICATION' && kind !== 'FRAUD_DETECTION')
    return { ...factor, decision: attackAgain(factor, parameters, own) };
  const side = kind === 'AUTHENTICATION' ? 'authentication' : 'fraudDetection';
  const least = ({ [side]: { netSpeechSecondsMin } }: Parameters): number => netSpeechSecondsMin * 1000;
  // For a reason other than its limits, such as somebody else who is heard in a part of it.
  const isUnreliable =
    factor.decision === 'UNCERTAIN' && reliability >= own[side].reliabilityMin && netSpeechMs >= least(own);
  if (isUnreliable) return factor;
  const { decision, risk } = decideScore(
    { side: kind, model, parameters },
    { llr: score, reliability },
    (factor.prints ?? 1) * (factor.looks ?? 1),
  );
  if (netSpeechMs >= least(parameters)) return { ...factor, decision, risk: risk.risk };
  // As stored for a call with too little speech.
  const { score: _score, risk: _risk, reliability: _reliability, ...unscored } = factor;
  return { ...unscored, decision: 'UNCERTAIN', reason: 'AUDIO_TOO_SHORT' };
}

function attackAgain(
  { kind, decision, risk, reliability = 0, bandwidth }: Factor,
  { attackChecks }: Parameters,
  own: Parameters,
): Decision {
  const { reliabilityMin } = attackChecks;
  const riskHigh = alarmRisk(kind === 'SYNTHETIC_SPEECH' ? 'synthetic' : 'playback', bandwidth, attackChecks);
  if (risk === undefined) return 'UNCERTAIN';
  // A score that attacks and people share is an alarm if these settings set the line at or below it.
  if (decision === 'UNCERTAIN' && reliability === UNDECIDED_RELIABILITY)
    return risk >= riskHigh ? 'FRAUD' : 'UNCERTAIN';
  // A detector that did not trust itself on this audio does not do so under other settings either.
  const isDistrusted = decision === 'UNCERTAIN' && reliability >= own.attackChecks.reliabilityMin;
  if (isDistrusted || reliability < reliabilityMin) return 'UNCERTAIN';
  if (risk >= riskHigh) return 'FRAUD';
  // An alarm by a tenant's alarm threshold below the detector's: without that line, it is such a score.
  return decision === 'FRAUD' && risk < ALARM_RISK ? 'UNCERTAIN' : 'NO_RISK_DETECTED';
}
