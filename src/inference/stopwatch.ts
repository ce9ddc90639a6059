// Stage times, for the benchmark and for slow-call logs.
import type { Check } from '../voice/check.js';

export class Stopwatch {
  readonly #now: () => number;
  readonly timings: Record<string, number> = {};
  #last: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#last = now();
  }

  /** Counts the time since the last lap towards a stage. */
  lap(stage: string): void {
    const now = this.#now();
    this.timings[stage] = (this.timings[stage] ?? 0) + now - this.#last;
    this.#last = now;
  }

  /** A job that yields is not charged for the time that it waits. */
  stoppingFor(check: Check): Check {
    return () => {
      const wait = check();
      return wait && this.#without(wait);
    };
  }

  async #without(wait: Promise<void>): Promise<void> {
    const ranMs = this.#now() - this.#last;
    await wait;
    this.#last = this.#now() - ranMs;
  }

  /** Time without work, such as a decision made elsewhere, counts towards nothing. */
  resume(): void {
    this.#last = this.#now();
  }
}
