// The decision on a session: every authentication and fraud factor of the session and of the earlier sessions of its
// engagement, combined in the order of the contract (docs/reference/voiceprint-management.md#session-decision). Pure.
import { isAboutAudio } from '../model/outcome.js';
import type { Parameters } from '../model/parameters.js';
import { isRefused, type DecisionSummary, type Factor } from '../model/sessions.js';
import { attackFactors, keepsAnswerOpen } from './open-check.js';
import { answeredByPrompt } from './prompt-wanted.js';

const attackKinds = Object.values(attackFactors);

const fraudSide: ReadonlySet<Factor['kind']> = new Set(['FRAUD_DETECTION', ...attackKinds]);

type Scored = Factor & { risk: number; reliability: number };
const isScored = (factor: Factor): factor is Scored =>
  factor.risk !== undefined && factor.reliability !== undefined;

export function decideSession(factors: readonly Factor[], parameters: Parameters): DecisionSummary {
  const relevant = factors.filter((factor) => factor.kind === 'AUTHENTICATION' || fraudSide.has(factor.kind));
  if (relevant.length === 0) return { decision: 'UNCERTAIN', reason: 'NO_DATA' };

  const scored = relevant.filter(isScored);
  // One trustworthy sign of fraud outweighs any number of matches, also where an erasure took its score.
  const alarms = relevant.filter((factor) => factor.decision === 'FRAUD');
  const alarm = highest(alarms.filter(isScored), (factor) => factor.risk);
  if (alarm) return summary('FRAUD', 'FRAUD_RISK', alarm);
  if (alarms.length > 0) return { decision: 'FRAUD', reason: 'FRAUD_RISK' };
  if (scored.length === 0) return withoutScores(relevant);

  const isAnswered = answeredByPrompt(factors);
  const unknown = unfamiliar(scored.filter((factor) => !isAnswered(factor)));
  const asked = relevant.filter((factor) => factor.kind === 'AUTHENTICATION');
  // Among the authentications, the one with the most speech is the most informative; of equals, the latest.
  const authentications = scored.filter((factor) => factor.kind === 'AUTHENTICATION');
  const best = highest(authentications, (factor) => factor.netSpeechMs);
  if (best) {
    if (best.reliability < parameters.authentication.reliabilityMin)
      return summary('UNCERTAIN', 'LOW_RELIABILITY', best);
    // Somebody else speaks in a part of it: its risk is that of the part, and neither a match nor a mismatch
    // of the whole.
    if (best.decision === 'UNCERTAIN') return summary('UNCERTAIN', 'LOW_RELIABILITY', best);
    if (best.risk > parameters.authentication.riskLow) return summary('NO_MATCH', 'NO_MATCH', best);
    // Locked since: earlier findings do not speak for a caller who is refused now.
    if (asked.some((factor, at) => isRefused(factor) && at > asked.lastIndexOf(best)))
      return withoutScores(asked.filter(isRefused));
    return unknown
      ? summary('UNCERTAIN', 'LOW_RELIABILITY', unknown)
      : summary('AUTHENTIC', 'AUTHENTIC', best);
  }
  if (unknown) return summary('UNCERTAIN', 'LOW_RELIABILITY', unknown);
  // Who the caller is was asked and not answered: an all-clear of the other checks does not answer it either.
  if (asked.length > 0) return withoutScores(asked);
  const open = openCheck(relevant.filter((factor) => !isAnswered(factor)));
  if (open) return isScored(open) ? summary('UNCERTAIN', 'LOW_RELIABILITY', open) : withoutScores([open]);

  const clear = highest(
    scored.filter((factor) => factor.decision === 'NO_RISK_DETECTED'),
    (factor) => factor.risk,
  );
  if (clear) return summary('NO_RISK_DETECTED', 'NO_RISK_DETECTED', clear);
  const unsure = highest(scored, (factor) => factor.reliability);
  return unsure
    ? summary('UNCERTAIN', 'LOW_RELIABILITY', unsure)
    : { decision: 'UNCERTAIN', reason: 'NO_AVAILABLE_SCORES' };
}

function withoutScores(factors: readonly Factor[]): DecisionSummary {
  if (factors.some((factor) => factor.decision === 'FAILED'))
    return { decision: 'FAILED', reason: 'INTERNAL_ERROR' };
  const badAudio = factors.some((factor) => isAboutAudio(factor.reason));
  return { decision: 'UNCERTAIN', reason: badAudio ? 'BAD_AUDIO' : 'NO_AVAILABLE_SCORES' };
}

/**
 * The attack check that finds the audio unfamiliar: its risk has no reliability at all, and then there is no
 * all-clear.
 */
function unfamiliar(scored: readonly Scored[]): Scored | undefined {
  for (const kind of attackKinds) {
    const speaking = speakingFor(kind, scored);
    if (speaking?.reliability === 0) return speaking;
  }
  return undefined;
}

/**
 * The attack check that keeps the answer open: for each kind the deciding one, with a score if any has one.
 */
function openCheck(factors: readonly Factor[]): Factor | undefined {
  return attackKinds
    .map((kind) => speakingFor(kind, factors.filter(isScored)) ?? speakingFor(kind, factors))
    .find((speaking) => speaking && keepsAnswerOpen(speaking));
}

/** Of several checks of one kind, the one with the most speech. */
const speakingFor = <T extends Factor>(kind: Factor['kind'], factors: readonly T[]): T | undefined =>
  highest(
    factors.filter((factor) => factor.kind === kind),
    (factor) => factor.netSpeechMs,
  );

function summary(
  decision: DecisionSummary['decision'],
  reason: DecisionSummary['reason'],
  factor: Scored,
): DecisionSummary {
  return { decision, reason, risk: factor.risk, reliability: factor.reliability };
}

/** The entry with the largest measure; of equals the last, which is the newest. */
function highest<T>(entries: readonly T[], measure: (entry: T) => number): T | undefined {
  let best: T | undefined;
  for (const entry of entries) if (best === undefined || measure(entry) >= measure(best)) best = entry;
  return best;
}
