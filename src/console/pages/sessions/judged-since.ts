// Whether somebody has recorded the outcome since the last alarm: then nobody is asked to do so, and an alarm
// that was judged as genuine is a false one.
import type { AnswerOf } from '../../../client/contract.js';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { isJudgedGenuine } from '../biosec/session-words.js';
import { isAlarm } from './events.js';

type Judged = Pick<AnswerOf<'GetSessionTimeline'>, 'carried' | 'engagement' | 'engagementFraudsters'>;

/** `all`: the checks of the session, and later ones of its recordings. Also since what was found where its decision comes from. */
export function isJudgedSince({ engagement, carried }: Judged, all: readonly TimelineEventJson[]): boolean {
  const { verdict, verdictTimestamp = '' } = engagement?.verdictInfo ?? {};
  if (!verdict || verdict === 'ENGAGEMENT_VERDICT_UNSPECIFIED') return false;
  const judgedAtMs = Date.parse(verdictTimestamp);
  const found = [...all.filter(isAlarm), ...(carried?.foundLater ?? [])];
  return found.every(({ time = '' }) => Date.parse(time) <= judgedAtMs);
}

/** Alarms of other sessions of the engagement count as well, where they are known. */
export const isFalseAlarm = (timeline: Judged, all: readonly TimelineEventJson[]): boolean =>
  isJudgedGenuine(timeline.engagement?.verdictInfo?.verdict) &&
  (timeline.engagementFraudsters ?? []).length === 0 &&
  isJudgedSince(timeline, all);
