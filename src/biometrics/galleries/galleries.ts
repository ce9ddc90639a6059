// Galleries of the groups and watchlists in use. Each is read once and then follows the journal of changes that every node
// writes; one number per call says whether there is anything new. Memory is limited: the least recently used gallery is
// dropped first, and so is anything not used for a while. Templates are unsealed only here, in memory; at rest they stay
// sealed.
import type { Clock } from '../../platform.js';
import type { Gallery } from './gallery.js';
import { GalleryReader, tooLarge, type GalleryReaderDeps, type ReadGallery } from './gallery-reader.js';
import type { CollectionPlace, GalleryView, ViewAsked } from './gallery-view.js';

interface GalleriesDeps extends GalleryReaderDeps {
  clock: Clock;
}

export interface GalleryLimits {
  /** Maximum number of prints in memory, of one group or watchlist and over all of them; about 0.6 kB each. */
  printsMax: number;
  /** A gallery that is unused for this long is discarded. */
  idleMs: number;
}

export const galleryLimits: GalleryLimits = {
  printsMax: 1_000_000,
  idleMs: 30 * 60_000,
};

/** How often to check whether a gallery's snapshot is still good. */
const KEEP_EVERY_MS = 5 * 60_000;
/** The members of longer lists are counted only this often, whatever changes. */
const LONG_LIST_MEMBERS = 10_000;
const COUNT_EVERY_MS = 60_000;

interface LoadedGallery extends ReadGallery {
  place: CollectionPlace;
  usedAtMs: number;
  /** When its snapshot was last checked. */
  keptAtMs: number;
}

/** Belongs to no caller: it goes on when the caller that started it is gone, and serves all who wait. */
interface Work {
  gkScopeId: string;
  /** The result; undefined if it was overtaken by the deletion of the scope's content. */
  done: Promise<LoadedGallery | undefined>;
  overtaken: boolean;
}

export class Galleries {
  readonly #deps: GalleriesDeps;
  readonly #limits: GalleryLimits;
  readonly #reader: GalleryReader;
  /** Least recently used first. */
  readonly #held = new Map<string, LoadedGallery>();
  /** Work on a gallery in progress, so that it is read once however many calls wait for it. */
  readonly #working = new Map<string, Work>();
  readonly #keeping = new Set<Promise<unknown>>();
  /** How many members each list had, at which change and when. */
  readonly #counted = new WeakMap<Gallery, { members: number; seq: number; atMs: number }>();

  constructor(deps: GalleriesDeps, limits: GalleryLimits = galleryLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#reader = new GalleryReader(deps, limits.printsMax);
  }

  /** The whole of a group or watchlist, in the memory of this node. */
  async view(place: CollectionPlace, { nowMs, tag }: ViewAsked): Promise<GalleryView> {
    const gallery = await this.open(place);
    return { ...gallery.at(nowMs, tag), members: await this.#membersOf(place, gallery) };
  }

  /** Counting the members of a long list takes a while: a slightly older number has to do. */
  async #membersOf({ gkScopeId, collectionGkId }: CollectionPlace, gallery: Gallery): Promise<number> {
    const seq = this.#held.get(`${gkScopeId}/${collectionGkId}`)?.seq ?? 0;
    const now = this.#deps.clock.now();
    const known = this.#counted.get(gallery);
    if (known?.seq === seq) return known.members;
    if (known && known.members > LONG_LIST_MEMBERS && Math.abs(now - known.atMs) < COUNT_EVERY_MS)
      return known.members;
    const members = await this.#deps.store.read.collections.countMembers(gkScopeId, collectionGkId);
    this.#counted.set(gallery, { members, seq, atMs: now });
    return members;
  }

  /** The current gallery, whoever changed it last. */
  async open(place: CollectionPlace): Promise<Gallery> {
    const wanted = await this.#deps.store.read.printChanges.last(place.gkScopeId);
    const key = `${place.gkScopeId}/${place.collectionGkId}`;
    for (;;) {
      let held = this.#held.get(key);
      if (!held || held.seq < wanted) {
        const work = this.#working.get(key) ?? this.#begin(key, place, wanted);
        held = await work.done;
      }
      if (held && held.seq >= wanted) {
        // It may be gone again by now: discarded, or evicted.
        if (this.#held.get(key) === held) this.#use(key, held);
        return held.gallery;
      }
    }
  }

  /** Discards everything of a scope whose content is deleted. */
  forget(gkScopeId: string): void {
    for (const [key, held] of this.#held) if (held.place.gkScopeId === gkScopeId) this.#held.delete(key);
    for (const [key, work] of this.#working) {
      if (work.gkScopeId !== gkScopeId) continue;
      work.overtaken = true;
      this.#working.delete(key);
    }
  }

  get stats(): { galleries: number; prints: number } {
    let prints = 0;
    for (const { gallery } of this.#held.values()) prints += gallery.size;
    return { galleries: this.#held.size, prints };
  }

  #begin(key: string, place: CollectionPlace, wanted: number): Work {
    const held = this.#held.get(key);
    const work: Work = { gkScopeId: place.gkScopeId, overtaken: false, done: Promise.resolve(undefined) };
    this.#working.set(key, work);
    work.done = (async () => {
      try {
        const current = await this.#reader.read(work, place, wanted, held);
        if (!current || work.overtaken) return undefined;
        if (current.gallery.size > this.#limits.printsMax) {
          this.#held.delete(key);
          throw tooLarge(place.field, this.#limits.printsMax);
        }
        const loaded = current === held ? held : { ...current, place, usedAtMs: 0, keptAtMs: -Infinity };
        this.#use(key, loaded);
        return loaded;
      } finally {
        if (this.#working.get(key) === work) this.#working.delete(key);
      }
    })();
    return work;
  }

  /** In the background: nobody waits for it, and failures are retried later. */
  #keep(held: LoadedGallery, nowMs: number): void {
    const { snapshots, log } = this.#deps;
    if (!snapshots || nowMs - held.keptAtMs < KEEP_EVERY_MS) return;
    held.keptAtMs = nowMs;
    const { place, gallery } = held;
    const keeping = snapshots
      .keep(place, held)
      .then(
        (isKept) => isKept && log?.info({ prints: gallery.size }, 'a gallery was kept for the next start'),
        (cause: unknown) => log?.warn({ err: cause }, 'keeping a gallery failed'),
      )
      .finally(() => this.#keeping.delete(keeping));
    this.#keeping.add(keeping);
  }

  /** Resolves when nothing is being written any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#keeping);
  }

  #use(key: string, held: LoadedGallery): void {
    const now = this.#deps.clock.now();
    held.usedAtMs = now;
    this.#keep(held, now);
    this.#held.delete(key);
    this.#held.set(key, held);
    let { prints } = this.stats;
    for (const [other, { gallery, usedAtMs }] of this.#held) {
      if (other === key || (prints <= this.#limits.printsMax && now - usedAtMs < this.#limits.idleMs))
        continue;
      this.#held.delete(other);
      prints -= gallery.size;
    }
  }
}
