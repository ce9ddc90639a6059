// Checks every recording that a row names: whether its bytes exist and can be opened. Also finds bytes that
// no row names.
import { SNAPSHOT_PREFIX } from '../../biometrics/ports/gallery-snapshots.js';
import type { BlobStore } from '../blobs/blob-store.js';
import type { Database } from '../database.js';
import { StorageError } from '../storage-error.js';

interface BlobFindings {
  checked: number;
  missing: string[];
  damaged: string[];
  /** In the store, but named by no row: left by a crash, or written just now. */
  unnamed: number;
}

const PAGE_ROWS = 500;
/** Reports of jobs and snapshots of galleries. */
const notRecordings = new RegExp(`^(report-|${SNAPSHOT_PREFIX})`);

export async function checkBlobs(
  { db }: Database,
  blobs: BlobStore,
  depth: 'quick' | 'full',
): Promise<BlobFindings> {
  const found: BlobFindings = { checked: 0, missing: [], damaged: [], unnamed: 0 };
  const named = new Set<string>();
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('media_segments')
      .select(['gk_media_segment_id', 'gk_scope_id', 'blob_id'])
      .where('gk_media_segment_id', '>', after)
      .where('blob_id', 'is not', null)
      .orderBy('gk_media_segment_id')
      .limit(PAGE_ROWS)
      .execute();
    for (const { gk_scope_id: tenantKey, blob_id: blobId, gk_media_segment_id: media } of rows) {
      if (blobId === null) continue;
      named.add(`${tenantKey}/${blobId}`);
      found.checked++;
      const fault = await faultOf(blobs, { tenantKey, blobId }, depth);
      if (fault === 'BLOB_MISSING') found.missing.push(media);
      else if (fault) found.damaged.push(media);
    }
    const last = rows.at(-1);
    if (rows.length < PAGE_ROWS || !last) break;
    after = last.gk_media_segment_id;
  }
  for (const tenantKey of await blobs.tenants())
    for await (const blobId of blobs.list(tenantKey))
      if (!notRecordings.test(blobId) && !named.has(`${tenantKey}/${blobId}`)) found.unnamed++;
  return found;
}

async function faultOf(
  blobs: BlobStore,
  key: { tenantKey: string; blobId: string },
  depth: 'quick' | 'full',
): Promise<string | undefined> {
  if (depth === 'quick') return (await blobs.exists(key)) ? undefined : 'BLOB_MISSING';
  try {
    for await (const piece of blobs.read(key)) void piece;
    return undefined;
  } catch (error) {
    if (error instanceof StorageError) return error.fault;
    throw error;
  }
}
