// The recordings of a session, in the order of their numbers on the page, each with its checks.
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';

/** Adding a recording decides nothing about anybody. */
export const hasDecided = ({ operation, decision }: TimelineEventJson): boolean =>
  operation !== 'Enroll' && decision !== undefined && decision !== 'DECISION_UNSPECIFIED';

/** A recording became part of a voiceprint: nothing was decided, but there is something to listen to. */
export const isEnrollment = ({ attributes }: TimelineEventJson): boolean =>
  attributes?.['factor'] === 'ENROLLMENT';

/** Only its quality was examined, but there is something to listen to. */
export const isExamined = ({ operation }: TimelineEventJson): boolean => operation === 'ProcessAudio';

/**
 * Checks by recording, in the order in which each was first heard; a recording without checks has the event
 * of its examination.
 */
export function byRecording(events: readonly TimelineEventJson[]): [string, TimelineEventJson[]][] {
  const groups = new Map<string, TimelineEventJson[]>();
  for (const event of events) {
    if (!hasDecided(event) && !isEnrollment(event) && !isExamined(event)) continue;
    const media = event.gkMediaSegmentId?.value ?? '';
    const others = (groups.get(media) ?? []).filter((other) => !isExamined(other));
    if (!isExamined(event) || others.length === 0) groups.set(media, [...others, event]);
  }
  return [...groups];
}

/** Speech in the part of the recording that was heard. */
export const speechMsOf = ({ attributes }: TimelineEventJson): number =>
  Number(attributes?.['netSpeechMs'] ?? attributes?.['netAudioMs'] ?? 0);
