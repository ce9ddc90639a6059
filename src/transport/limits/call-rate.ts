// How many calls a client may begin per second: a bucket that holds one second's worth. Nodes that share a database tell each
// other what they granted, so that the limit holds over all of them.
import type { Clock } from '../../platform.js';

interface Level {
  left: number;
  atMs: number;
}

/** Owners that are remembered; the longest silent are forgotten first, whose buckets are full again anyway. */
const OWNERS_MAX = 10_000;

/** Told of every call that is granted here; `drain` is told later what the other nodes granted. */
export type ShareCalls = (
  drain: (owner: string, taken: number) => void,
) => ((owner: string) => void) | undefined;

/** What others granted leaves a debt of at most so many seconds: nobody is locked out for long. */
const DEBT_SECONDS_MAX = 5;

export class CallRate {
  readonly #perSecond: number;
  readonly #clock: Clock;
  readonly #levels = new Map<string, Level>();
  readonly #onGranted: ((owner: string) => void) | undefined;

  constructor(perSecond: number, clock: Clock, share?: ShareCalls) {
    this.#perSecond = perSecond;
    this.#clock = clock;
    this.#onGranted = share?.((owner, taken) => {
      const debtMax = -DEBT_SECONDS_MAX * perSecond;
      this.#set(owner, Math.max(debtMax, this.#left(owner) - taken));
    });
  }

  /** Takes one; answers 0, or the milliseconds until one is there. */
  take(owner: string): number {
    const left = this.#left(owner);
    const granted = left >= 1;
    this.#set(owner, granted ? left - 1 : left);
    if (granted) this.#onGranted?.(owner);
    return granted ? 0 : Math.ceil(((1 - left) * 1000) / this.#perSecond);
  }

  #left(owner: string): number {
    const before = this.#levels.get(owner);
    if (!before) return this.#perSecond;
    // A clock that steps back must not take calls away.
    const refilled = (Math.max(0, this.#clock.now() - before.atMs) * this.#perSecond) / 1000;
    return Math.min(this.#perSecond, before.left + refilled);
  }

  #set(owner: string, left: number): void {
    // Last in the order of the map: the first is the longest silent.
    this.#levels.delete(owner);
    this.#levels.set(owner, { left, atMs: this.#clock.now() });
    if (this.#levels.size > OWNERS_MAX) this.#levels.delete(this.#levels.keys().next().value as string);
  }
}
