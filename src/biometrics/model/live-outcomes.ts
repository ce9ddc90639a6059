// What is stored of a live call: its course. When a person is erased, it no longer says who was heard and with what score; and
// a call that ends while nobody is listening to it gets its last event.
import { DAY_MS } from '../../platform.js';

/** How long it is kept after its last event. */
export const COURSE_KEPT_MS = DAY_MS;

/**
 * A course without scores and whom they are about; what was decided, and when, stays. It is marked, so that a
 * second erasure does not count it again.
 */
export function withoutScores<Course extends { events: readonly object[] }>(
  course: Course,
): Course & { isErased: true } {
  return {
    ...course,
    isErased: true,
    events: course.events.map((event) => {
      const {
        score: _score,
        risk: _risk,
        reliability: _reliability,
        gkVoiceprintProfileId: _print,
        ...rest
      } = event as Record<string, unknown>;
      return rest;
    }),
  };
}

/** Adds one event, which repeats the last state and says why it is the last. */
export function endedCourse<
  Course extends { ended: boolean; events: readonly { sequence: number; atMs: number }[] },
>(course: Course, end: Partial<Course['events'][number]> & { atMs: number }): Course {
  const last = course.events.at(-1);
  if (!last || course.ended) return course;
  return {
    ...course,
    ended: true,
    events: [...course.events, { ...last, ...end, sequence: last.sequence + 1 }],
  };
}

/** Everything there is to report about a withdrawn call. */
export function withdrawnOutcome<Why extends { reason: string; endReason: string }>(
  liveCallId: string,
  atMs: number,
  why: Why,
) {
  const nothing = { netSpeechMs: 0, positionMs: 0 };
  return { liveCallId, sequence: 1, atMs, state: 'LISTENING' as const, ...nothing, ...why };
}
