// What the checks of a session leave open, by the same rule as in lists.
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import {
  attackChecks,
  goneRecording,
  openPoints,
  type AttackCheck,
  type MadeCheck,
  type OpenPoints,
} from '../../../marks/open-points.js';
import { isAttackCheck, isClear, isComparison, isListCheck, isMatch, isOfNobody, kindOf } from './events.js';

/** `later`: what became known about its recordings after the decision. */
export const openPointsOf = (
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): OpenPoints => openPoints(events.map(checkOf), later.map(checkOf));

const checkOf = (event: TimelineEventJson): MadeCheck => ({
  kind: kindOf(event),
  decision: event.decision?.replace('DECISION_', '') ?? '',
  list: isListCheck(event) ? (event.attributes?.['gkWatchlistId'] ?? '') : '',
  recording: recordingOf(event),
  isOfNobody: isOfNobody(event),
});

/** A live call has no recording, and others may have been deleted. */
function recordingOf({ gkMediaSegmentId, gkProcessedAudioId }: TimelineEventJson): string {
  const processed = gkProcessedAudioId?.value;
  return gkMediaSegmentId?.value ?? (processed ? goneRecording(processed) : '');
}

/**
 * For one recording: a voice matched, or is not a known fraudster's, or there was nobody to compare with; and
 * no check asked whether a live person spoke.
 */
export function isUnchecked(made: readonly TimelineEventJson[]): boolean {
  if (made.some(isAttackCheck)) return false;
  const compared = made.filter((event) => isComparison(event) || isListCheck(event));
  return (
    compared.some((event) => isMatch(event) || (isListCheck(event) && isClear(event))) ||
    (compared.length > 0 && compared.every(isOfNobody))
  );
}

/** For one recording: the attack checks that were not made. */
export const missingChecks = (made: readonly TimelineEventJson[]): AttackCheck[] =>
  attackChecks.filter((check) => !made.some((event) => kindOf(event) === check));
