// What is kept of a live call: its course. When a person is erased, it tells no longer who was heard and how surely.

/** A course without scores and whom they are about; what was decided, and when, stays. */
export function withoutScores<Course extends { events: readonly object[] }>(course: Course): Course {
  return {
    ...course,
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
