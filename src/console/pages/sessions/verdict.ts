// One verdict over a session: what all its checks together say, and what to do. No check is told as if it stood alone.
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/checks.js';
import { t as sessions } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';
import { adviceOn, REFUSED_FOR_LOCK, sessionReason } from '../biosec/advice.js';

const text = sessions.session.verdict;
const attackKinds = new Set(['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK']);

const kindOf = ({ attributes }: TimelineEventJson): string => attributes?.['factor'] ?? '';
const isComparison = (event: TimelineEventJson): boolean => kindOf(event) === 'AUTHENTICATION';
export const isAttackCheck = (event: TimelineEventJson): boolean => attackKinds.has(kindOf(event));
export const isRefused = ({ reason }: TimelineEventJson): boolean => reason === REFUSED_FOR_LOCK;

/** Where listening ended because the server was gone, and nothing was heard after it. */
export function cutOffIn(events: readonly TimelineEventJson[]): TimelineEventJson | undefined {
  const last = events.findLast(({ operation, isFactor }) => operation === 'CutOffCall' || isFactor);
  return last?.operation === 'CutOffCall' ? last : undefined;
}

/** In words. */
export const attackName = (event: TimelineEventJson): string => t.attackNames[kindOf(event)] ?? kindOf(event);

const isMatch = (event: TimelineEventJson): boolean =>
  isComparison(event) && event.decision === 'DECISION_AUTHENTIC';
const mediaOf = (event: TimelineEventJson): string => event.gkMediaSegmentId?.value ?? '';

/** Of one recording: a voice matched, and nobody asked whether a live person spoke. */
export const isUnchecked = (made: readonly TimelineEventJson[]): boolean =>
  made.some(isMatch) && !made.some(isAttackCheck);

/** Whether a match in the session rests on a recording that no attack check has heard, then or later. */
function hasUnchecked(events: readonly TimelineEventJson[], later: readonly TimelineEventJson[]): boolean {
  const heard = [...events, ...later.filter(isAttackCheck)];
  return events.some((match) =>
    isUnchecked([match, ...heard.filter((event) => mediaOf(event) === mediaOf(match))]),
  );
}

interface Decided {
  decision: DecisionJson | undefined;
  reason: string | undefined;
}

/** `later`: what became known of its recordings after the decision, which stays as it is. */
export function verdictOn(
  { decision, reason }: Decided,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[] = [],
): Advice {
  const foundLater = decision === 'DECISION_FRAUD' ? undefined : alarmLater(later);
  if (foundLater) return foundLater;
  if (!decision || decision === 'DECISION_UNSPECIFIED')
    return { title: reason ? sessionReason(reason) : sessions.session.nothingDecided, next: '' };
  if (decision === 'DECISION_FRAUD') return alarmIn(events);
  const last = events.findLast(isComparison);
  if (decision === 'DECISION_UNCERTAIN' && last && isRefused(last)) return text.refused;
  const doubt = decision === 'DECISION_AUTHENTIC' ? doubtOn(events, later) : undefined;
  if (doubt) return doubt;
  const { next } = t.byDecision[decision];
  return { title: reason ? sessionReason(reason) : t.byDecision[decision].title, next };
}

/** Whether whoever reads of a match may carry on: what the verdict says, and every match beside it as well. */
export const isReliable = (
  decision: DecisionJson | undefined,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): boolean => decision === 'DECISION_AUTHENTIC' && doubtOn(events, later) === undefined;

/** What speaks against the matches of a session that was decided by them; every one must have been checked and found clear. */
function doubtOn(
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): Advice | undefined {
  if (events.some(isAlarm)) return alarmIn(events);
  const found = alarmLater(later);
  if (found) return found;
  if (hasUnchecked(events, later)) return text.notChecked;
  const matched = new Set(events.filter(isMatch).map(mediaOf));
  const checks = [...events, ...later].filter((event) => isAttackCheck(event) && matched.has(mediaOf(event)));
  return checks.every(({ decision }) => decision === 'DECISION_NO_RISK_DETECTED')
    ? undefined
    : text.checkUncertain;
}

export const isAlarm = ({ decision }: TimelineEventJson): boolean => decision === 'DECISION_FRAUD';

/** A known fraudster comes first. That the voice is not somebody's to whom it was compared later is no alarm about this call. */
function alarmLater(later: readonly TimelineEventJson[]): Advice | undefined {
  const alarms = later.filter(isAlarm);
  if (alarms.some((event) => kindOf(event) === 'FRAUD_DETECTION')) return text.fraudsterLater;
  const attacks = new Set(alarms.filter(isAttackCheck).map(attackName));
  if (attacks.size === 0) return undefined;
  return { ...text.attackLater, title: text.attackLater.title([...attacks].join(', ')) };
}

/** Which check has raised it; the riskiest speaks. */
function alarmIn(events: readonly TimelineEventJson[]): Advice {
  const { title, next } = t.byDecision.DECISION_FRAUD;
  const alarms = events.filter(isAlarm);
  const [worst] = alarms.toSorted((a, b) => (b.risk ?? 0) - (a.risk ?? 0));
  if (!worst) return { title, next };
  if (kindOf(worst) === 'FRAUD_DETECTION') return { ...text.fraudster, next };
  if (isAttackCheck(worst))
    return adviceOn({ question: 'attack', decision: worst.decision, reason: worst.reason });
  return { ...text.otherVoice, next };
}
