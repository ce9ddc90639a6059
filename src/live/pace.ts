// How far the audio of a call lags behind real time: in a live telephone call, audio that has not arrived yet
// is on its way or waiting somewhere.
import type { Clock } from '../platform.js';

/** An engine that lets this much audio wait is slow. */
export const SLOW_MS = 200;
/** A sender that is this far ahead does not send in real time. */
const AHEAD_MS_MAX = 200;
/**
 * A line that was silent, has begun to lag, or has a different clock is accepted as it is after this long.
 */
const TAKEN_AS_IT_IS_MS = 5000;

export class Pace {
  readonly #clock: Clock;
  #sinceMs = -Infinity;
  /** When the first heard audio would have been spoken, if all of it had arrived at once. */
  #beganAtMs = 0;
  #heardMs = 0;
  #leastBehindMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  heard(ms: number): void {
    const now = this.#clock.now();
    if (now - this.#sinceMs >= TAKEN_AS_IT_IS_MS) {
      // Measured at the time when the least was on its way; at the beginning, or after a long silence,
      // everything spoken has arrived.
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
