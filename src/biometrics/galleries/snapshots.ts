// Galleries kept in the store of recordings, sealed, so that a node need not read a million prints one by one after a start. A
// snapshot is as current as the change it names; what came after is in the journal. One that is missing, damaged, of another
// model or of another time is said so, removed, and never used. One that holds a print which is gone is removed, too.
import { isBusy } from '../../errors.js';
import { DAY_MS, yieldToEventLoop, type Clock, type Ids, type Log } from '../../platform.js';
import type { Scanner } from '../../voice/search/block-scan.js';
import type { BiometricsStore } from '../ports/store.js';
import { SNAPSHOT_PREFIX, type GallerySnapshot } from '../ports/gallery-snapshots.js';
import { Gallery, type GalleryModel } from './gallery.js';
import { shareOf } from './shares.js';
import { decodePart, encodePart, madeFor, shareMadeFor, type SnapshotIdentity } from './snapshot-parts.js';

/** Sealed per scope, written once, durable when `put` returns. */
interface SnapshotBlobs {
  put(
    gkScopeId: string,
    blobId: string,
    source: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<unknown>;
  read(gkScopeId: string, blobId: string): AsyncIterable<Uint8Array>;
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
  /** Does the work unless another node is at it. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T | undefined>;
}

export interface SnapshotLimits {
  /** Smaller galleries are read as quickly without one; a node reads many shares at a time. */
  printsMin: number;
  sharePrintsMin: number;
  /** Those that cannot be compared with are kept as text; many of them are a gallery of another model. */
  unusableMax: number;
  /** Rows in one part. */
  partRows: number;
  /** Changes behind which a snapshot is replaced. */
  behindMax: number;
}

const snapshotLimits: SnapshotLimits = {
  printsMin: 5000,
  sharePrintsMin: 500,
  unusableMax: 20_000,
  partRows: 32_768,
  behindMax: 10_000,
};

interface Place {
  gkScopeId: string;
  collectionGkId: string;
  /** One share of the list. */
  share?: number;
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

  /** The gallery as it was at a change; nothing where there is no snapshot that can be used. */
  async load(place: Place): Promise<{ gallery: Gallery; seq: number } | undefined> {
    const { store, log, model } = this.#deps;
    const found = await this.#find(place);
    if (!found) return undefined;
    const { seq, snapshotId } = found;
    try {
      if (seq > (await store.read.printChanges.last(place.gkScopeId)))
        throw new RangeError('it is from a later time than the database');
      return {
        gallery: await this.#read(found, { ...identityOf(place), ...this.#model, seq, snapshotId }),
        seq,
      };
    } catch (cause) {
      const isAway = isBusy(cause);
      log.warn(
        { err: cause, collection: place.collectionGkId, model: model.revision },
        isAway
          ? 'a gallery is read from the database: its snapshot cannot be reached'
          : 'a gallery is read from the database: its snapshot cannot be used and is removed',
      );
      if (!isAway) await this.#remove(found);
      return undefined;
    }
  }

  /** Whether what is kept is good enough for a gallery that is current up to this change. */
  async isKept(place: Place, seq: number): Promise<boolean> {
    const kept = await this.#find(place);
    return kept !== undefined && seq - kept.seq <= this.#limits.behindMax;
  }

  /** Keeps a gallery unless what is kept is good enough, or another node is at it. */
  async keep(place: Place, current: { gallery: Gallery; seq: number }): Promise<boolean> {
    const { gallery, seq } = current;
    const { printsMin, sharePrintsMin, unusableMax } = this.#limits;
    if (this.#stopping.signal.aborted) return false;
    if (gallery.size < (place.share === undefined ? printsMin : sharePrintsMin)) return false;
    if (gallery.rest.unusable.length > unusableMax) return false;
    if (await this.isKept(place, seq)) return false;
    const name = `gallery.${place.gkScopeId}.${place.collectionGkId}`;
    const saved = await this.#deps.alone(
      place.share === undefined ? name : `${name}.${place.share}`,
      async () => {
        if (await this.isKept(place, seq)) return false;
        await this.#save(place, current);
        return true;
      },
    );
    return saved ?? false;
  }

  /** Whether a blob belongs to a snapshot that is in use; undefined where it belongs to none. */
  async isUsed(gkScopeId: string, blobId: string): Promise<boolean | undefined> {
    if (!blobId.startsWith(SNAPSHOT_PREFIX)) return undefined;
    const kept = await this.#deps.store.read.gallerySnapshots.list(gkScopeId);
    return kept.some(({ blobIds }) => blobIds.includes(blobId));
  }

  /** Removes those that hold prints which are gone, and those of earlier models; answers how many. */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const kept of await this.#deps.store.read.gallerySnapshots.list()) {
      if (!this.#isOutdated(kept) && !(await this.#holdsWhatIsGone(kept))) continue;
      await this.#remove(kept);
      removed += 1;
    }
    return removed;
  }

  /** Gives up what is being written. */
  stop(): void {
    this.#stopping.abort();
  }

  get #model() {
    const { revision, dim } = this.#deps.model;
    return { modelRevision: revision, dim };
  }

  #find(place: Place): Promise<GallerySnapshot | undefined> {
    const { gkScopeId, collectionGkId } = place;
    const made = madeFor({ ...this.#model, ...identityOf(place) });
    return this.#deps.store.read.gallerySnapshots.find(gkScopeId, collectionGkId, made);
  }

  async #read({ gkScopeId, blobIds }: GallerySnapshot, identity: SnapshotIdentity): Promise<Gallery> {
    const gallery = new Gallery(this.#deps.model, this.#deps.scanner);
    const part = async (blobId: string) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of this.#deps.blobs.read(gkScopeId, blobId)) pieces.push(piece);
      return decodePart(Buffer.concat(pieces), identity);
    };
    const others = blobIds.slice(0, -1);
    const { rest, first: rows } = await part(blobIds.at(-1) ?? '');
    if (!rest) throw new RangeError('a snapshot without its last part');
    let written = 0;
    for (let done = 0; done < others.length; done += PARTS_AT_ONCE) {
      const parts = await Promise.all(others.slice(done, done + PARTS_AT_ONCE).map(part));
      for (const each of parts) {
        if (each.first !== written) throw new RangeError(`rows from ${each.first} on instead of ${written}`);
        gallery.write(each.first, each.rows, each.columns);
        written += each.rows;
        await yieldToEventLoop();
      }
    }
    if (written !== rows) throw new RangeError(`${written} rows instead of ${rows}`);
    for (const _step of gallery.adopt(rows, rest)) await yieldToEventLoop();
    return gallery;
  }

  async #save(place: Place, { gallery, seq }: { gallery: Gallery; seq: number }): Promise<void> {
    const { store, ids, clock } = this.#deps;
    const { gkScopeId, collectionGkId } = place;
    const identity: SnapshotIdentity = {
      ...identityOf(place),
      ...this.#model,
      seq,
      snapshotId: ids.uuid(),
    };
    const kept: GallerySnapshot = {
      gkScopeId,
      collectionGkId,
      snapshotId: identity.snapshotId,
      madeFor: madeFor(identity),
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

  /** Noted before it is written, so that it is removed if anything fails. */
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

  /** Made for a model that no node uses any more: during a rolling upgrade both are in use. */
  #isOutdated(kept: GallerySnapshot): boolean {
    const share = shareMadeFor(kept.madeFor);
    const made = madeFor({ ...this.#model, ...(share !== undefined && { share }) });
    return kept.madeFor !== made && this.#deps.clock.now() - kept.createdAtMs > DAY_MS;
  }

  /** By the journal; where that is forgotten, nobody can say. */
  async #holdsWhatIsGone({
    gkScopeId,
    collectionGkId,
    seq,
    madeFor: made,
  }: GallerySnapshot): Promise<boolean> {
    const { read } = this.#deps.store;
    const share = shareMadeFor(made);
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
          (share === undefined || shareOf(change.memberGkId) === share) &&
          !(await read.collections.hasMember(gkScopeId, collectionGkId, change.memberGkId))
        )
          return true;
      }
      if ((await read.profiles.countKept(gkScopeId, [...prints])) < prints.size) return true;
    }
    return false;
  }
}

/** What of a place its snapshot is known by. */
function identityOf({ gkScopeId, collectionGkId, share }: Place): Place {
  return { gkScopeId, collectionGkId, ...(share !== undefined && { share }) };
}

async function* asStream(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
