// The file of a backup: a line that says what it is, a line of facts, and the content as frames, sealed as recordings are
// (blobs/stream-cipher.ts) under a key that is derived from the master key. Without that key nothing of the content can be
// read; a file that was changed or cut off is told apart from a whole one.
//   frame = kind (1) | length (4) | content; kind 0 is JSON, kind 1 are bytes of the recording that was named before
import { createHash, hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, type ReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough } from 'node:stream';
import { syncFolder, writeAll } from '../blobs/file-blobs.js';
import { ExactReader, openStream, sealStream, type StreamKeys } from '../blobs/stream-cipher.js';
import { diskFaultOf } from '../disk-errors.js';
import type { MasterKey } from '../sealing/master-key.js';
import { StorageError } from '../storage-error.js';

export type Value = string | number | null | Uint8Array;

export interface BackupCounts {
  tables: number;
  rows: number;
  recordings: number;
}

export type Frame =
  | { kind: 'table'; name: string; columns: readonly string[] }
  | { kind: 'rows'; rows: readonly (readonly Value[])[] }
  | { kind: 'blob'; tenantKey: string; blobId: string }
  | { kind: 'bytes'; bytes: Uint8Array }
  /** `isWhole` is false for a recording that could not be read to its end. */
  | { kind: 'blob end'; isWhole: boolean }
  /** Recordings that were deleted while the backup was made. */
  | { kind: 'deleted'; blobs: readonly (readonly [tenantKey: string, blobId: string])[] }
  | { kind: 'end'; counts: BackupCounts };

/** The part of a backup that anybody may read. */
export interface BackupFacts {
  createdAt: string;
  program: string;
  masterKeyId: string;
}

export interface ArchiveWriter {
  write(frame: Frame): Promise<void>;
  /** When this returns, the file is durable and has its final name. */
  finish(): Promise<void>;
  /** Leaves nothing behind. */
  abandon(): Promise<void>;
}

const FIRST_LINE = 'voxgate backup 1\n';
const FACTS_BYTES_MAX = 4096;
const FRAME_HEAD_BYTES = 5;
const JSON_FRAME = 0;
const BYTES_FRAME = 1;
const BUFFER_BYTES = 1024 * 1024;

class SealedArchive implements ArchiveWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #frames = new PassThrough({ highWaterMark: BUFFER_BYTES });
  readonly #written: Promise<void>;

  constructor(path: string, file: FileHandle, facts: BackupFacts, master: MasterKey) {
    this.#path = path;
    this.#file = file;
    this.#written = this.#seal(`${JSON.stringify(facts)}\n`, master).catch((error: unknown) => {
      throw notWritten(path, error);
    });
    // `write` and `finish` report a failure to the caller; until then it must not count as unhandled.
    this.#written.catch(() => {});
  }

  async write(frame: Frame): Promise<void> {
    if (!this.#frames.write(encoded(frame))) await Promise.race([once(this.#frames, 'drain'), this.#written]);
  }

  async finish(): Promise<void> {
    this.#frames.end();
    await this.#written;
    try {
      await this.#file.sync();
      await this.#file.close();
      await rename(partOf(this.#path), this.#path);
      await syncFolder(dirname(this.#path));
    } catch (error) {
      throw notWritten(this.#path, error);
    }
  }

  async abandon(): Promise<void> {
    this.#frames.destroy();
    await this.#written.catch(() => {});
    await this.#file.close().catch(() => {});
    await rm(partOf(this.#path), { force: true });
  }

  async #seal(factsLine: string, master: MasterKey): Promise<void> {
    await writeAll(this.#file, Buffer.from(FIRST_LINE + factsLine, 'utf8'));
    const sealed = sealStream(keysOf(master), placeOf(factsLine), this.#frames, () => {});
    for await (const piece of sealed.pieces) await writeAll(this.#file, piece);
  }
}

/** Written to a temporary file, which gets its final name only when it is complete. */
export async function createArchive(
  path: string,
  facts: BackupFacts,
  master: MasterKey,
): Promise<ArchiveWriter> {
  if (existsSync(path))
    throw new StorageError('NOT_EMPTY', `there is already a file ${path}: name another one`);
  try {
    return new SealedArchive(path, await open(partOf(path), 'w', 0o600), facts, master);
  } catch (error) {
    throw notWritten(path, error);
  }
}

/** The system's error says what went wrong, but not always where. */
function notWritten(path: string, error: unknown): unknown {
  const why = diskFaultOf(error)?.why;
  return why === undefined
    ? error
    : new StorageError(
        'BACKUP_NOT_WRITTEN',
        `no backup was made, ${dirname(path)} cannot be written: ${why}`,
        error,
      );
}

/** Reads the part that anybody may read; throws BACKUP_DAMAGED if the file is no backup. */
export async function readFacts(path: string): Promise<BackupFacts> {
  const file = await open(path, 'r');
  try {
    return parsedFacts(path, (await headOf(path, file)).factsLine);
  } finally {
    await file.close();
  }
}

/** The frames in order, each checked before it is yielded; the last one is `end`, otherwise this throws. */
export async function* readFrames(path: string, master: MasterKey): AsyncGenerator<Frame> {
  const file = await open(path, 'r');
  let sealed: ReadStream | undefined;
  try {
    const { factsLine, start } = await headOf(path, file);
    const { size } = await file.stat();
    sealed = file.createReadStream({ start, autoClose: false, highWaterMark: BUFFER_BYTES });
    const plain = openStream(keysOf(master), placeOf(factsLine), sealed, size - start);
    yield* decoded(new ExactReader(plain));
  } catch (error) {
    if (error instanceof StorageError && error.fault === 'BLOB_DAMAGED')
      throw new StorageError('BACKUP_DAMAGED', `${path} was changed or cut off: ${error.message}`, error);
    throw error;
  } finally {
    // If the caller stops early, the stream would go on reading from a closed file.
    sealed?.destroy();
    await file.close();
  }
}

async function headOf(path: string, file: FileHandle): Promise<{ factsLine: string; start: number }> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(FACTS_BYTES_MAX), 0, FACTS_BYTES_MAX, 0);
  const text = buffer.subarray(0, bytesRead).toString('latin1');
  const end = text.indexOf('\n', FIRST_LINE.length) + 1;
  if (!text.startsWith(FIRST_LINE) || end === 0)
    throw new StorageError('BACKUP_DAMAGED', `${path} is not a backup that this program can read`);
  return { factsLine: text.slice(FIRST_LINE.length, end), start: end };
}

function parsedFacts(path: string, line: string): BackupFacts {
  try {
    return JSON.parse(line) as BackupFacts;
  } catch (error) {
    throw new StorageError('BACKUP_DAMAGED', `the facts at the beginning of ${path} cannot be read`, error);
  }
}

function keysOf(master: MasterKey): StreamKeys {
  const key = new Uint8Array(hkdfSync('sha256', master.bytes, '', 'voxgate backup', 32));
  return { keyVersion: 0, dataKey: () => key };
}

/**
 * The facts are in the clear, but cannot be changed: the content only opens with the same facts before it.
 */
function placeOf(factsLine: string): string {
  return `backup ${createHash('sha256').update(factsLine).digest('hex').slice(0, 16)}`;
}

function encoded(frame: Frame): Buffer {
  const content =
    frame.kind === 'bytes' ? frame.bytes : Buffer.from(JSON.stringify(frame, bytesAsText), 'utf8');
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUInt8(frame.kind === 'bytes' ? BYTES_FRAME : JSON_FRAME, 0);
  head.writeUInt32BE(content.byteLength, 1);
  return Buffer.concat([head, content]);
}

async function* decoded(reader: ExactReader): AsyncGenerator<Frame> {
  for (;;) {
    const head = await reader.read(FRAME_HEAD_BYTES);
    const content = head && (await reader.read(head.readUInt32BE(1)));
    if (!content) throw new StorageError('BLOB_DAMAGED', 'it ends early');
    if (head.readUInt8(0) === BYTES_FRAME) {
      yield { kind: 'bytes', bytes: new Uint8Array(content) };
      continue;
    }
    const frame = JSON.parse(content.toString('utf8'), textAsBytes) as Frame;
    if (frame.kind === 'end') {
      // The checksum of the whole follows the last byte; reading on checks it.
      if (await reader.read(1)) throw new StorageError('BLOB_DAMAGED', 'there is data after its end');
      yield frame;
      return;
    }
    yield frame;
  }
}

function bytesAsText(_name: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new StorageError('MISUSE', 'a number of the database is not finite');
  return value;
}

/** Values of rows are never objects, so an object can stand for bytes. */
function textAsBytes(_name: string, value: unknown): unknown {
  const text = typeof value === 'object' && value !== null && 'bytes' in value ? value.bytes : undefined;
  return typeof text === 'string' ? new Uint8Array(Buffer.from(text, 'base64')) : value;
}

const partOf = (path: string): string => `${path}.part`;
