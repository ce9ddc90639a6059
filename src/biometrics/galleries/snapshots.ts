// Galleries kept in the store of recordings, sealed, so that a node need not read a million prints one by one after a start. A
// snapshot is as current as the change it names; later changes are in the journal. A snapshot that is missing, damaged, or of
// another model or time is reported, removed, and never used. One that contains a deleted print is removed, too.
import { isBusy } from '../../errors.js';
import { DAY_MS, yieldToEventLoop, type Clock, type Ids, type Log } from '../../platform.js';
import type { Scanner } from '../../voice/search/block-scan.js';
import type { BiometricsStore } from '../ports/store.js';
import { SNAPSHOT_PREFIX, type GallerySnapshot } from '../ports/gallery-snapshots.js';
import { Gallery, type GalleryModel, type GalleryMetadata } from './gallery.js';
import {
  decodePart,
  encodePart,
  snapshotFormatOf,
  type SnapshotIdentity,
  type SnapshotPart,
} from './snapshot-parts.js';

/** Sealed per scope, written once, durable when `put` returns. */
interface SnapshotBlobs {
  put(
    gkScopeId: string,
    blobId: string,
    source: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<unknown>;
  read(gkScopeId: string, blobId: string, options?: { bySealAlone: boolean }): AsyncIterable<Uint8Array>;
  delete(gkScopeId: string, blobId: string): Promise<void>;
}

export interface SnapshotDeps {
  store: BiometricsStore;
  blobs: SnapshotBlobs;
  clock: Clock;
  ids: Ids;
  log: Log;
  model: GalleryModel;
  scanner?: Scanner;
  /** Does the work unless another node is doing it. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T | undefined>;
}

interface SnapshotLimits {
  /** Smaller galleries are read as fast without one. */
  printsMin: number;
  /** Prints that cannot be compared with are stored as text; many of them mean a gallery of another model. */
  unusableMax: number;
  /** Rows in one part. */
  partRows: number;
  /** A snapshot that is this many changes behind is replaced. */
  behindMax: number;
}

const snapshotLimits: SnapshotLimits = {
  printsMin: 5000,
  unusableMax: 20_000,
  partRows: 32_768,
  behindMax: 10_000,
};

interface Place {
  gkScopeId: string;
  collectionGkId: string;
}

const PARTS_AT_ONCE = 4;
const PART_BYTES_MAX = 256 * 2 ** 20;
const PAGE_CHANGES = 1000;

export class GallerySnapshots {
  readonly #deps: SnapshotDeps;
  readonly #limits: SnapshotLimits;
  readonly #stopping = new AbortController();

  constructor(deps: SnapshotDeps, limits: SnapshotLimits = snapshotLimits) {
    this.#deps = deps;
    this.#limits = limits;
  }

  /** The gallery as of a given change; undefined if there is no usable snapshot. */
  async load(place: Place): Promise<{ gallery: Gallery; seq: number } | undefined> {
    const found = await this.#find(place);
    if (!found) return undefined;
    const { model, scanner } = this.#deps;
    const gallery = new Gallery(model, scanner);
    gallery.reserve(found.prints);
    const isRead = await this.#orWithout(found, async () => this.#take(gallery, found, this.#partsOf(found)));
    return isRead ? { gallery, seq: found.seq } : undefined;
  }

  /** Whether a snapshot could be used; an unusable one is removed, unless it merely could not be reached. */
  async #orWithout(kept: GallerySnapshot, use: () => Promise<void>): Promise<boolean> {
    const { store, log, model } = this.#deps;
    try {
      if (kept.seq > (await store.read.printChanges.last(kept.gkScopeId)))
        throw new RangeError('it is from a later time than the database');
      await use();
      return true;
    } catch (cause) {
      const isAway = isBusy(cause);
      log.warn(
        { err: cause, collection: kept.collectionGkId, model: model.revision },
        isAway
          ? 'a gallery is read from the database: its snapshot cannot be reached'
          : 'a gallery is read from the database: its snapshot cannot be used and is removed',
      );
      if (!isAway) await this.#remove(kept);
      return false;
    }
  }

  /** Whether the stored snapshot is good enough for a gallery that is current up to this change. */
  async #isKept(place: Place, seq: number): Promise<boolean> {
    const kept = await this.#find(place);
    return kept !== undefined && seq - kept.seq <= this.#limits.behindMax;
  }

  /** Stores a gallery unless the stored snapshot is good enough, or another node is doing it. */
  async keep(place: Place, current: { gallery: Gallery; seq: number }): Promise<boolean> {
    const { gallery, seq } = current;
    const { printsMin, unusableMax } = this.#limits;
    if (this.#stopping.signal.aborted || gallery.size < printsMin) return false;
    if (gallery.rest.unusable.length > unusableMax) return false;
    if (await this.#isKept(place, seq)) return false;
    const name = `gallery.${place.gkScopeId}.${place.collectionGkId}`;
    const saved = await this.#deps.alone(name, async () => {
      if (await this.#isKept(place, seq)) return false;
      await this.#save(place, current);
      return true;
    });
    return saved ?? false;
  }

  /** Whether a blob belongs to a snapshot in use; undefined if it belongs to none. */
  async isUsed(gkScopeId: string, blobId: string): Promise<boolean | undefined> {
    if (!blobId.startsWith(SNAPSHOT_PREFIX)) return undefined;
    const kept = await this.#deps.store.read.gallerySnapshots.list(gkScopeId);
    return kept.some(({ blobIds }) => blobIds.includes(blobId));
  }

  /** Removes snapshots with deleted prints, and those of earlier models; returns how many. */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const kept of await this.#deps.store.read.gallerySnapshots.list()) {
      if (!this.#isOutdated(kept) && !(await this.#holdsDeleted(kept))) continue;
      await this.#remove(kept);
      removed += 1;
    }
    return removed;
  }

  /** Aborts what is being written. */
  stop(): void {
    this.#stopping.abort();
  }

  get #model() {
    const { revision, dim } = this.#deps.model;
    return { modelRevision: revision, dim };
  }

  #find({ gkScopeId, collectionGkId }: Place): Promise<GallerySnapshot | undefined> {
    const made = snapshotFormatOf(this.#model);
    return this.#deps.store.read.gallerySnapshots.find(gkScopeId, collectionGkId, made);
  }

  /** The parts of a snapshot; the last one, which has the rest, comes first. */
  async *#partsOf(kept: GallerySnapshot): AsyncGenerator<SnapshotPart> {
    const { gkScopeId, collectionGkId, seq, snapshotId, blobIds } = kept;
    const identity: SnapshotIdentity = { gkScopeId, collectionGkId, ...this.#model, seq, snapshotId };
    const part = async (blobId: string): Promise<SnapshotPart> => {
      const pieces: Uint8Array[] = [];
      for await (const piece of this.#deps.blobs.read(gkScopeId, blobId, { bySealAlone: true }))
        pieces.push(piece);
      return decodePart(pieces, identity);
    };
    const last = blobIds.at(-1);
    for await (const { done } of inOrder(
      last === undefined ? [] : [last, ...blobIds.slice(0, -1)],
      PARTS_AT_ONCE,
      part,
    ))
      // prettier-ignore
      yield await done;
  }

  /** Appends the rows of a snapshot to a gallery. */
  async #take(
    gallery: Gallery,
    { blobIds }: GallerySnapshot,
    parts: AsyncIterable<SnapshotPart>,
  ): Promise<void> {
    let rest: GalleryMetadata | undefined;
    let [rows, written] = [0, 0];
    for await (const part of parts) {
      if (!rest) {
        if (!part.rest) throw new RangeError(`a snapshot of ${blobIds.length} parts without the rest`);
        rest = part.rest;
        rows = part.first;
        continue;
      }
      if (part.first !== written) throw new RangeError(`rows from ${part.first} on instead of ${written}`);
      for (const _step of gallery.append(part.rows, part.columns, rest)) await yieldToEventLoop();
      written += part.rows;
      await yieldToEventLoop();
    }
    if (!rest || written !== rows) throw new RangeError(`${written} rows instead of ${rows}`);
    gallery.adopt(rest);
  }

  async #save(
    { gkScopeId, collectionGkId }: Place,
    { gallery, seq }: { gallery: Gallery; seq: number },
  ): Promise<void> {
    const { store, ids, clock } = this.#deps;
    const identity: SnapshotIdentity = {
      gkScopeId,
      collectionGkId,
      ...this.#model,
      seq,
      snapshotId: ids.uuid(),
    };
    const kept: GallerySnapshot = {
      gkScopeId,
      collectionGkId,
      snapshotId: identity.snapshotId,
      madeFor: snapshotFormatOf(identity),
      seq,
      prints: gallery.size,
      blobIds: [],
      createdAtMs: clock.now(),
    };
    try {
      let first = 0;
      for (const { rows, columns } of gallery.copy(this.#limits.partRows)) {
        await this.#put(kept, encodePart(identity, { first, rows }, columns));
        first += rows;
      }
      await this.#put(kept, encodePart(identity, { first, rows: 0, rest: gallery.rest }));
      const replaced = await store.transaction((tx) => tx.gallerySnapshots.put(kept));
      if (replaced) await this.#removeBlobs(replaced);
    } catch (error) {
      await this.#removeBlobs(kept);
      throw error;
    }
  }

  /** Recorded before it is written, so that it is removed if anything fails. */
  async #put(kept: GallerySnapshot, pieces: readonly Uint8Array[]): Promise<void> {
    const blobId = `${SNAPSHOT_PREFIX}${kept.snapshotId}-${kept.blobIds.length}`;
    kept.blobIds.push(blobId);
    const { signal } = this.#stopping;
    const options = { maxBytes: PART_BYTES_MAX, signal };
    await this.#deps.blobs.put(kept.gkScopeId, blobId, asStream(pieces), options);
  }

  async #remove(kept: GallerySnapshot): Promise<void> {
    await this.#deps.store.transaction((tx) => tx.gallerySnapshots.delete(kept.snapshotId));
    await this.#removeBlobs(kept);
  }

  async #removeBlobs({ gkScopeId, blobIds }: GallerySnapshot): Promise<void> {
    for (const blobId of blobIds) await this.#deps.blobs.delete(gkScopeId, blobId);
  }

  /** Made for a model or by a program that no node uses any more: during a rolling upgrade both are in use. */
  #isOutdated(kept: GallerySnapshot): boolean {
    return (
      kept.madeFor !== snapshotFormatOf(this.#model) && this.#deps.clock.now() - kept.createdAtMs > DAY_MS
    );
  }

  /** According to the journal; if that has been pruned, it is not known. */
  async #holdsDeleted({ gkScopeId, collectionGkId, seq }: GallerySnapshot): Promise<boolean> {
    const { read } = this.#deps.store;
    const last = await read.printChanges.last(gkScopeId);
    for (let after = seq; after < last;) {
      const changes = await read.printChanges.since(gkScopeId, after, PAGE_CHANGES);
      if (!changes?.length) return true;
      after += changes.length;
      const prints = new Set<string>();
      for (const change of changes) {
        if (change.kind === 'ALL') return true;
        if (change.kind === 'PRINT') prints.add(change.gkVoiceprintProfileId);
        else if (
          change.collectionGkId === collectionGkId &&
          !(await read.collections.hasMember(gkScopeId, collectionGkId, change.memberGkId))
        )
          return true;
      }
      if ((await read.profiles.countKept(gkScopeId, [...prints])) < prints.size) return true;
    }
    return false;
  }
}

/** Processes several items at a time, each as a promise, in the order of the items. */
async function* inOrder<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<{ item: T; done: Promise<R> }> {
  const begun: { item: T; done: Promise<R> }[] = [];
  const begin = (item: T): void => {
    const done = work(item);
    // The consumer is told; after a failure, the others are not waited for.
    done.catch(() => {});
    begun.push({ item, done });
  };
  items.slice(0, atOnce).forEach(begin);
  for (let next = atOnce; begun.length > 0; next++) {
    const first = begun.shift();
    if (first) yield first;
    const item = items[next];
    if (item !== undefined) begin(item);
  }
}

async function* asStream(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
