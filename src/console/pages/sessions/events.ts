// Interprets the events of a session's timeline: which check it is, and what it says by itself.
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/checks.js';
import { t as sessions } from '../../text/sessions.js';
import { REFUSED_FOR_LOCK, withoutPrint } from '../biosec/advice.js';

const text = sessions.session.verdict;
const attackKinds = new Set(['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK']);

export const kindOf = ({ attributes }: TimelineEventJson): string => attributes?.['factor'] ?? '';
export const isComparison = (event: TimelineEventJson): boolean => kindOf(event) === 'AUTHENTICATION';
export const isAttackCheck = (event: TimelineEventJson): boolean => attackKinds.has(kindOf(event));
export const isListCheck = (event: TimelineEventJson): boolean => kindOf(event) === 'FRAUD_DETECTION';
export const isRefused = ({ reason }: TimelineEventJson): boolean => reason === REFUSED_FOR_LOCK;
export const isClear = ({ decision }: TimelineEventJson): boolean => decision === 'DECISION_NO_RISK_DETECTED';
export const isAlarm = ({ decision }: TimelineEventJson): boolean => decision === 'DECISION_FRAUD';
export const isMatch = (event: TimelineEventJson): boolean =>
  isComparison(event) && event.decision === 'DECISION_AUTHENTIC';

/** On a channel with an agent or a machine: it says nothing about the caller. */
export const isOfAgent = ({ attributes }: TimelineEventJson): boolean => attributes?.['party'] === 'AGENT';

/** A list without any trained voiceprint cannot find anybody. */
export const hasComparedNobody = (event: TimelineEventJson): boolean =>
  isListCheck(event) && (event.reason === 'NO_SCORES' || event.reason === 'NOT_ENOUGH_SEGMENTS');

/** There was no voice to compare with. */
export const isOfNobody = (event: TimelineEventJson): boolean =>
  hasComparedNobody(event) || withoutPrint.has(event.reason ?? '');

export const liveCallOf = ({ attributes }: TimelineEventJson): string => attributes?.['liveCallId'] ?? '';

/** A live call has no recording; its events are identified by the call. */
export const mediaOf = (event: TimelineEventJson): string =>
  event.gkMediaSegmentId?.value ?? liveCallOf(event);

/** In words. */
export const attackName = (event: TimelineEventJson): string => attackWords(kindOf(event));
export const attackWords = (kind: string): string => t.attackNames[kind] ?? kind;

/** In words. */
export const checkName = (event: TimelineEventJson): string => {
  if (isComparison(event)) return text.comparison;
  return isListCheck(event) ? text.listCheck : attackName(event);
};

/**
 * The current result of each check: a live call is judged again and again on more of the same speech, and the
 * last result counts.
 */
export function standingOf(events: readonly TimelineEventJson[]): TimelineEventJson[] {
  const last = new Map(events.map((event) => [`${liveCallOf(event)} ${kindOf(event)}`, event]));
  return events.filter(
    (event) => liveCallOf(event) === '' || last.get(`${liveCallOf(event)} ${kindOf(event)}`) === event,
  );
}

/** The seconds of the call in which somebody else, or a known fraudster, was heard. */
export function placeOf({ attributes }: TimelineEventJson): { from: number; to: number } | undefined {
  const [from, to] = [Number(attributes?.['stretchFromMs']), Number(attributes?.['stretchToMs'])];
  return Number.isNaN(from) || Number.isNaN(to) ? undefined : { from: from / 1000, to: to / 1000 };
}
