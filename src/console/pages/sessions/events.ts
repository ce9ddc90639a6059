// Interprets the events of a session's timeline: which check it is, and what it says by itself.
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';

const attackKinds = new Set(['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK']);

export const kindOf = ({ attributes }: TimelineEventJson): string => attributes?.['factor'] ?? '';
const isComparison = (event: TimelineEventJson): boolean => kindOf(event) === 'AUTHENTICATION';
export const isAttackCheck = (event: TimelineEventJson): boolean => attackKinds.has(kindOf(event));
export const isAlarm = ({ decision }: TimelineEventJson): boolean => decision === 'DECISION_FRAUD';
const isMatch = (event: TimelineEventJson): boolean =>
  isComparison(event) && event.decision === 'DECISION_AUTHENTIC';

/** Of an event that is judged again; each answer to a prompt stands for itself. */
const liveCallOf = (event: TimelineEventJson): string =>
  kindOf(event) === 'LIVENESS' ? '' : (event.attributes?.['liveCallId'] ?? '');

/** The call could not be listened to any further, or somebody stopped listening. */
const cuts = new Set(['CutOffCall', 'LoseCall']);
const isCut = ({ operation = '', attributes }: TimelineEventJson): boolean =>
  cuts.has(operation) || (operation === 'EndCall' && attributes?.['endReason'] !== undefined);

/** The connection broke, and may come back. */
export const isWaiting = ({ operation }: TimelineEventJson): boolean => operation === 'LoseCall';

/** The event with which listening ended although the call may have gone on, if nothing was heard after it. */
export function cutOffIn(events: readonly TimelineEventJson[]): TimelineEventJson | undefined {
  const last = events.findLast((event) => isCut(event) || event.isFactor || event.operation === 'ResumeCall');
  return last && isCut(last) ? last : undefined;
}

/** A live call in which nothing could be judged, if nothing else was heard in the session. */
export function unheardIn(
  events: readonly TimelineEventJson[],
): { seconds: number; speech: number } | undefined {
  if (events.some(({ isFactor }) => isFactor)) return undefined;
  const found = events.findLast(({ operation }) => operation === 'LiveAudio');
  if (!found) return undefined;
  const secondsIn = (name: string): number => Number(found.attributes?.[name] ?? 0) / 1000;
  return { seconds: secondsIn('lengthMs'), speech: secondsIn('netSpeechMs') };
}

/**
 * The voiceprint that an attack would target, however the voice was compared with it: the last one compared
 * alone, or matched among several. A print that was merely the nearest of several does not count.
 */
export const printToLock = (events: readonly TimelineEventJson[]): string | undefined =>
  events.findLast(
    (event) =>
      isComparison(event) &&
      event.gkVoiceprintProfileId?.value &&
      (isMatch(event) || Number(event.attributes?.['prints'] ?? 1) <= 1),
  )?.gkVoiceprintProfileId?.value;

/** The single channel that all checks of a recording have heard; undefined if it has only one, or if they heard several. */
export function channelIn(made: readonly TimelineEventJson[]): number | undefined {
  const heard = new Set(made.flatMap(({ attributes }) => attributes?.['channel'] ?? []));
  const [one, ...others] = heard;
  return one !== undefined && one !== '0' && others.length === 0 ? Number(one) : undefined;
}

/**
 * The current result of each check: a live call is judged again and again on more of the same speech, and the
 * last result counts.
 */
export function latestOf(events: readonly TimelineEventJson[]): TimelineEventJson[] {
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
