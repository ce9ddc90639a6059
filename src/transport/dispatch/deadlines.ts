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
  /**
   * Places, taken again as they become free. A set that so many come to and leave is laid out anew all the time, each table
   * points at the next and at the calls of its moment, and what grew old with one of them waits for a full collection:
   * under load that was half of everything such a collection found.
   */
  #waiting: (Waiting | undefined)[] = [];
  #free: number[] = [];
  readonly #exact = new Map<NodeJS.Timeout, (why: Expiry) => void>();
  #clock: NodeJS.Timeout | undefined;

  /** Calls `expire` after the given time; the returned function calls it off. `nowMs` is of `performance.now()`. */
  add(nowMs: number, timeLeftMs: number, expire: (why: Expiry) => void): () => void {
    if (timeLeftMs < EXACT_BELOW_MS) return this.#addExact(timeLeftMs, expire);
    const entry: Waiting = { expiresAtMs: nowMs + timeLeftMs, expire };
    const place = this.#free.pop() ?? this.#waiting.length;
    this.#waiting[place] = entry;
    if (!this.#clock) this.#clock = setInterval(() => this.#sweep(), GRAIN_MS);
    return () => this.#leave(place, entry);
  }

  /** The server stops: whoever is still waiting is told now. */
  end(): void {
    const all = [...this.#exact.values(), ...this.#waiting.flatMap((entry) => entry?.expire ?? [])];
    for (const timer of this.#exact.keys()) clearTimeout(timer);
    this.#exact.clear();
    this.#forgetPlaces();
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

  #leave(place: number, entry: Waiting): void {
    if (this.#waiting[place] !== entry) return;
    this.#waiting[place] = undefined;
    this.#free.push(place);
  }

  #forgetPlaces(): void {
    this.#waiting = [];
    this.#free = [];
  }

  #sweep(): void {
    if (this.#free.length === this.#waiting.length) {
      // An idle server must not wake up ten times a second.
      clearInterval(this.#clock);
      this.#clock = undefined;
      this.#forgetPlaces();
      return;
    }
    const now = performance.now();
    for (const [place, entry] of this.#waiting.entries()) {
      if (!entry || entry.expiresAtMs > now) continue;
      this.#leave(place, entry);
      entry.expire('deadline');
    }
  }
}
