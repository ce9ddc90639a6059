// The check that decided a session, and why that one, in a sentence. The rule is the server's
// (docs/reference/voiceprint-management.md#session-decision).
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';
import { isUndecided } from '../biosec/session-words.js';
import { checkName, isAlarm, isAttackCheck, isClear, isComparison, isMatch } from './events.js';
import { byRecording, hasDecided, isEnrollment, speechMsOf } from './recordings.js';

const text = t.session.decidedBy;

const secondsOf = (event: TimelineEventJson): number => speechMsOf(event) / 1000;

/**
 * Undefined if no score has decided, or none that is still known. `isCarried`: it was decided in another
 * session.
 */
export function decidedBy(
  decided: SessionDetailsForReadJson['riskInfo'],
  events: readonly TimelineEventJson[],
  isCarried = false,
): string | undefined {
  const earlier = isCarried ? text.earlier : undefined;
  if (decided?.risk === undefined) return undefined;
  const made = events.filter(({ isFactor, risk }) => isFactor && risk !== undefined);
  const isIt = ({ risk, reliability = 0 }: TimelineEventJson): boolean =>
    risk === decided.risk && reliability === (decided.reliability ?? 0);
  const last = (
    fits: (event: TimelineEventJson) => boolean,
    say: (typeof text)['alarm'],
  ): string | undefined => {
    const found = made.findLast((event) => fits(event) && isIt(event));
    return found ? say(checkName(found), secondsOf(found)) : earlier;
  };
  if (decided.decision === 'DECISION_FRAUD') return last(isAlarm, text.alarm);
  if (decided.decision === 'DECISION_NO_RISK_DETECTED') return last(isClear, text.clear);
  const compared = made.filter(isComparison);
  const most = Math.max(...compared.map(speechMsOf));
  const best = compared.findLast((event) => speechMsOf(event) === most);
  if (best && isIt(best)) return comparisonWords(best, compared, events);
  return decided.decision === 'DECISION_UNCERTAIN' ? last(isAttackCheck, text.open) : earlier;
}

/** A session that only made a voiceprint had nothing to decide. */
export function enrolledAlone(
  decision: DecisionJson | undefined,
  events: readonly TimelineEventJson[],
  later: readonly unknown[],
): Advice | undefined {
  const count = events.filter(isEnrollment).length;
  if (count === 0 || later.length > 0 || !isUndecided(decision) || events.some(hasDecided)) return undefined;
  return { title: t.session.enrolledAlone(count), next: '' };
}

function comparisonWords(
  best: TimelineEventJson,
  compared: readonly TimelineEventJson[],
  events: readonly TimelineEventJson[],
): string {
  const others = compared.filter((event) => event !== best);
  const seconds = secondsOf(best);
  if (others.length === 0) return text.comparison(seconds);
  const next = Math.max(...others.map(secondsOf));
  const where = recordingName(best, events);
  const words =
    next === seconds
      ? text.latest(compared.length, seconds, where)
      : text.mostSpeech(compared.length, seconds, where, next);
  // A longer matching recording raises the question why it does not decide.
  return !isMatch(best) && others.some(isMatch) ? `${words} ${text.matchEndsEarly}` : words;
}

/** By its number on the page; empty if there is only one, or if none was kept. */
function recordingName(
  { gkMediaSegmentId }: TimelineEventJson,
  events: readonly TimelineEventJson[],
): string {
  const recordings = byRecording(events).map(([media]) => media);
  const media = gkMediaSegmentId?.value ?? '';
  return recordings.length > 1 && media ? t.heard.recording(recordings.indexOf(media) + 1) : '';
}
