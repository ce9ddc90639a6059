// The head of a session's page: one sentence, and what to do.
import type { AnswerOf } from '../../../client/contract.js';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';
import { isJudgedFraud, isJudgedGenuine } from '../biosec/session-words.js';
import { adviceOnCarried } from './carried.js';
import { enrolledAlone } from './deciding-check.js';
import { isFalseAlarm } from './judged-since.js';
import { claimWords, withMore } from './left-out.js';
import { judgedAsFraud, verdictOn } from './verdict.js';
import { whoCalled, whoWords } from './who-called.js';

type Timeline = Omit<AnswerOf<'GetSessionTimeline'>, 'events' | 'laterChecks'>;

/** `later`: later checks of its recordings; `isNews`: they found something that was not known. */
export function sessionSummary(
  timeline: Timeline,
  events: readonly TimelineEventJson[],
  { later, isNews }: { later: readonly TimelineEventJson[]; isNews: boolean },
): Advice {
  if (timeline.isErased) return t.session.verdict.erased;
  const decision = timeline.session?.riskInfo?.decision;
  const byChecks = enrolledAlone(decision, events, later) ?? decided(timeline, events, { later, isNews });
  const isFraud = isJudgedFraud(timeline.engagement?.verdictInfo?.verdict);
  if (decision === 'DECISION_FRAUD' && isFalseAlarm(timeline, [...events, ...later]))
    return { title: byChecks.title, next: t.session.verdict.judgedGenuine };
  return (isFraud && judgedAsFraud(decision, byChecks)) || byChecks;
}

function decided(
  timeline: Timeline,
  events: readonly TimelineEventJson[],
  { later, isNews }: { later: readonly TimelineEventJson[]; isNews: boolean },
): Advice {
  const { decision, decisionReason: reason } = timeline.session?.riskInfo ?? {};
  const who = whoCalled(timeline, events);
  if (!timeline.carried || isNews) {
    const advice = verdictOn({ decision, reason }, events, later, { ...timeline, who });
    return isMadeIntoFraudster(timeline) ? withMore(advice, t.session.verdict.enrolledSince) : advice;
  }
  const advice = adviceOnCarried(decision, timeline.carried, who.claim?.name);
  const claim = timeline.withoutClaimed ? `${claimWords(who.claim?.name ?? '').beside}.` : undefined;
  const more = whoWords(decision, who, true) ?? claim;
  return more ? withMore(advice, more) : advice;
}

/** The page of a session judged as genuine says it in more words. */
const isMadeIntoFraudster = ({ session, engagement, madeFraudsters = [] }: Timeline): boolean =>
  session?.riskInfo?.decision === 'DECISION_AUTHENTIC' &&
  madeFraudsters.length > 0 &&
  !isJudgedGenuine(engagement?.verdictInfo?.verdict);
