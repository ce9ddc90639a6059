// Restores a backup into an empty place. The tables are made as they were, filled in one transaction together
// with the recordings, and committed only when the whole file has proved sound: a failed restore leaves
// nothing behind that looks complete.
import { sql, type Kysely } from 'kysely';
import { AppError, isBusy } from '../../errors.js';
import type { Clock } from '../../platform.js';
import type { BlobKey, BlobStore } from '../blobs/blob-store.js';
import { schemaVersion } from '../checks/database.js';
import type { Database, Tx } from '../database.js';
import { migrate, unknownVersion } from '../migrate.js';
import { migrations } from '../migrations/index.js';
import { type Keyring, uncheckedKeyring } from '../sealing/keyring.js';
import type { MasterKey } from '../sealing/master-key.js';
import { deleteSetting } from '../settings.js';
import { StorageError } from '../storage-error.js';
import { type BackupCounts, type Frame, readFrames, type Value } from './archive.js';
import { dropMarked, mark, MARK_SETTING, markIn, newMark, refuseUnfinished, unmark } from './restore-mark.js';
import { MIGRATIONS_TABLE, tableNames } from './snapshot.js';

interface RestoreDeps {
  database: Database;
  clock: Clock;
  master: MasterKey;
  /** Reads keys through the transaction: the tenants' keys are among the rows being restored. */
  openBlobs(tx: Tx, keyring: Keyring): BlobStore;
}

type Rows = Kysely<Record<string, Record<string, Value>>>;

/** Parameters of one statement; SQLite accepts up to 32,766. */
const PARAMETERS_MAX = 30_000;

/** Reads the file to its end and checks its seal; changes nothing. */
export async function checkBackup(path: string, master: MasterKey): Promise<BackupCounts> {
  for await (const frame of readFrames(path, master)) if (frame.kind === 'end') return frame.counts;
  throw new StorageError('BACKUP_DAMAGED', `${path} has no end`);
}

export async function restoreBackup(deps: RestoreDeps, path: string): Promise<BackupCounts> {
  const { database, clock, master } = deps;
  await refuseFilled(database);
  await clearUnfinished(database);
  const hadTables = (await tableNames(database)).length > 0;
  const version = await versionIn(path, master);
  const there = await schemaVersion(database);
  if (there !== undefined && there > version)
    throw new StorageError(
      'NOT_EMPTY',
      `the database has tables of schema version ${there}, the backup was made with version ${version}: name a database without tables`,
    );
  const steps = migrations.filter((step) => step.version <= version);
  const own = newMark(clock.now());
  await migrate(database, clock, steps, (tx) => mark(tx, own));
  let hasBegun = false;
  const written: { blobs: BlobStore; keys: BlobKey[] }[] = [];
  try {
    // Another restore may have finished since the first check.
    await refuseFilled(database);
    return await database.transaction(async (tx) => {
      // A retried transaction would have to read the file from its beginning, and it has already been read in
      // part.
      if (hasBegun)
        throw new StorageError('MISUSE', 'the connection to the database was lost: restore again');
      hasBegun = true;
      if (!(await unmark(tx, own))) throw beside();
      const keyring = uncheckedKeyring({ source: sourceOf(master), clock });
      const place = { blobs: deps.openBlobs(tx, keyring), keys: [] };
      written.push(place);
      return fill(tx, readFrames(path, master), place, database.dialect === 'postgres');
    });
  } catch (error) {
    for (const { blobs, keys } of written) for (const key of keys) await blobs.delete(key);
    await leave(database, own, hadTables);
    throw error;
  }
}

const sourceOf = (master: MasterKey) => ({
  description: 'the key of the backup',
  load: (id?: string) => (id === undefined || id === master.id ? master : undefined),
});

async function refuseFilled(database: Database): Promise<void> {
  const name = await filledTable(database);
  if (name !== undefined)
    throw new StorageError(
      'NOT_EMPTY',
      `the database is not empty (table ${name}): restore into an empty one`,
    );
}

/** The name of a table that has rows; the mark of a restore does not count as one. */
async function filledTable(database: Database): Promise<string | undefined> {
  for (const name of await tableNames(database)) {
    if (name === MIGRATIONS_TABLE) continue;
    const others = name === 'settings' ? sql`where name <> ${MARK_SETTING}` : sql``;
    const { rows } = await sql`select 1 from ${sql.table(name)} ${others} limit 1`.execute(database.db);
    if (rows.length > 0) return name;
  }
  return undefined;
}

/** Clears the leftovers of an interrupted restore; waits for one that is still running, but not for long. */
async function clearUnfinished(database: Database): Promise<void> {
  const left = await markIn(database);
  if (left === undefined) return;
  try {
    if (!(await dropMarked(database, left))) throw beside();
  } catch (error) {
    // Somebody holds its tables, and its mark says since when.
    if (isBusy(error)) await refuseUnfinished(database);
    throw error;
  }
}

const beside = (): StorageError =>
  new StorageError('NOT_EMPTY', 'another restore is running in this database, or has just ended there');

/**
 * After a failed restore, drops the tables that were made for it; tables that existed before stay and lose
 * the mark. If that fails too, they are left empty and marked, and the next restore drops them.
 */
async function leave(database: Database, own: string, hadTables: boolean): Promise<void> {
  try {
    if (hadTables || (await filledTable(database)) !== undefined)
      await deleteSetting(database, MARK_SETTING, own);
    else await dropMarked(database, own);
  } catch {
    // The reason why the restore failed matters more.
  }
}

/** The first table says which migrations the backup had. */
async function versionIn(path: string, master: MasterKey): Promise<number> {
  let columns: readonly string[] = [];
  for await (const frame of readFrames(path, master)) {
    if (frame.kind === 'table' && frame.name === MIGRATIONS_TABLE) columns = frame.columns;
    else if (frame.kind === 'rows' && columns.length > 0) {
      const at = columns.indexOf('version');
      const version = Math.max(...frame.rows.map((row) => Number(row[at])));
      const newest = Math.max(...migrations.map((step) => step.version));
      if (version > newest)
        throw new StorageError(
          'SCHEMA_TOO_NEW',
          `the backup has schema version ${version}, this program knows versions up to ${newest}: use a newer program`,
        );
      const unknown = unknownVersion(version);
      if (unknown)
        throw new StorageError(
          'SCHEMA_TOO_OLD',
          `the backup has schema version ${version}, ${unknown.age}: restore it with ${unknown.program} and start that once, then this program`,
        );
      return version;
    } else break;
  }
  throw new StorageError('BACKUP_DAMAGED', `${path} does not begin with its schema version`);
}

interface Place {
  blobs: BlobStore;
  keys: BlobKey[];
}

async function fill(
  tx: Tx,
  frames: AsyncGenerator<Frame>,
  place: Place,
  isPostgres: boolean,
): Promise<BackupCounts> {
  // Writing recordings takes time, and the server would take the silence for a client that is gone.
  if (isPostgres) await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
  const db = tx as unknown as Rows;
  let table: Frame & { kind: 'table' } = { kind: 'table', name: '', columns: [] };
  for await (const frame of frames) {
    switch (frame.kind) {
      case 'table':
        table = frame;
        break;
      case 'rows':
        if (table.name !== MIGRATIONS_TABLE) await insertRows(db, table, frame.rows);
        break;
      case 'blob':
        await restoreBlob(place, { tenantKey: frame.tenantKey, blobId: frame.blobId }, frames);
        break;
      case 'deleted':
        for (const [tenantKey, blobId] of frame.blobs) await dropMedia(tx, { tenantKey, blobId });
        break;
      case 'end':
        return frame.counts;
      case 'bytes':
      case 'blob end':
        throw new StorageError('BACKUP_DAMAGED', `a frame out of place: ${frame.kind}`);
    }
  }
  throw new StorageError('BACKUP_DAMAGED', 'the backup has no end');
}

async function insertRows(
  db: Rows,
  { name, columns }: { name: string; columns: readonly string[] },
  rows: readonly (readonly Value[])[],
): Promise<void> {
  const atOnce = Math.max(1, Math.floor(PARAMETERS_MAX / columns.length));
  for (let from = 0; from < rows.length; from += atOnce) {
    const values = rows
      .slice(from, from + atOnce)
      .map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])));
    await db.insertInto(name).values(values).execute();
  }
}

/** Sealed again under the key of its tenant, which came with the rows. */
async function restoreBlob(place: Place, key: BlobKey, frames: AsyncGenerator<Frame>): Promise<void> {
  const broken = new StorageError('BLOB_DAMAGED', 'the recording was damaged when the backup was made');
  async function* content(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const { value: frame, done } = await frames.next();
      if (done) throw new StorageError('BACKUP_DAMAGED', 'the backup ends within a recording');
      if (frame.kind === 'bytes') yield frame.bytes;
      else if (frame.kind === 'blob end' && frame.isWhole) return;
      else if (frame.kind === 'blob end') throw broken;
      else throw new StorageError('BACKUP_DAMAGED', `a frame out of place: ${frame.kind}`);
    }
  }
  if (await isWhole(place.blobs, key)) {
    for await (const bytes of content()) void bytes;
    return;
  }
  await place.blobs.delete(key);
  place.keys.push(key);
  try {
    await place.blobs.put(key, content(), { maxBytes: Number.MAX_SAFE_INTEGER });
  } catch (error) {
    if (error !== broken && !(error instanceof AppError && error.cause === broken)) throw error;
  }
}

/**
 * Recordings never change: one that exists and opens is the backup's own, left by a restore that was killed
 * or in a bucket that outlived its database. It stays, even if this restore fails.
 */
async function isWhole(blobs: BlobStore, key: BlobKey): Promise<boolean> {
  if (!(await blobs.exists(key))) return false;
  try {
    for await (const bytes of blobs.read(key)) void bytes;
    return true;
  } catch (error) {
    if (error instanceof StorageError) return false;
    throw error;
  }
}

async function dropMedia(tx: Tx, { tenantKey, blobId }: BlobKey): Promise<void> {
  const rows = await tx
    .selectFrom('media_segments')
    .select('gk_media_segment_id')
    .where('gk_scope_id', '=', tenantKey)
    .where('blob_id', '=', blobId)
    .execute();
  for (const { gk_media_segment_id: media } of rows) {
    await tx.deleteFrom('voice_ties').where('gk_media_segment_id', '=', media).execute();
    await tx.deleteFrom('media_segments').where('gk_media_segment_id', '=', media).execute();
  }
}
