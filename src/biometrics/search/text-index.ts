// What the entries of one list are known by, open in memory: one pass over it finds a page of those that fit, in any
// order, and counts them.
import { yieldToEventLoop } from '../call/yield-to-event-loop.js';
import type { Searchable } from './match-text.js';

export interface IndexEntry extends Searchable {
  id: string;
  createdAtMs: number;
}

export interface Wanted<E, P> {
  fits: (entry: E) => boolean;
  /** Negative when the entry comes before the position. */
  compare: (entry: E, position: P) => number;
  /** The page begins behind this. */
  after?: P | undefined;
  limit: number;
}

/** A few milliseconds' work; other calls are served in between. */
const ENTRIES_AT_ONCE = 10_000;

export class TextIndex<E extends IndexEntry> {
  readonly #entries = new Map<string, E>();

  get size(): number {
    return this.#entries.size;
  }

  get ids(): Iterable<string> {
    return this.#entries.keys();
  }

  get(id: string): E | undefined {
    return this.#entries.get(id);
  }

  put(entry: E): void {
    this.#entries.set(entry.id, entry);
  }

  remove(id: string): void {
    this.#entries.delete(id);
  }

  /** The first of those that fit, in order, and how many fit wherever the page begins. */
  async find<P>({ fits, compare, after, limit }: Wanted<E, P | E>): Promise<{ found: E[]; total: number }> {
    const found: E[] = [];
    let total = 0;
    let looked = 0;
    for (const entry of this.#entries.values()) {
      if (++looked % ENTRIES_AT_ONCE === 0) await yieldToEventLoop();
      if (!fits(entry)) continue;
      total += 1;
      if (after !== undefined && compare(entry, after) <= 0) continue;
      keepFirst(found, entry, compare, limit);
    }
    return { found, total };
  }
}

/** Puts the entry where it belongs; what is beyond the limit falls off the end. */
function keepFirst<E>(sorted: E[], entry: E, compare: (a: E, b: E) => number, limit: number): void {
  const last = sorted.at(-1);
  if (sorted.length >= limit && last !== undefined && compare(entry, last) >= 0) return;
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(entry, sorted[middle] as E) < 0) high = middle;
    else low = middle + 1;
  }
  sorted.splice(low, 0, entry);
  if (sorted.length > limit) sorted.pop();
}
