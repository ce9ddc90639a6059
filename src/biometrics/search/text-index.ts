// The searchable text of the entries of one list, unsealed in memory: one pass finds a page of matching entries, in any order,
// and counts them.
import { yieldToEventLoop } from '../../platform.js';
import type { Searchable } from './match-text.js';

export interface IndexEntry extends Searchable {
  id: string;
  createdAtMs: number;
}

interface Wanted<E, P> {
  fits: (entry: E) => boolean;
  /** The sort key: computed once for each match. */
  placeOf: (entry: E) => P;
  /** Negative if the first comes before the second. */
  compare: (a: P, b: P) => number;
  /** The page begins after this. */
  after?: P | undefined;
  limit: number;
}

/** A few milliseconds of work; other calls are served in between. */
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

  /** The first matches, in order, and the total number of matches wherever the page begins. */
  async find<P>({
    fits,
    placeOf,
    compare,
    after,
    limit,
  }: Wanted<E, P>): Promise<{ found: E[]; total: number }> {
    const kept: Kept<E, P>[] = [];
    let total = 0;
    // Newest first: most orders begin with them, and later entries are then only compared.
    const entries = [...this.#entries.values()].reverse();
    for (const [at, entry] of entries.entries()) {
      if ((at + 1) % ENTRIES_AT_ONCE === 0) await yieldToEventLoop();
      if (!fits(entry)) continue;
      total += 1;
      const place = placeOf(entry);
      if (after !== undefined && compare(place, after) <= 0) continue;
      keepFirst(kept, { entry, place }, compare, limit);
    }
    return { found: kept.map(({ entry }) => entry), total };
  }
}

interface Kept<E, P> {
  entry: E;
  place: P;
}

/** Inserts the entry at its place; entries beyond the limit are dropped. */
function keepFirst<E, P>(
  sorted: Kept<E, P>[],
  one: Kept<E, P>,
  compare: Wanted<E, P>['compare'],
  limit: number,
): void {
  const last = sorted.at(-1);
  if (sorted.length >= limit && last !== undefined && compare(one.place, last.place) >= 0) return;
  const [first] = sorted;
  // If a list is read against its order, every entry comes before the previous one.
  const isFirst = first !== undefined && compare(one.place, first.place) < 0;
  let low = 0;
  let high = isFirst ? 0 : sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(one.place, (sorted[middle] as Kept<E, P>).place) < 0) high = middle;
    else low = middle + 1;
  }
  sorted.splice(low, 0, one);
  if (sorted.length > limit) sorted.pop();
}
