// Time limits of the calls in flight. Nearly every call ends long before its limit, so a timer for each would
// be made only to be thrown away; one coarse clock looks at all of them instead, and short limits, where the
// grain would show, get a timer of their own.

const GRAIN_MS = 100;
/** Limits below this are kept to the millisecond. */
const EXACT_BELOW_MS = 2000;

/** Why a call is not waited for any longer. */
export type Expiry = 'deadline' | 'shutdown';

interface Waiting {
  expiresAtMs: number;
  expire: (why: Expiry) => void;
}

export class Deadlines {
  readonly #waiting = new Set<Waiting>();
  readonly #exact = new Map<NodeJS.Timeout, (why: Expiry) => void>();
  #clock: NodeJS.Timeout | undefined;

  /** Calls `expire` after the given time; the returned function calls it off. `now` is of `performance.now()`. */
  add(now: number, timeLeftMs: number, expire: (why: Expiry) => void): () => void {
    if (timeLeftMs < EXACT_BELOW_MS) return this.#addExact(timeLeftMs, expire);
    const entry: Waiting = { expiresAtMs: now + timeLeftMs, expire };
    this.#waiting.add(entry);
    if (!this.#clock) this.#clock = setInterval(() => this.#sweep(), GRAIN_MS);
    return () => void this.#waiting.delete(entry);
  }

  /** The server stops: whoever is still waiting is told now. */
  end(): void {
    const all = [...this.#exact.values(), ...[...this.#waiting].map(({ expire }) => expire)];
    for (const timer of this.#exact.keys()) clearTimeout(timer);
    this.#exact.clear();
    this.#waiting.clear();
    for (const expire of all) expire('shutdown');
  }

  #addExact(timeLeftMs: number, expire: (why: Expiry) => void): () => void {
    const timer = setTimeout(() => {
      this.#exact.delete(timer);
      expire('deadline');
    }, timeLeftMs);
    this.#exact.set(timer, expire);
    return () => {
      clearTimeout(timer);
      this.#exact.delete(timer);
    };
  }

  #sweep(): void {
    if (this.#waiting.size === 0) {
      // An idle server must not wake up ten times a second.
      clearInterval(this.#clock);
      this.#clock = undefined;
      return;
    }
    const now = performance.now();
    for (const entry of this.#waiting) {
      if (entry.expiresAtMs > now) continue;
      this.#waiting.delete(entry);
      entry.expire('deadline');
    }
  }
}
