// Blobs as files: <root>/<tenant>/<xx>/<blob id>, xx being two digits of the id's hash to keep folders small.
// A blob appears under its name only when it is complete and on the disk: written aside, synced, linked.
import { createHash, randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  unlink,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { AppError } from '../../errors.js';
import type { Clock } from '../../platform.js';
import { diskFaultOf, type DiskFault } from '../disk-errors.js';
import {
  alreadyThere,
  diskFull,
  missing,
  notWritable,
  placeOfBlob,
  safeName,
  sealedFor,
  tooManyFiles,
  type SealerOf,
} from './blob-rules.js';
import type { BlobKey, BlobStore, PutOptions, SweepReport } from './blob-store.js';
import {
  type BlobFacts,
  HEADER_BYTES,
  type OpenOptions,
  openStream,
  sealedVersionOf,
} from './stream-cipher.js';

export interface FileBlobsDeps {
  root: string;
  clock: Clock;
  sealerOf: SealerOf;
}

const TEMPORARY_FOLDER = '.incoming';
const IDENTITY_FILE = '.store-id';
const READ_PIECE_BYTES = 256 * 1024;

export function fileBlobs(deps: FileBlobsDeps): BlobStore {
  return new FileBlobs(deps);
}

class FileBlobs implements BlobStore {
  readonly place: string;
  readonly #deps: FileBlobsDeps;
  /**
   * A folder that existed and is gone means that a disk is not mounted: never make a new one in its place.
   */
  #wasThere = false;

  constructor(deps: FileBlobsDeps) {
    this.#deps = deps;
    this.place = `the folder ${deps.root} on ${hostname()}`;
  }

  async put(key: BlobKey, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobFacts> {
    const path = this.#path(key);
    const temporary = this.#temporaryPath();
    try {
      if (await exists(path)) throw alreadyThere();
      await this.#makeTemporaryFolder();
      const facts = await this.#writeSealed(temporary, key, source, options);
      await makeFolders(this.#deps.root, dirname(path));
      try {
        // A link, unlike a rename, never replaces: of two writers one wins and the other is told.
        await link(temporary, path);
      } catch (error) {
        if (codeOf(error) === 'EEXIST') throw alreadyThere();
        throw error;
      }
      await syncFolder(dirname(path));
      return facts;
    } catch (error) {
      throw this.#diskFault(error);
    } finally {
      await removeQuietly(temporary);
    }
  }

  async *read(key: BlobKey, options?: OpenOptions): AsyncGenerator<Uint8Array> {
    const file = await this.#openForRead(key);
    try {
      const sealer = await this.#deps.sealerOf(key.tenantKey);
      const { size } = await file.stat();
      yield* openStream(sealer, placeOfBlob(key), piecesOf(file), size, options);
    } finally {
      await file.close();
    }
  }

  exists(key: BlobKey): Promise<boolean> {
    return exists(this.#path(key));
  }

  async delete(key: BlobKey): Promise<void> {
    const path = this.#path(key);
    try {
      await unlink(path);
      await syncFolder(dirname(path));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }

  async deleteTenant(tenantKey: string): Promise<void> {
    await rm(this.#tenantFolder(tenantKey), { recursive: true, force: true });
  }

  async tenants(): Promise<string[]> {
    const folders = await entriesOf(this.#deps.root);
    return folders
      .filter((entry) => entry.isDirectory() && entry.name !== TEMPORARY_FOLDER)
      .map((entry) => entry.name)
      .sort();
  }

  async *list(tenantKey: string): AsyncGenerator<string> {
    const folder = this.#tenantFolder(tenantKey);
    for (const shard of (await entriesOf(folder)).filter((entry) => entry.isDirectory())) {
      for (const file of await entriesOf(join(folder, shard.name))) if (file.isFile()) yield file.name;
    }
  }

  async sweep(isReferenced: (key: BlobKey) => Promise<boolean>, olderThanMs: number): Promise<SweepReport> {
    const report: SweepReport = { temporaryFiles: 0, orphans: 0 };
    const beforeMs = this.#deps.clock.now() - olderThanMs;
    for (const entry of await entriesOf(join(this.#deps.root, TEMPORARY_FOLDER))) {
      const path = join(this.#deps.root, TEMPORARY_FOLDER, entry.name);
      if (!(await isOlder(path, beforeMs))) continue;
      await rm(path, { force: true });
      report.temporaryFiles++;
    }
    for (const tenantKey of await this.tenants()) {
      for await (const blobId of this.list(tenantKey)) {
        const key = { tenantKey, blobId };
        if (!(await isOlder(this.#path(key), beforeMs)) || (await isReferenced(key))) continue;
        await this.delete(key);
        report.orphans++;
      }
    }
    return report;
  }

  async reseal(key: BlobKey): Promise<boolean> {
    const sealer = await this.#deps.sealerOf(key.tenantKey);
    const file = await this.#openForRead(key);
    const header = Buffer.alloc(HEADER_BYTES);
    try {
      await file.read(header, 0, HEADER_BYTES, 0);
    } finally {
      await file.close();
    }
    if (sealedVersionOf(header) === sealer.keyVersion) return false;
    const temporary = this.#temporaryPath();
    try {
      await this.#makeTemporaryFolder();
      await this.#writeSealed(temporary, key, this.read(key), { maxBytes: Number.MAX_SAFE_INTEGER });
      // Here replacing is the point: same name, same content, newer key.
      await rename(temporary, this.#path(key));
      await syncFolder(dirname(this.#path(key)));
      return true;
    } catch (error) {
      throw this.#diskFault(error);
    } finally {
      await removeQuietly(temporary);
    }
  }

  async identity(): Promise<string | undefined> {
    try {
      const id = (await readFile(join(this.#deps.root, IDENTITY_FILE), 'utf8')).trim();
      this.#wasThere = true;
      return id;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async establish(id: string): Promise<string> {
    const temporary = this.#temporaryPath();
    try {
      await this.#makeTemporaryFolder();
      await writeWhole(temporary, [Buffer.from(`${id}\n`)]);
      await link(temporary, join(this.#deps.root, IDENTITY_FILE));
      await syncFolder(this.#deps.root);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw this.#diskFault(error);
    } finally {
      await removeQuietly(temporary);
    }
    return (await this.identity()) ?? id;
  }

  async #writeSealed(
    path: string,
    key: BlobKey,
    source: AsyncIterable<Uint8Array>,
    options: PutOptions,
  ): Promise<BlobFacts> {
    const sealed = await sealedFor(this.#deps.sealerOf, key, source, options);
    await writeWhole(path, sealed.pieces);
    return sealed.facts();
  }

  async #openForRead(key: BlobKey): Promise<FileHandle> {
    try {
      return await open(this.#path(key), 'r');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw missing(key, error);
      throw this.#diskFault(error);
    }
  }

  #temporaryPath(): string {
    return join(this.#deps.root, TEMPORARY_FOLDER, randomBytes(16).toString('hex'));
  }

  async #makeTemporaryFolder(): Promise<void> {
    try {
      await mkdir(join(this.#deps.root, TEMPORARY_FOLDER), { recursive: !this.#wasThere, mode: 0o700 });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    this.#wasThere = true;
  }

  /** Gives faults of the disk, as opposed to the call, a name; the path is only for the log. */
  #diskFault(error: unknown): unknown {
    const known = diskFaultOf(error);
    return known
      ? refusals[known.fault](new Error(`${this.#deps.root}: ${(error as Error).message}`, { cause: error }))
      : error;
  }

  #tenantFolder(tenantKey: string): string {
    return join(this.#deps.root, safeName(tenantKey));
  }

  #path(key: BlobKey): string {
    const shard = createHash('sha256').update(key.blobId).digest('hex').slice(0, 2);
    return join(this.#tenantFolder(key.tenantKey), shard, safeName(key.blobId));
  }
}

const refusals: Readonly<Record<DiskFault, (cause: Error) => AppError>> = {
  FULL: diskFull,
  NOT_USABLE: notWritable,
  TOO_MANY_FILES: tooManyFiles,
};

/**
 * A temporary file that cannot be removed now is swept later; the reason why the write failed matters more.
 */
async function removeQuietly(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {});
}

/**
 * A piece stays valid until the one after the next is requested: two buffers take turns, because a new one
 * for each piece of a large blob would keep the garbage collector busy. All pieces but the last are full, so
 * that no sealed chunk spans three of them.
 */
async function* piecesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  let buffer: Buffer = Buffer.alloc(READ_PIECE_BYTES);
  let other: Buffer | undefined;
  for (let at = 0; ;) {
    const bytes = await fillFrom(file, buffer, at);
    if (bytes === 0) return;
    at += bytes;
    yield buffer.subarray(0, bytes);
    if (bytes < buffer.byteLength) return;
    [buffer, other] = [other ?? Buffer.alloc(READ_PIECE_BYTES), buffer];
  }
}

/** Returns the number of bytes read: fewer than requested only at the end. */
async function fillFrom(file: FileHandle, buffer: Buffer, from: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.byteLength) {
    const { bytesRead } = await file.read(buffer, filled, buffer.byteLength - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** Writes a new file, which is on the disk when this returns. */
async function writeWhole(
  path: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of pieces) await writeAll(file, piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.byteLength;) at += (await file.write(piece, at)).bytesWritten;
}

/** New folders are durable only when the folders above them are synced too. */
async function makeFolders(root: string, folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made === undefined) return;
  for (let above = dirname(folder); above.length >= root.length; above = dirname(above))
    await syncFolder(above);
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function isOlder(path: string, thanMs: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs <= thanMs;
  } catch {
    return false;
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
