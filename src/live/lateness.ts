// How late this node is with the calls that it listens to: how long the engine takes for audio that may complete a decision. A
// node that has fallen behind accepts no new calls, so that running calls are still decided in time.
import type { Clock } from '../platform.js';

/** Later than this, decisions come too late to be useful. */
const LATE_MS_MAX = 1000;
/** With fewer calls it is not the calls that make the node late. */
const CALLS_MIN = 20;
/** Measurements this old count half. */
const HALF_LIFE_MS = 5000;

export class Lateness {
  readonly #clock: Clock;
  #sum = 0;
  #weight = 0;
  #atMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#atMs = clock.now();
  }

  /** Called with the time that the engine took to answer. */
  note(waitedMs: number): void {
    this.#fade();
    this.#sum += waitedMs;
    this.#weight += 1;
  }

  /** Recent average; if nothing was measured, the node is not late. */
  get ms(): number {
    this.#fade();
    // One more that did not wait: old measurements lose weight even if no new ones arrive.
    return this.#sum / (this.#weight + 1);
  }

  isTooLate(runningCalls: number): boolean {
    return runningCalls >= CALLS_MIN && this.ms > LATE_MS_MAX;
  }

  #fade(): void {
    const now = this.#clock.now();
    const share = 0.5 ** (Math.max(0, now - this.#atMs) / HALF_LIFE_MS);
    this.#sum *= share;
    this.#weight *= share;
    this.#atMs = now;
  }
}
