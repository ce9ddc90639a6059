// Brings groups and watchlists into memory, whole or some shares of them, and keeps them as the journal of changes says.
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
  /** Where galleries are kept from one start to the next; without it they are read from the database each time. */
  snapshots?: Pick<GallerySnapshots, 'load' | 'keep' | 'isKept'>;
  /** Compares with large galleries on threads of its own. */
  scanner?: Scanner;
  log?: Log;
}

/** A gallery as it was at a change. */
export interface ReadGallery {
  gallery: Gallery;
  /** The change up to which it is current. */
  seq: number;
  /** Those that it has; all where it is absent. */
  shares?: ReadonlySet<number>;
}

/** Somebody's reading, which may be overtaken by the deletion of what is read. */
export interface Reading {
  overtaken: boolean;
}

/** Members that are read at once, and changes that are followed at once: a few milliseconds' work. */
const PAGE_MEMBERS = 100;
const PAGE_CHANGES = 200;
/** Prints that are taken from one gallery into another without a pause. */
const PAGE_TAKEN = 500;
/** Behind by more than this and by more than it holds, a gallery is read again: that is quicker. */
const CHANGES_MAX = 2000;
const SNAPSHOTS_AT_ONCE = 4;

export class GalleryReader {
  readonly #deps: GalleryReaderDeps;
  readonly #printsMax: number;

  constructor(deps: GalleryReaderDeps, printsMax: number) {
    this.#deps = deps;
    this.#printsMax = printsMax;
  }

  /** As current as is wanted, from what is held, from a snapshot, or from the database. */
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

  /** The same for some shares: those that are missing are added to what is held. */
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
    const { model, scanner } = this.#deps;
    const added: ReadGallery = {
      gallery: new Gallery(model, scanner, shareOf),
      seq: last,
      shares: new Set(),
    };
    const unkept = await this.#addKept(reading, place, added, missing);
    if (unkept.length > 0) {
      const loaded = await this.#load(reading, place, new Set(unkept));
      if (!loaded) return undefined;
      // All are brought to one moment: what changes after it is followed for all of them together.
      const now = await this.#deps.store.read.printChanges.last(place.gkScopeId);
      const isFirst = !followed && added.shares?.size === 0;
      for (const part of isFirst ? [loaded] : [loaded, added, ...(followed ? [followed] : [])])
        if (!(await this.#follow(reading, place, part, now))) return undefined;
      if (isFirst) return loaded;
      await this.#join(added, loaded, place);
    }
    if (!followed) return added;
    await this.#join(followed, added, place);
    return followed;
  }

  /** A share of a gallery by itself, to be kept. */
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

  /** Adds the shares of which there are snapshots; answers the others. */
  async #addKept(
    reading: Reading,
    place: CollectionPlace,
    added: ReadGallery,
    shares: readonly number[],
  ): Promise<number[]> {
    const { snapshots } = this.#deps;
    if (!snapshots) return [...shares];
    const unkept: number[] = [];
    for (let done = 0; done < shares.length; done += SNAPSHOTS_AT_ONCE) {
      const few = shares.slice(done, done + SNAPSHOTS_AT_ONCE);
      const found = await Promise.all(few.map((share) => snapshots.load({ ...place, share })));
      for (const [index, share] of few.entries()) {
        const kept = found[index];
        const part = kept && { ...kept, shares: new Set([share]) };
        if (part && (await this.#follow(reading, place, part, added.seq)))
          await this.#join(added, part, place);
        else unkept.push(share);
      }
    }
    return unkept;
  }

  /** Two parts of one list that are equally current become one. */
  async #join(into: ReadGallery, part: ReadGallery, { field }: CollectionPlace): Promise<void> {
    if (into.gallery.size + part.gallery.size > this.#printsMax) throw tooLarge(field, this.#printsMax, true);
    for (let done = 0; done < part.gallery.rows; done += PAGE_TAKEN) {
      await into.gallery.change(() => into.gallery.takeRows(part.gallery, done, PAGE_TAKEN));
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
    // Read before the prints: what changes meanwhile is followed afterwards, and following twice does no harm.
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
      // A database in the same process answers without ever giving way.
      await yieldToEventLoop();
      if (reading.overtaken) return undefined;
    }
    return { gallery, seq, ...(shares && { shares }) };
  }

  /** Brings a gallery up to date by the journal; nothing when it has to be read again. */
  async #follow(
    reading: Reading,
    { gkScopeId, collectionGkId }: CollectionPlace,
    held: ReadGallery,
    wanted: number,
  ): Promise<ReadGallery | undefined> {
    const { gallery } = held;
    const { read } = this.#deps.store;
    if (wanted - held.seq > Math.max(CHANGES_MAX, gallery.size)) return undefined;
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

export function tooLarge(field: string, max: number, isPart = false): AppError {
  const message = isPart
    ? `one node's part of it would be more than ${max} prints: add nodes, or split it`
    : `holds more than ${max} prints: split it`;
  return new AppError('TOO_LARGE', `${field}: ${message}`, {
    fields: [{ field, violation: 'TOO_LONG', message }],
  });
}
