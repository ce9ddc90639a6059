// Galleries of the groups and watchlists in use. Each is read once, then follows the journal of changes that every
// node writes; one number per call tells whether there is anything to follow. Memory is bounded: the gallery that
// was not used for longest goes first, and what nobody asked for in a while goes too. Templates are open only here,
// in memory; at rest they stay sealed.
import { AppError } from '../../errors.js';
import type { Clock, Log } from '../../platform.js';
import type { Scanner } from '../../voice/search/block-scan.js';
import type { BiometricsStore } from '../ports/store.js';
import type { ComparablePrint } from '../model/profiles.js';
import { yieldToEventLoop } from '../call/yield-to-event-loop.js';
import { Gallery, type GalleryModel } from './gallery.js';
import type { GallerySnapshots } from './snapshots.js';

export interface GalleriesDeps {
  store: BiometricsStore;
  clock: Clock;
  model: GalleryModel;
  /** Where galleries are kept from one start to the next; without it they are read from the database each time. */
  snapshots?: Pick<GallerySnapshots, 'load' | 'keep'>;
  /** Compares with large galleries on threads of its own. */
  scanner?: Scanner;
  log?: Log;
}

export interface GalleryLimits {
  /** Most prints of one group or watchlist. */
  collectionPrintsMax: number;
  /** Most prints in memory, over all galleries; about 0.5 kB each. */
  printsMax: number;
  /** Unused for so long, a gallery is forgotten. */
  idleMs: number;
}

export const galleryLimits: GalleryLimits = {
  collectionPrintsMax: 1_000_000,
  printsMax: 1_000_000,
  idleMs: 30 * 60_000,
};

/** Members that are read at once, and changes that are followed at once: a few milliseconds' work. */
const PAGE_MEMBERS = 100;
const PAGE_CHANGES = 200;
/** Behind by more than this and by more than it holds, a gallery is read again: that is quicker. */
const CHANGES_MAX = 2000;

/** How often it is looked whether what is kept of a gallery is still good. */
const KEEP_EVERY_MS = 5 * 60_000;

interface LoadedGallery {
  gkScopeId: string;
  collectionGkId: string;
  gallery: Gallery;
  /** The change up to which the gallery is current. */
  seq: number;
  usedAtMs: number;
  /** When it was last looked whether it should be kept. */
  keptAtMs: number;
}

/** Belongs to no caller: it goes on when the one that began it is gone, and serves all who wait. */
interface Work {
  gkScopeId: string;
  /** What it found; nothing when it was overtaken by the deletion of the scope's content. */
  done: Promise<LoadedGallery | undefined>;
  overtaken: boolean;
}

export class Galleries {
  readonly #deps: GalleriesDeps;
  readonly #limits: GalleryLimits;
  /** Least recently used first. */
  readonly #held = new Map<string, LoadedGallery>();
  /** Work on a gallery, so that it is read once however many calls wait for it. */
  readonly #working = new Map<string, Work>();
  readonly #keeping = new Set<Promise<unknown>>();

  constructor(deps: GalleriesDeps, limits: GalleryLimits = galleryLimits) {
    this.#deps = deps;
    this.#limits = limits;
  }

  /** The gallery as it is now, whoever changed it last. */
  async open(gkScopeId: string, collectionGkId: string, field: string): Promise<Gallery> {
    const wanted = await this.#deps.store.read.printChanges.last(gkScopeId);
    const key = `${gkScopeId}/${collectionGkId}`;
    for (;;) {
      let held = this.#held.get(key);
      if (!held || held.seq < wanted) {
        const work = this.#working.get(key) ?? this.#begin(key, { gkScopeId, collectionGkId }, wanted, field);
        held = await work.done;
      }
      if (held && held.seq >= wanted) {
        // It may be gone again by now: forgotten, or it had to make room.
        if (this.#held.get(key) === held) this.#use(key, held);
        return held.gallery;
      }
    }
  }

  /** Forgets what a scope had: its content is deleted. */
  forget(gkScopeId: string): void {
    for (const [key, held] of this.#held) if (held.gkScopeId === gkScopeId) this.#held.delete(key);
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

  #begin(
    key: string,
    of: Pick<LoadedGallery, 'gkScopeId' | 'collectionGkId'>,
    wanted: number,
    field: string,
  ): Work {
    const held = this.#held.get(key);
    const work: Work = { gkScopeId: of.gkScopeId, overtaken: false, done: Promise.resolve(undefined) };
    this.#working.set(key, work);
    work.done = (async () => {
      try {
        const current =
          (held && (await this.#follow(work, held, wanted))) ??
          (await this.#fromSnapshot(work, of, wanted)) ??
          (await this.#load(work, of, field));
        if (!current || work.overtaken) return undefined;
        if (current.gallery.size > this.#limits.collectionPrintsMax) {
          this.#held.delete(key);
          throw tooLarge(field, this.#limits.collectionPrintsMax);
        }
        this.#use(key, current);
        return current;
      } finally {
        if (this.#working.get(key) === work) this.#working.delete(key);
      }
    })();
    return work;
  }

  async #load(
    work: Work,
    { gkScopeId, collectionGkId }: Pick<LoadedGallery, 'gkScopeId' | 'collectionGkId'>,
    field: string,
  ): Promise<LoadedGallery | undefined> {
    const { store, model, clock, scanner } = this.#deps;
    // Read before the prints: what changes meanwhile is followed afterwards, and following twice does no harm.
    const seq = await store.read.printChanges.last(gkScopeId);
    const gallery = new Gallery(model, scanner);
    let after: string | undefined = '';
    while (after !== undefined) {
      const page: { prints: ComparablePrint[]; next?: string } = await store.read.profiles.listByMembers(
        gkScopeId,
        collectionGkId,
        PAGE_MEMBERS,
        after,
      );
      for (const print of page.prints) gallery.put(print);
      if (gallery.size > this.#limits.collectionPrintsMax)
        throw tooLarge(field, this.#limits.collectionPrintsMax);
      after = page.next;
      // A database in the same process answers without ever giving way.
      await yieldToEventLoop();
      if (work.overtaken) return undefined;
    }
    return { gkScopeId, collectionGkId, gallery, seq, usedAtMs: clock.now(), keptAtMs: -Infinity };
  }

  async #fromSnapshot(
    work: Work,
    of: Pick<LoadedGallery, 'gkScopeId' | 'collectionGkId'>,
    wanted: number,
  ): Promise<LoadedGallery | undefined> {
    const kept = await this.#deps.snapshots?.load(of);
    if (!kept) return undefined;
    const now = this.#deps.clock.now();
    return this.#follow(work, { ...of, ...kept, usedAtMs: now, keptAtMs: -Infinity }, wanted);
  }

  /** In the background: nobody waits for it, and what fails is tried again later. */
  #keep(held: LoadedGallery, now: number): void {
    const { snapshots, log } = this.#deps;
    const { gkScopeId, collectionGkId } = held;
    if (!snapshots || now - held.keptAtMs < KEEP_EVERY_MS) return;
    held.keptAtMs = now;
    const keeping = snapshots
      .keep({ gkScopeId, collectionGkId }, held)
      .then(
        (isKept) =>
          isKept && log?.info({ prints: held.gallery.size }, 'a gallery was kept for the next start'),
        (cause: unknown) => log?.warn({ err: cause }, 'keeping a gallery failed'),
      )
      .finally(() => this.#keeping.delete(keeping));
    this.#keeping.add(keeping);
  }

  /** Until nothing is being written any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#keeping);
  }

  /** Brings a gallery up to date by the journal; nothing when it has to be read again. */
  async #follow(work: Work, held: LoadedGallery, wanted: number): Promise<LoadedGallery | undefined> {
    const { gkScopeId, collectionGkId, gallery } = held;
    const { read } = this.#deps.store;
    if (wanted - held.seq > Math.max(CHANGES_MAX, gallery.size)) return undefined;
    while (held.seq < wanted && !work.overtaken) {
      const changes = await read.printChanges.since(gkScopeId, held.seq, PAGE_CHANGES);
      if (!changes?.length || changes.some(({ kind }) => kind === 'ALL')) return undefined;
      const prints = new Set<string>();
      const owners = new Set<string>();
      for (const change of changes) {
        if (change.kind === 'PRINT') prints.add(change.gkVoiceprintProfileId);
        if (change.kind === 'MEMBER' && change.collectionGkId === collectionGkId)
          owners.add(change.memberGkId);
      }
      const current = await read.profiles.listInCollection(gkScopeId, collectionGkId, {
        prints: [...prints],
        owners: [...owners],
      });
      await gallery.change(() => {
        for (const id of prints) gallery.remove(id);
        gallery.removeOwners(owners);
        for (const print of current) gallery.put(print);
        held.seq += changes.length;
      });
      await yieldToEventLoop();
    }
    return held;
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

function tooLarge(field: string, max: number): AppError {
  const message = `holds more than ${max} prints: split it`;
  return new AppError('TOO_LARGE', `${field}: ${message}`, {
    fields: [{ field, violation: 'TOO_LONG', message }],
  });
}
