// Limits that apply across all nodes of one database. Every node takes from its own buckets at once and, a
// second later, tells the others how much it has taken; what they took is subtracted from its buckets too. So
// a limit can be exceeded by what arrives within that second. No request waits for the database, with one
// exception: the first failure at an address or account that this node has not seen lately; otherwise a
// caller that has used up a limit would have it in full again at the next node.
import type { Log } from '../platform.js';
import type { RateRows } from './ports.js';

const SYNC_MS = 1000;
const KEYS_MAX = 20_000;

export class SharedRates {
  readonly #rows: RateRows;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #pending = new Map<string, number>();
  /** Totals of all nodes as last read, by key. */
  readonly #totals = new Map<string, number>();
  readonly #drains = new Map<string, (key: string, taken: number) => void>();
  /**
   * The milliseconds that one unit of a limit takes to be refilled, by the names of limits that are queried.
   */
  readonly #msEach = new Map<string, number>();
  readonly #asking = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(rows: RateRows, log: Log, now: () => number) {
    this.#rows = rows;
    this.#log = log;
    this.#now = now;
  }

  /** Shares what a limiter of this name takes; `drain` is called with what other nodes took. */
  join(name: string, drain: (key: string, taken: number) => void): (key: string, count?: number) => void {
    this.#drains.set(name, drain);
    return (key, count = 1) => {
      const id = `${name} ${key}`;
      if (this.#pending.size < KEYS_MAX || this.#pending.has(id))
        this.#pending.set(id, (this.#pending.get(id) ?? 0) + count);
    };
  }

  /** Stores what `ask` needs for the limiter of this name. */
  keepMoments(name: string, msEach: number): void {
    this.#msEach.set(name, msEach);
  }

  /** Tells the limiter how much of an unseen key others have used up. */
  ask(name: string, key: string): Promise<void> {
    const id = `${name} ${key}`;
    const underWay = this.#asking.get(id);
    if (underWay) return underWay;
    const asking = this.#ask(name, key)
      .catch((cause: unknown) => this.#log.warn({ err: cause }, 'cannot ask for shared rate limits'))
      .finally(() => this.#asking.delete(id));
    this.#asking.set(id, asking);
    return asking;
  }

  async #ask(name: string, key: string): Promise<void> {
    const id = `${name} ${key}`;
    const msEach = this.#msEach.get(name);
    if (msEach === undefined) return;
    const wholeAtMs = (await this.#rows.wholeAtMs(id)) ?? 0;
    // The answer includes everything taken until now; later totals are compared with the next one read.
    this.#totals.delete(id);
    this.#drains.get(name)?.(key, Math.max(0, (wholeAtMs - this.#now()) / msEach));
  }

  start(): void {
    this.#timer ??= setInterval(() => {
      this.sync().catch((cause: unknown) => this.#log.warn({ err: cause }, 'cannot share rate limits'));
    }, SYNC_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async sync(): Promise<void> {
    if (this.#pending.size === 0) return;
    const own = new Map(this.#pending);
    this.#pending.clear();
    const totals = await this.#rows.add(own, this.#now());
    await this.#rows.putOff(this.#momentsOf(own), this.#now());
    for (const [id, total] of totals) {
      const before = this.#totals.get(id);
      const others = before === undefined ? 0 : total - before - (own.get(id) ?? 0);
      this.#remember(id, total);
      const space = id.indexOf(' ');
      if (others > 0) this.#drains.get(id.slice(0, space))?.(id.slice(space + 1), others);
    }
  }

  #momentsOf(own: ReadonlyMap<string, number>): Map<string, number> {
    const moments = new Map<string, number>();
    for (const [id, count] of own) {
      const msEach = this.#msEach.get(id.slice(0, id.indexOf(' ')));
      if (msEach !== undefined) moments.set(id, count * msEach);
    }
    return moments;
  }

  #remember(id: string, total: number): void {
    this.#totals.delete(id);
    const oldest = this.#totals.size >= KEYS_MAX ? this.#totals.keys().next() : undefined;
    if (oldest && !oldest.done) this.#totals.delete(oldest.value);
    this.#totals.set(id, total);
  }
}
