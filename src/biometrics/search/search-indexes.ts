// The search indexes of the lists in use. Names and numbers are sealed in the rows, so each is unsealed once, kept in memory
// ready to be searched, and updated before every search with what has been modified since. Nothing is written to disk that
// could reveal names. Memory is limited, and what has not been used for a while is dropped.
import { yieldToEventLoop, type Clock } from '../../platform.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { PartyKind } from '../model/entities.js';
import type { Session } from '../model/sessions.js';
import type { ChangePosition } from '../ports/page.js';
import type { BiometricsStore } from '../ports/store.js';
import {
  notesIndexEntry,
  partyIndexEntry,
  sessionIndexEntry,
  type NotesIndexEntry,
  type PartyIndexEntry,
  type SessionIndexEntry,
} from './entries.js';
import { TextIndex, type IndexEntry } from './text-index.js';

/** For operations that search. */
export interface SearchDeps extends BiometricsDeps {
  searches: SearchIndexes;
}

export interface SearchLimits {
  /** Maximum number of entries of one list; a longer one is searched row by row. */
  listEntriesMax: number;
  /**
   * Maximum number of entries in memory, over all lists; at most about 1 kB each. Three long lists fit:
   * sessions are searched together with persons and notes.
   */
  entriesMax: number;
  /** An index that is unused for this long is discarded. */
  idleMs: number;
  /** Tenants with at least this many persons are loaded after a start, up to the number of tenants below. */
  warmEntriesMin: number;
  warmTenantsMax: number;
}

export const searchLimits: SearchLimits = {
  listEntriesMax: 200_000,
  entriesMax: 600_000,
  idleMs: 30 * 60_000,
  warmEntriesMin: 5000,
  warmTenantsMax: 20,
};

/** Rows that are opened at once: a few milliseconds of work. */
const ROWS_AT_ONCE = 200;
const IDS_AT_ONCE = 5000;
/** How much later than its timestamp a change may become visible: long transactions, clocks that differ. */
const OVERLAP_MS = 60_000;

interface Source<E> {
  count(): Promise<number>;
  /** Rows modified after a position, in order of modification. */
  changed(after: ChangePosition, limit: number): Promise<{ entry: E; modifiedAtMs: number }[]>;
  changedIds(after: ChangePosition, limit: number): Promise<ChangePosition[]>;
  read(ids: readonly string[]): Promise<E[]>;
  /** Rows affected by other changes since, a page at a time. */
  touched?(
    fromMs: number,
    after: string | undefined,
    limit: number,
  ): Promise<{ ids: readonly string[]; next?: string }>;
}

interface LoadedIndex<E extends IndexEntry = IndexEntry> {
  gkScopeId: string;
  index: TextIndex<E>;
  /** Includes everything modified before, except for the overlap. */
  readAtMs: number;
  usedAtMs: number;
}

export class SearchIndexes {
  readonly #store: BiometricsStore;
  readonly #clock: Clock;
  readonly #limits: SearchLimits;
  /** Least recently used first. */
  readonly #held = new Map<string, LoadedIndex>();
  /** One at a time updates an index; others check again afterwards, which is fast. */
  readonly #turns = new Map<string, Promise<unknown>>();
  #forgetting: NodeJS.Timeout | undefined;

  constructor(deps: { store: BiometricsStore; clock: Clock }, limits: SearchLimits = searchLimits) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#limits = limits;
  }

  /** Current as of the call; undefined if there are too many for memory. */
  parties(gkScopeId: string, kind: PartyKind): Promise<TextIndex<PartyIndexEntry> | undefined> {
    const { parties } = this.#store.read;
    return this.#open(`${gkScopeId}/${kind}`, gkScopeId, {
      count: () => parties.count(gkScopeId, kind, {}),
      changed: async (after, limit) =>
        (await parties.changed(gkScopeId, kind, after, limit)).map((party) => ({
          entry: partyIndexEntry(party),
          modifiedAtMs: party.modifiedAtMs,
        })),
      changedIds: (after, limit) => parties.changedIds(gkScopeId, kind, after, limit),
      read: async (ids) => (await parties.findMany(gkScopeId, ids)).map(partyIndexEntry),
    });
  }

  sessions(gkScopeId: string): Promise<TextIndex<SessionIndexEntry> | undefined> {
    const { sessions, factors } = this.#store.read;
    const entriesOf = async (rows: readonly Session[]): Promise<SessionIndexEntry[]> => {
      const ids = rows.map(({ gkSessionId }) => gkSessionId);
      const about = await factors.aboutSessions(gkScopeId, ids);
      return rows.map((session) => sessionIndexEntry(session, about.get(session.gkSessionId)));
    };
    return this.#open(`${gkScopeId}/sessions`, gkScopeId, {
      count: () => sessions.count(gkScopeId),
      changed: async (after, limit) => {
        const rows = await sessions.changed(gkScopeId, after, limit);
        const entries = await entriesOf(rows);
        return rows.map(({ modifiedAtMs }, at) => ({
          entry: entries[at] as SessionIndexEntry,
          modifiedAtMs,
        }));
      },
      changedIds: (after, limit) => sessions.changedIds(gkScopeId, after, limit),
      read: async (ids) => entriesOf(await sessions.findMany(gkScopeId, ids)),
      // A check says whom a session is about, but leaves its row unchanged.
      touched: async (fromMs, after, limit) => {
        const page = { limit, order: 'oldest', ...(after !== undefined && { after }) } as const;
        const { factors: made, next } = await factors.list(gkScopeId, { fromMs }, page);
        return { ids: [...new Set(made.map(({ gkSessionId }) => gkSessionId))], ...(next && { next }) };
      },
    });
  }

  /** Notes of analysts, by engagement. */
  notes(gkScopeId: string): Promise<TextIndex<NotesIndexEntry> | undefined> {
    const { engagements } = this.#store.read;
    return this.#open(`${gkScopeId}/notes`, gkScopeId, {
      count: () => engagements.countNoted(gkScopeId),
      changed: async (after, limit) =>
        (await engagements.notedChanged(gkScopeId, after, limit)).map((engagement) => ({
          entry: notesIndexEntry(engagement),
          modifiedAtMs: engagement.modifiedAtMs,
        })),
      changedIds: (after, limit) => engagements.notedChangedIds(gkScopeId, after, limit),
      read: async (ids) => (await engagements.findMany(gkScopeId, ids)).map(notesIndexEntry),
    });
  }

  /**
   * Somebody is looking at a long list: what they may search next is read meanwhile, without delaying others.
   */
  prepare(gkScopeId: string, list: PartyKind | 'sessions'): void {
    if (this.#held.has(`${gkScopeId}/${list}`)) return;
    const reading = list === 'sessions' ? this.sessions(gkScopeId) : this.parties(gkScopeId, list);
    // A search meets the same fault, and reports it.
    reading.catch(() => {});
  }

  /**
   * After a start: reads lists that are long enough to be waited for before anybody searches them, one after
   * the other. Half of the space is left for actual searches.
   */
  async warm(signal: AbortSignal): Promise<void> {
    const { warmEntriesMin, warmTenantsMax, entriesMax } = this.#limits;
    const { parties } = this.#store.read;
    for (const gkScopeId of await parties.tenantsWithMany('PERSON', warmEntriesMin, warmTenantsMax))
      for (const read of [
        () => this.parties(gkScopeId, 'PERSON'),
        () => this.notes(gkScopeId),
        () => this.sessions(gkScopeId),
      ]) {
        if (signal.aborted || this.stats.entries > entriesMax / 2) return;
        await read();
      }
  }

  /** Stops any reading in progress. */
  stop(): void {
    clearTimeout(this.#forgetting);
    this.#held.clear();
  }

  /** Discards everything of a tenant whose content is deleted. */
  forget(gkScopeId: string): void {
    for (const [key, held] of this.#held) if (held.gkScopeId === gkScopeId) this.#held.delete(key);
  }

  get stats(): { indexes: number; entries: number } {
    let entries = 0;
    for (const { index } of this.#held.values()) entries += index.size;
    return { indexes: this.#held.size, entries };
  }

  #open<E extends IndexEntry>(
    key: string,
    gkScopeId: string,
    source: Source<E>,
  ): Promise<TextIndex<E> | undefined> {
    const before = this.#turns.get(key) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => this.#bringUpToDate(key, gkScopeId, source));
    this.#turns.set(key, turn);
    const end = (): void => {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
    };
    turn.then(end, end);
    return turn;
  }

  async #bringUpToDate<E extends IndexEntry>(
    key: string,
    gkScopeId: string,
    source: Source<E>,
  ): Promise<TextIndex<E> | undefined> {
    const held = await this.#heldFor(key, gkScopeId, source);
    if (!held) return undefined;
    const isCurrent = () => this.#held.get(key) === (held as LoadedIndex);
    try {
      for (let look = 1; ; look++) {
        await this.#follow(held, source, isCurrent);
        const count = await source.count();
        if (count === held.index.size) break;
        // A row arrived between the two looks; otherwise something was deleted.
        if (look === 2) {
          await reconcile(held.index, source);
          break;
        }
      }
    } catch (fault) {
      this.#held.delete(key);
      throw fault;
    }
    if (!isCurrent()) return undefined;
    if (held.index.size > this.#limits.listEntriesMax) {
      this.#held.delete(key);
      return undefined;
    }
    this.#use(key, held);
    return held.index;
  }

  async #heldFor<E extends IndexEntry>(
    key: string,
    gkScopeId: string,
    source: Source<E>,
  ): Promise<LoadedIndex<E> | undefined> {
    const now = this.#clock.now();
    const known = this.#held.get(key) as LoadedIndex<E> | undefined;
    // After the clock went back, timestamps no longer say what came later.
    if (known && known.readAtMs <= now) return known;
    if ((await source.count()) > this.#limits.listEntriesMax) return undefined;
    const held: LoadedIndex<E> = { gkScopeId, index: new TextIndex(), readAtMs: 0, usedAtMs: now };
    this.#held.set(key, held as unknown as LoadedIndex);
    return held;
  }

  async #follow<E extends IndexEntry>(
    held: LoadedIndex<E>,
    source: Source<E>,
    isCurrent: () => boolean,
  ): Promise<void> {
    const startedAtMs = this.#clock.now();
    const isFirst = held.index.size === 0;
    const read = new Set<string>();
    let after: ChangePosition = { atMs: held.readAtMs - OVERLAP_MS, id: '' };
    for (;;) {
      const rows = await source.changed(after, ROWS_AT_ONCE);
      for (const { entry } of rows) {
        held.index.put(entry);
        if (!isFirst) read.add(entry.id);
      }
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_AT_ONCE || !isCurrent()) break;
      if (held.index.size > this.#limits.listEntriesMax) return;
      after = { atMs: last.modifiedAtMs, id: last.entry.id };
      // A database in the same process answers without ever yielding.
      await yieldToEventLoop();
    }
    // On the first read, rows are read as they are.
    await this.#followTouched(held, source, (isFirst ? startedAtMs : held.readAtMs) - OVERLAP_MS, read);
    held.readAtMs = startedAtMs;
  }

  async #followTouched<E extends IndexEntry>(
    { index }: LoadedIndex<E>,
    source: Source<E>,
    fromMs: number,
    /** What was read a moment ago. */
    read: Set<string>,
  ): Promise<void> {
    let after: string | undefined;
    do {
      const page = await source.touched?.(fromMs, after, ROWS_AT_ONCE);
      const ids = (page?.ids ?? []).filter((id) => !read.has(id));
      for (const id of ids) read.add(id);
      if (ids.length > 0) for (const entry of await source.read(ids)) index.put(entry);
      after = page?.next;
      if (after !== undefined) await yieldToEventLoop();
    } while (after !== undefined);
  }

  #use(key: string, held: LoadedIndex): void {
    held.usedAtMs = this.#clock.now();
    this.#held.delete(key);
    this.#held.set(key, held);
    this.#makeRoom(key);
    // Names that nobody searches any more leave memory even if nobody ever searches again.
    clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => this.#makeRoom(), this.#limits.idleMs + 1000).unref();
  }

  #makeRoom(inUse?: string): void {
    const now = this.#clock.now();
    let { entries } = this.stats;
    for (const [key, { index, usedAtMs }] of this.#held) {
      if (key === inUse || (entries <= this.#limits.entriesMax && now - usedAtMs < this.#limits.idleMs))
        continue;
      this.#held.delete(key);
      entries -= index.size;
    }
  }
}

/** Removes deleted entries from the list, and reads missing ones. */
async function reconcile<E extends IndexEntry>(index: TextIndex<E>, source: Source<E>): Promise<void> {
  const there = new Set<string>();
  let after: ChangePosition = { atMs: Number.MIN_SAFE_INTEGER, id: '' };
  for (;;) {
    const page = await source.changedIds(after, IDS_AT_ONCE);
    const lacking = page.filter(({ id }) => !index.get(id)).map(({ id }) => id);
    for (let at = 0; at < lacking.length; at += ROWS_AT_ONCE)
      for (const entry of await source.read(lacking.slice(at, at + ROWS_AT_ONCE))) index.put(entry);
    for (const { id } of page) there.add(id);
    const last = page.at(-1);
    if (!last || page.length < IDS_AT_ONCE) break;
    after = last;
    await yieldToEventLoop();
  }
  for (const id of [...index.ids]) if (!there.has(id)) index.remove(id);
}
