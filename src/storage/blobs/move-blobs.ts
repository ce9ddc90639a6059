// Copies every blob of one store to another. Each copy is read back and compared before it counts; blobs that
// are already there are only compared, so that an interrupted move continues where it stopped. A damaged copy
// is made again. Both stores may be in use meanwhile.
import { createHash } from 'node:crypto';
import { isBusy, messageOf } from '../../errors.js';
import { StorageError } from '../storage-error.js';
import type { BlobKey, BlobStore } from './blob-store.js';

interface MoveReport {
  /** Written by this run. */
  copied: number;
  /** Already in the new store, and identical. */
  there: number;
  bytes: number;
  /** Removed from the old store, if requested. */
  removed: number;
  /** `tenant/blob: reason`; these stay in the old store. */
  failed: string[];
}

interface MoveOptions {
  /** Remove each blob from the old store once it is proven to be in the new one. */
  removeSource: boolean;
  onProgress(report: MoveReport): void;
}

const AT_ONCE = 8;

interface Digest {
  sizeBytes: number;
  sha256: string;
}

export async function moveBlobs(from: BlobStore, to: BlobStore, options: MoveOptions): Promise<MoveReport> {
  const report: MoveReport = { copied: 0, there: 0, bytes: 0, removed: 0, failed: [] };
  for (const tenantKey of await from.tenants()) {
    let batch: BlobKey[] = [];
    const moveBatch = async (): Promise<void> => {
      await Promise.all(batch.map((key) => moveOne(from, to, key, { report, ...options })));
      batch = [];
      options.onProgress(report);
    };
    for await (const blobId of from.list(tenantKey))
      if (batch.push({ tenantKey, blobId }) === AT_ONCE) await moveBatch();
    if (batch.length > 0) await moveBatch();
  }
  return report;
}

async function moveOne(
  from: BlobStore,
  to: BlobStore,
  key: BlobKey,
  { report, removeSource }: MoveOptions & { report: MoveReport },
): Promise<void> {
  try {
    let wasThere = await to.exists(key);
    const source = wasThere ? await digestOf(from.read(key)) : await copy(from, to, key);
    let target = await digestUnlessDamaged(to, key);
    if (!target && wasThere) {
      // The source has just been read to its end, so it is intact and replaces the unreadable copy.
      await to.delete(key);
      await copy(from, to, key);
      wasThere = false;
    }
    target ??= await digestOf(to.read(key));
    if (target.sha256 !== source.sha256) throw new Error('the copy differs from its source');
    // Deleted by its owner while it was being moved: then the copy has to go as well.
    if (!(await from.exists(key))) return await to.delete(key);
    if (wasThere) report.there++;
    else report.copied++;
    report.bytes += source.sizeBytes;
    if (!removeSource) return;
    await from.delete(key);
    report.removed++;
  } catch (error) {
    // An outage ends the move, which can be continued later; a fault of a single blob does not.
    if (isBusy(error)) throw error;
    if (await isAbsentNow(from, key, error)) return;
    report.failed.push(`${key.tenantKey}/${key.blobId}: ${messageOf(error)}`);
  }
}

function copy(from: BlobStore, to: BlobStore, key: BlobKey): Promise<Digest> {
  return to.put(key, from.read(key), { maxBytes: Number.MAX_SAFE_INTEGER });
}

async function digestUnlessDamaged(store: BlobStore, key: BlobKey): Promise<Digest | undefined> {
  try {
    return await digestOf(store.read(key));
  } catch (error) {
    if (error instanceof StorageError && error.fault === 'BLOB_DAMAGED') return undefined;
    throw error;
  }
}

/** Deleted meanwhile, or left over from a deleted tenant: nobody can or may read it any more. */
async function isAbsentNow(from: BlobStore, key: BlobKey, error: unknown): Promise<boolean> {
  if (!(error instanceof StorageError)) return false;
  return error.fault === 'KEY_DESTROYED' || (error.fault === 'BLOB_MISSING' && !(await from.exists(key)));
}

async function digestOf(pieces: AsyncIterable<Uint8Array>): Promise<Digest> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    sizeBytes += piece.byteLength;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}
