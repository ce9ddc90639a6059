// Blobs as files: <root>/<scope>/<xx>/<blob id>, xx being two digits of the id's hash to keep folders small.
// A blob appears under its name only when it is complete and on the disk: written aside, synced, linked.
import { createHash, randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../errors.js';
import type { Clock } from '../../platform.js';
import type { TenantSealer } from '../sealing/keyring.js';
import { StorageError } from '../storage-error.js';
import type { BlobKey, BlobStore, PutOptions, SweepReport } from './blob-store.js';
import { type BlobFacts, HEADER_BYTES, openStream, sealStream, sealedVersionOf } from './stream-cipher.js';

export interface FileBlobsDeps {
  root: string;
  clock: Clock;
  /** The keyring's, bound to the database. */
  sealerOf(tenantKey: string): Promise<TenantSealer>;
}

const TEMPORARY_FOLDER = '.incoming';
const READ_PIECE_BYTES = 256 * 1024;

export function fileBlobs(deps: FileBlobsDeps): BlobStore {
  return new FileBlobs(deps);
}

class FileBlobs implements BlobStore {
  readonly #deps: FileBlobsDeps;

  constructor(deps: FileBlobsDeps) {
    this.#deps = deps;
  }

  async put(key: BlobKey, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobFacts> {
    const path = this.#path(key);
    if (await exists(path)) throw alreadyThere();
    const temporary = await this.#temporaryPath();
    try {
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
      throw diskFault(error);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async *read(key: BlobKey): AsyncGenerator<Uint8Array> {
    const file = await this.#openForRead(key);
    try {
      const sealer = await this.#deps.sealerOf(key.tenantKey);
      const { size } = await file.stat();
      yield* openStream(sealer, placeOfBlob(key), piecesOf(file), size);
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
    const before = this.#deps.clock.now() - olderThanMs;
    for (const entry of await entriesOf(join(this.#deps.root, TEMPORARY_FOLDER))) {
      const path = join(this.#deps.root, TEMPORARY_FOLDER, entry.name);
      if (!(await isOlder(path, before))) continue;
      await rm(path, { force: true });
      report.temporaryFiles++;
    }
    for (const tenantKey of await this.tenants()) {
      for await (const blobId of this.list(tenantKey)) {
        const key = { tenantKey, blobId };
        if (!(await isOlder(this.#path(key), before)) || (await isReferenced(key))) continue;
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
    const temporary = await this.#temporaryPath();
    try {
      await this.#writeSealed(temporary, key, this.read(key), { maxBytes: Number.MAX_SAFE_INTEGER });
      // Here replacing is the point: same name, same content, newer key.
      await rename(temporary, this.#path(key));
      await syncFolder(dirname(this.#path(key)));
      return true;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async #writeSealed(
    path: string,
    key: BlobKey,
    source: AsyncIterable<Uint8Array>,
    options: PutOptions,
  ): Promise<BlobFacts> {
    const sealer = await this.#deps.sealerOf(key.tenantKey);
    const sealed = sealStream(sealer, placeOfBlob(key), source, (sizeBytes) => {
      if (sizeBytes > options.maxBytes) {
        throw new AppError('TOO_LARGE', `the content is larger than ${options.maxBytes} bytes`);
      }
      if (options.signal?.aborted) throw new AppError('CANCELLED_CLIENT', 'the upload was cancelled');
    });
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const piece of sealed.pieces) await writeAll(file, piece);
      await file.sync();
    } finally {
      await file.close();
    }
    return sealed.facts();
  }

  async #openForRead(key: BlobKey): Promise<FileHandle> {
    try {
      return await open(this.#path(key), 'r');
    } catch (error) {
      if (codeOf(error) === 'ENOENT')
        throw new StorageError('BLOB_MISSING', `there is no content for ${placeOfBlob(key)}`, error);
      throw error;
    }
  }

  async #temporaryPath(): Promise<string> {
    const folder = join(this.#deps.root, TEMPORARY_FOLDER);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return join(folder, randomBytes(16).toString('hex'));
  }

  #tenantFolder(tenantKey: string): string {
    return join(this.#deps.root, safeName(tenantKey));
  }

  #path(key: BlobKey): string {
    const shard = createHash('sha256').update(key.blobId).digest('hex').slice(0, 2);
    return join(this.#tenantFolder(key.tenantKey), shard, safeName(key.blobId));
  }
}

/** Names become paths: whatever could climb out of the folder is a defect of the caller. */
function safeName(name: string): string {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(name)) throw new StorageError('MISUSE', 'not a blob name');
  return name;
}

function placeOfBlob(key: BlobKey): string {
  return `blob/${key.tenantKey}/${key.blobId}`;
}

function diskFault(error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('BUSY', 'the disk is full', {
      retryAfterMs: 60_000,
      diagnostics: [{ code: 'DISK_FULL' }],
      cause: error,
    });
  return error;
}

function alreadyThere(): AppError {
  return new AppError('ALREADY_EXISTS', 'the content was written before and cannot be replaced');
}

async function* piecesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(READ_PIECE_BYTES), 0, READ_PIECE_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
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
