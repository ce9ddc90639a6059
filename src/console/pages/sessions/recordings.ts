// The recordings of a session, in the order in which the page numbers them, each with what was made of it.
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';

/** Adding a recording decides nothing about anybody. */
export const hasDecided = ({ operation, decision }: TimelineEventJson): boolean =>
  operation !== 'Enroll' && decision !== undefined && decision !== 'DECISION_UNSPECIFIED';

/** A recording became part of a voiceprint: nothing was decided, and there is something to listen to. */
export const isEnrollment = ({ attributes }: TimelineEventJson): boolean =>
  attributes?.['factor'] === 'ENROLLMENT';

/** Only its quality was looked at: there is something to listen to all the same. */
export const isExamined = ({ operation }: TimelineEventJson): boolean => operation === 'ProcessAudio';

/** Checks by the recording they were made on, in the order in which it was first heard; of one without any, that it was examined. */
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

/** Speech in the recording as far as it was heard. */
export const speechMsOf = ({ attributes }: TimelineEventJson): number =>
  Number(attributes?.['netSpeechMs'] ?? attributes?.['netAudioMs'] ?? 0);
