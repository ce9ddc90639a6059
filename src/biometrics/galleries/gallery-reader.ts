// Loads groups and watchlists into memory, whole or some shares of them, and keeps them up to date with the journal of
// changes.
import { AppError } from '../../errors.js';
import { yieldToEventLoop, type Log } from '../../platform.js';
import type { Scanner } from '../../voice/search/block-scan.js';
import type { BiometricsStore } from '../ports/store.js';
import type { ComparablePrint } from '../model/profiles.js';
import { Gallery, type GalleryModel } from './gallery.js';
import type { CollectionPlace } from './gallery-view.js';
import { shareOf, SHARES } from './shares.js';
import type { GallerySnapshots } from './snapshots.js';

export interface GalleryReaderDeps {
  store: BiometricsStore;
  model: GalleryModel;
  /**
   * Where galleries are kept from one start to the next; without it they are read from the database each
   * time.
   */
  snapshots?: Pick<GallerySnapshots, 'load' | 'loadShares' | 'keep' | 'isKept'>;
  /** Scans large galleries on its own threads. */
  scanner?: Scanner;
  log?: Log;
}

/** A gallery as of a given change. */
export interface ReadGallery {
  gallery: Gallery;
  /** The journal change up to which it is current. */
  seq: number;
  /** The shares that it has; if absent, all. */
  shares?: ReadonlySet<number>;
}

/** A read in progress, which may be overtaken by the deletion of what is read. */
interface Reading {
  overtaken: boolean;
}

/** Members read at once, and changes followed at once: a few milliseconds of work. */
const PAGE_MEMBERS = 100;
const PAGE_CHANGES = 200;
/** Prints that are copied from one gallery into another without a pause. */
const PAGE_TAKEN = 500;
/** If it is behind by more than this, and by more than it holds, rereading a gallery is faster. */
const CHANGES_MAX = 2000;

export class GalleryReader {
  readonly #deps: GalleryReaderDeps;
  readonly #printsMax: number;

  constructor(deps: GalleryReaderDeps, printsMax: number) {
    this.#deps = deps;
    this.#printsMax = printsMax;
  }

  /** As current as wanted, from memory, from a snapshot, or from the database. */
  async whole(
    reading: Reading,
    place: CollectionPlace,
    wanted: number,
    held: ReadGallery | undefined,
  ): Promise<ReadGallery | undefined> {
    const followed = held && (await this.#follow(reading, place, held, wanted));
    if (followed) return followed;
    const kept = await this.#deps.snapshots?.load(place);
    return (kept && (await this.#follow(reading, place, kept, wanted))) ?? (await this.#load(reading, place));
  }

  /** The same for some shares: missing ones are added to those in memory. */
  async shares(
    reading: Reading,
    place: CollectionPlace,
    shares: readonly number[],
    held: ReadGallery | undefined,
  ): Promise<ReadGallery | undefined> {
    const last = await this.#deps.store.read.printChanges.last(place.gkScopeId);
    const followed = held && (await this.#follow(reading, place, held, last));
    const missing = shares.filter((share) => !followed?.shares?.has(share));
    if (missing.length === 0) return followed;
    const kept = await this.#kept(reading, place, missing, last);
    const unkept = missing.filter((share) => !kept?.shares?.has(share));
    const loaded = unkept.length > 0 ? await this.#load(reading, place, new Set(unkept)) : undefined;
    if (unkept.length > 0 && !loaded) return undefined;
    const parts = [followed, kept, loaded].filter((part) => part !== undefined);
    // All are brought to the same change: later changes are followed for all of them together.
    const now = loaded ? await this.#deps.store.read.printChanges.last(place.gkScopeId) : last;
    for (const part of parts) if (!(await this.#follow(reading, place, part, now))) return undefined;
    const [all, ...others] = parts;
    for (const part of others) if (all) await this.#join(all, part, place);
    return all;
  }

  /** A separate copy of one share, to be stored. */
  async copyOf(gallery: Gallery, share: number): Promise<Gallery> {
    const copy = new Gallery(this.#deps.model);
    const ids = gallery.ids(share);
    for (let done = 0; done < ids.length; done += PAGE_TAKEN) {
      copy.take(gallery, ids.slice(done, done + PAGE_TAKEN));
      await yieldToEventLoop();
    }
    copy.takeUnusable(gallery, share);
    return copy;
  }

  /** The shares that have snapshots, as of a given change. */
  async #kept(
    reading: Reading,
    place: CollectionPlace,
    shares: readonly number[],
    last: number,
  ): Promise<ReadGallery | undefined> {
    const { snapshots, store } = this.#deps;
    let prints = 0;
    const kept = await snapshots?.loadShares(place, shares, async (found) => {
      if (!isNear(found.seq, last, found.prints)) return false;
      // It may be from before the oldest change that is still known.
      if (found.seq < last && !(await store.read.printChanges.since(place.gkScopeId, found.seq, 1)))
        return false;
      prints += found.prints;
      if (prints > this.#printsMax) throw tooLarge(place.field, this.#printsMax, true);
      return true;
    });
    if (!kept || kept.seqs.size === 0) return undefined;
    const { gallery, seqs } = kept;
    // Following a change twice does no harm.
    const oldest = { gallery, seq: Math.min(...seqs.values()), shares: new Set(seqs.keys()) };
    return this.#follow(reading, place, oldest, last);
  }

  /** Joins two parts of one list that are equally current. */
  async #join(into: ReadGallery, part: ReadGallery, { field }: CollectionPlace): Promise<void> {
    if (into.gallery.size + part.gallery.size > this.#printsMax) throw tooLarge(field, this.#printsMax, true);
    const steps = into.gallery.takeRows(part.gallery);
    for (let isMore = true; isMore;) {
      await into.gallery.change(() => (isMore = steps.next().done !== true));
      await yieldToEventLoop();
    }
    // Nobody asks about the new shares before they are all there.
    await into.gallery.change(() => {
      into.gallery.takeRest(part.gallery);
      into.shares = new Set([...(into.shares ?? []), ...(part.shares ?? [])]);
    });
  }

  async #load(
    reading: Reading,
    { gkScopeId, collectionGkId, field }: CollectionPlace,
    shares?: ReadonlySet<number>,
  ): Promise<ReadGallery | undefined> {
    const { store, model, scanner } = this.#deps;
    // Read before the prints: changes meanwhile are followed afterwards, and following twice does no harm.
    const seq = await store.read.printChanges.last(gkScopeId);
    const gallery = new Gallery(model, scanner, shares && shareOf);
    const admits = (gkOwnerId: string): boolean => shares?.has(shareOf(gkOwnerId)) ?? true;
    const members = Math.ceil((PAGE_MEMBERS * SHARES) / (shares?.size ?? SHARES));
    let after: string | undefined = '';
    while (after !== undefined) {
      const page: { prints: ComparablePrint[]; next?: string } = await store.read.profiles.listByMembers(
        gkScopeId,
        collectionGkId,
        { members, after, ...(shares && { admits }) },
      );
      for (const print of page.prints) gallery.put(print);
      if (gallery.size > this.#printsMax) throw tooLarge(field, this.#printsMax, shares !== undefined);
      after = page.next;
      // A database in the same process answers without ever yielding.
      await yieldToEventLoop();
      if (reading.overtaken) return undefined;
    }
    return { gallery, seq, ...(shares && { shares }) };
  }

  /** Brings a gallery up to date by the journal; undefined if it has to be read again. */
  async #follow(
    reading: Reading,
    { gkScopeId, collectionGkId }: CollectionPlace,
    held: ReadGallery,
    wanted: number,
  ): Promise<ReadGallery | undefined> {
    const { gallery } = held;
    const { read } = this.#deps.store;
    if (!isNear(held.seq, wanted, gallery.size)) return undefined;
    while (held.seq < wanted && !reading.overtaken) {
      const pageMax = Math.min(PAGE_CHANGES, wanted - held.seq);
      const changes = await read.printChanges.since(gkScopeId, held.seq, pageMax);
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
        for (const print of current)
          if (held.shares?.has(shareOf(print.gkOwnerId)) ?? true) gallery.put(print);
        held.seq += changes.length;
      });
      await yieldToEventLoop();
    }
    return held;
  }
}

/** Whether following the changes is faster than reading it again. */
const isNear = (seq: number, wanted: number, prints: number): boolean =>
  wanted - seq <= Math.max(CHANGES_MAX, prints);

export function tooLarge(field: string, max: number, isPart = false): AppError {
  const message = isPart
    ? `one node's part of it would have more than ${max} voiceprints: add nodes, or split it`
    : `has more than ${max} voiceprints: split it`;
  return new AppError('TOO_LARGE', `${field}: ${message}`, {
    fields: [{ field, violation: 'TOO_LONG', message }],
  });
}
