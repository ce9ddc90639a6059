// How far the audio of a call is behind the time that has passed: what a telephone sends as it is spoken is on its way or waits
// somewhere, if it has not come yet.
import type { Clock } from '../platform.js';

/** An engine that lets so much audio wait is not quick. */
export const SLOW_MS = 200;
/** A sender that is this far ahead does not send in real time. */
const AHEAD_MS_MAX = 200;
/** A line that was silent, that came to lag, or whose clock is not ours, is taken as it is after so long. */
const TAKEN_AS_IT_IS_MS = 5000;

export class Pace {
  readonly #clock: Clock;
  #sinceMs = -Infinity;
  /** When the first of what was heard would have been spoken, had all of it come at once. */
  #beganAtMs = 0;
  #heardMs = 0;
  #leastBehindMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  heard(ms: number): void {
    const now = this.#clock.now();
    if (now - this.#sinceMs >= TAKEN_AS_IT_IS_MS) {
      // By the time when the least was on its way; from the beginning, or after a long silence, all is there that was said.
      const isAnew = now - this.#sinceMs >= 2 * TAKEN_AS_IT_IS_MS;
      this.#beganAtMs = isAnew ? now - this.#heardMs : this.#beganAtMs + this.#leastBehindMs;
      this.#leastBehindMs = Infinity;
      this.#sinceMs = now;
    }
    this.#heardMs += ms;
    this.#leastBehindMs = Math.min(this.#leastBehindMs, this.#behindMs);
  }

  get #behindMs(): number {
    return this.#clock.now() - this.#beganAtMs - this.#heardMs;
  }

  get isAhead(): boolean {
    return this.#behindMs < -AHEAD_MS_MAX;
  }

  /** How long it takes until this much more has arrived; 0 if it is not sent in real time. */
  untilMs(missingMs: number): number {
    return this.isAhead ? 0 : Math.max(0, missingMs - Math.max(0, this.#behindMs));
  }
}
