// Makes a backup of the database and of all recordings while the server runs. The rows are a snapshot of one
// moment. Recordings never change, so they are read afterwards; any deleted in between are noted and will not
// be restored.
import { SNAPSHOT_PREFIX } from '../../biometrics/ports/gallery-snapshots.js';
import type { BlobKey, BlobStore } from '../blobs/blob-store.js';
import type { Database } from '../database.js';
import type { MasterKey } from '../sealing/master-key.js';
import { StorageError } from '../storage-error.js';
import {
  type ArchiveWriter,
  type BackupCounts,
  type BackupFacts,
  createArchive,
  type Value,
} from './archive.js';
import { withSnapshot, type Row } from './snapshot.js';

interface BackupDeps {
  database: Database;
  blobs: BlobStore;
  master: MasterKey;
}

export interface BackupReport extends BackupFacts, BackupCounts {
  /** Recordings that rows name but that are missing or cannot be opened, named as the doctor names them. */
  missing: string[];
  damaged: string[];
}

export async function createBackup(
  deps: BackupDeps,
  path: string,
  about: Omit<BackupFacts, 'masterKeyId'>,
): Promise<BackupReport> {
  const facts: BackupFacts = { ...about, masterKeyId: deps.master.id };
  const archive = await createArchive(path, facts, deps.master);
  try {
    const { named, ...counts } = await writeRows(deps.database, archive);
    const { copied, damaged } = await writeBlobs(deps.blobs, archive);
    const absent = [...named].filter(([name]) => !copied.has(name) && !damaged.has(name));
    const { deleted, missing } = await deletedOrMissing(deps.database, absent);
    if (deleted.length > 0) await archive.write({ kind: 'deleted', blobs: deleted });
    const whole: BackupCounts = { ...counts, recordings: copied.size };
    await archive.write({ kind: 'end', counts: whole });
    await archive.finish();
    return { ...facts, ...whole, missing, damaged: [...damaged].flatMap((name) => named.get(name) ?? []) };
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

/** Names blobs that a backup leaves out. */
const SNAPSHOTS_TABLE = 'gallery_snapshots';

/** Media segments by the name of their recording. */
type Named = Map<string, string>;

const nameOf = ({ tenantKey, blobId }: BlobKey): string => `${tenantKey}/${blobId}`;

async function writeRows(
  database: Database,
  archive: ArchiveWriter,
): Promise<{ tables: number; rows: number; named: Named }> {
  const found = { tables: 0, rows: 0, named: new Map<string, string>() };
  await withSnapshot(database, async (tables) => {
    for (const table of tables) {
      if (table.name === SNAPSHOTS_TABLE) continue;
      found.tables++;
      let columns: string[] | undefined;
      for await (const page of table.pages()) {
        if (!columns) {
          columns = Object.keys(page[0] ?? {});
          await archive.write({ kind: 'table', name: table.name, columns });
        }
        await archive.write({ kind: 'rows', rows: page.map((row) => valuesOf(row, columns as string[])) });
        found.rows += page.length;
        if (table.name === 'media_segments') for (const row of page) note(found.named, row);
      }
    }
  });
  return found;
}

function valuesOf(row: Row, columns: readonly string[]): Value[] {
  return columns.map((column) => row[column] ?? null);
}

function note(named: Named, row: Row): void {
  const { gk_scope_id: tenantKey, blob_id: blobId, gk_media_segment_id: media } = row;
  if (typeof blobId === 'string') named.set(nameOf({ tenantKey: String(tenantKey), blobId }), String(media));
}

async function writeBlobs(
  blobs: BlobStore,
  archive: ArchiveWriter,
): Promise<{ copied: Set<string>; damaged: Set<string> }> {
  const copied = new Set<string>();
  const damaged = new Set<string>();
  for (const tenantKey of await blobs.tenants())
    for await (const blobId of blobs.list(tenantKey)) {
      // Rebuilt from the rows whenever it is needed.
      if (blobId.startsWith(SNAPSHOT_PREFIX)) continue;
      const key = { tenantKey, blobId };
      const fault = await writeBlob(blobs, archive, key);
      if (fault === undefined) copied.add(nameOf(key));
      else if (fault === 'BLOB_DAMAGED') damaged.add(nameOf(key));
    }
  return { copied, damaged };
}

/** One recording that cannot be opened is no reason to lose the others. */
async function writeBlob(
  blobs: BlobStore,
  archive: ArchiveWriter,
  key: BlobKey,
): Promise<string | undefined> {
  await archive.write({ kind: 'blob', ...key });
  let fault: string | undefined;
  try {
    for await (const bytes of blobs.read(key)) await archive.write({ kind: 'bytes', bytes });
  } catch (error) {
    if (!(error instanceof StorageError) || error.fault === 'BACKUP_NOT_WRITTEN') throw error;
    fault = error.fault === 'BLOB_MISSING' ? error.fault : 'BLOB_DAMAGED';
  }
  await archive.write({ kind: 'blob end', isWhole: fault === undefined });
  return fault;
}

/** A recording that no row names any more was deleted meanwhile; one that a row still names is missing. */
async function deletedOrMissing(
  { db }: Database,
  absent: readonly (readonly [name: string, media: string])[],
): Promise<{ deleted: [string, string][]; missing: string[] }> {
  const deleted: [string, string][] = [];
  const missing: string[] = [];
  for (const [name, media] of absent) {
    const row = await db
      .selectFrom('media_segments')
      .select('blob_id')
      .where('gk_media_segment_id', '=', media)
      .executeTakeFirst();
    const [tenantKey = '', blobId = ''] = name.split('/');
    if (row?.blob_id === blobId) missing.push(media);
    else deleted.push([tenantKey, blobId]);
  }
  return { deleted, missing };
}
