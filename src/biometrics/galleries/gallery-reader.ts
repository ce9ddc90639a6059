// Loads groups and watchlists into memory, and keeps them up to date with the journal of changes.
import { AppError } from '../../errors.js';
import { yieldToEventLoop, type Log } from '../../platform.js';
import type { Scanner } from '../../voice/search/block-scan.js';
import type { BiometricsStore } from '../ports/store.js';
import type { ComparablePrint } from '../model/profiles.js';
import { Gallery, type GalleryModel } from './gallery.js';
import type { CollectionPlace } from './gallery-view.js';
import type { GallerySnapshots } from './snapshots.js';
import { say } from '../../words/server/say.js';

export interface GalleryReaderDeps {
  store: BiometricsStore;
  model: GalleryModel;
  /**
   * Where galleries are kept from one start to the next; without it they are read from the database each
   * time.
   */
  snapshots?: Pick<GallerySnapshots, 'load' | 'keep'>;
  /** Scans large galleries on its own threads. */
  scanner?: Scanner;
  log?: Log;
}

/** A gallery as of a given change. */
export interface ReadGallery {
  gallery: Gallery;
  /** The journal change up to which it is current. */
  seq: number;
}

/** A read in progress, which may be overtaken by the deletion of what is read. */
interface Reading {
  overtaken: boolean;
}

/** Members read at once, and changes followed at once: a few milliseconds of work. */
const PAGE_MEMBERS = 100;
const PAGE_CHANGES = 200;
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
  async read(
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

  async #load(
    reading: Reading,
    { gkScopeId, collectionGkId, field }: CollectionPlace,
  ): Promise<ReadGallery | undefined> {
    const { store, model, scanner } = this.#deps;
    // Read before the prints: changes meanwhile are followed afterwards, and following twice does no harm.
    const seq = await store.read.printChanges.last(gkScopeId);
    const gallery = new Gallery(model, scanner);
    let after: string | undefined = '';
    while (after !== undefined) {
      const page: { prints: ComparablePrint[]; next?: string } = await store.read.profiles.listByMembers(
        gkScopeId,
        collectionGkId,
        { members: PAGE_MEMBERS, after },
      );
      for (const print of page.prints) gallery.put(print);
      if (gallery.size > this.#printsMax) throw tooLarge(field, this.#printsMax);
      after = page.next;
      // A database in the same process answers without ever yielding.
      await yieldToEventLoop();
      if (reading.overtaken) return undefined;
    }
    return { gallery, seq };
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
        for (const print of current) gallery.put(print);
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

export function tooLarge(field: string, max: number): AppError {
  const said = say('TOO_MANY_PRINTS', { max });
  return new AppError('TOO_LARGE', `${field}: ${said.message}`, {
    fields: [{ field, violation: 'TOO_LONG', ...said }],
  });
}
