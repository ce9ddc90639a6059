// How many calls a client may begin per second, counted by this node: a bucket that holds one second's worth.
import type { Clock } from '../../platform.js';

interface Level {
  left: number;
  atMs: number;
}

/** Owners that are remembered; the longest silent are forgotten first, whose buckets are full again anyway. */
const OWNERS_MAX = 10_000;

export class CallRate {
  readonly #perSecond: number;
  readonly #clock: Clock;
  readonly #levels = new Map<string, Level>();

  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  /** Takes one; answers 0, or the milliseconds until one is there. */
  take(owner: string): number {
    const now = this.#clock.now();
    const before = this.#levels.get(owner);
    // A clock that steps back must not take calls away.
    const refilled = before ? (Math.max(0, now - before.atMs) * this.#perSecond) / 1000 : this.#perSecond;
    const left = Math.min(this.#perSecond, (before?.left ?? 0) + refilled);
    const granted = left >= 1;
    // Last in the order of the map: the first is the longest silent.
    this.#levels.delete(owner);
    this.#levels.set(owner, { left: granted ? left - 1 : left, atMs: now });
    if (this.#levels.size > OWNERS_MAX) this.#levels.delete(this.#levels.keys().next().value as string);
    return granted ? 0 : Math.ceil(((1 - left) * 1000) / this.#perSecond);
  }
}
