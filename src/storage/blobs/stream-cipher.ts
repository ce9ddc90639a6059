// Sealing of content too large for memory: chunks of AES-256-GCM, numbered and with the last one marked, so
// that chunks cannot be dropped, swapped or cut off unnoticed. Every blob has a key of its own, derived from
// the tenant's data key and a random salt; nonces are then plain counters.
//   file = magic (4) | key version (4) | salt (32) | chunk* | last chunk
//   chunk = up to 64 KiB of ciphertext | tag (16); the last chunk holds the length and SHA-256 of the content
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { StorageError } from '../storage-error.js';
import type { TenantSealer } from '../sealing/keyring.js';

/** The part of a sealer that a stream needs. */
export type StreamKeys = Pick<TenantSealer, 'keyVersion' | 'dataKey'>;

const magic = Buffer.from('VXB1');
const SALT_BYTES = 32;
export const HEADER_BYTES = magic.byteLength + 4 + SALT_BYTES;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;
const TRAILER_BYTES = 8 + 32;
const SEALED_TRAILER_BYTES = TRAILER_BYTES + TAG_BYTES;

export interface BlobFacts {
  sizeBytes: number;
  /** Of the content, in hex. */
  sha256: string;
}

/** Converts between the size of a blob's file and the size of its content. */
function contentBytesOf(fileBytes: number): number | undefined {
  const body = fileBytes - HEADER_BYTES - SEALED_TRAILER_BYTES;
  if (body < 0) return undefined;
  const chunks = Math.ceil(body / SEALED_CHUNK_BYTES);
  const content = body - chunks * TAG_BYTES;
  return content >= 0 ? content : undefined;
}

export interface SealedStream {
  /** The file's bytes, piece by piece. */
  pieces: AsyncIterable<Uint8Array>;
  /** Known when `pieces` has ended. */
  facts(): BlobFacts;
}

/** `place` ties the content to its name; `admit` sees the running size and may throw. */
export function sealStream(
  sealer: StreamKeys,
  place: string,
  source: AsyncIterable<Uint8Array>,
  admit: (sizeBytes: number) => void,
): SealedStream {
  let facts: BlobFacts | undefined;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const salt = randomBytes(SALT_BYTES);
    const header = Buffer.alloc(HEADER_BYTES);
    magic.copy(header);
    header.writeUInt32BE(sealer.keyVersion, magic.byteLength);
    salt.copy(header, magic.byteLength + 4);
    const key = blobKey(sealer.dataKey(sealer.keyVersion), salt);
    yield header;

    const hash = createHash('sha256');
    const seal = (index: number, last: boolean, plain: Uint8Array): Uint8Array => {
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index, last), { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(place, 'utf8'));
      return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    };
    let sizeBytes = 0;
    let index = 0;
    for await (const chunk of rechunk(source, CHUNK_BYTES)) {
      sizeBytes += chunk.byteLength;
      admit(sizeBytes);
      hash.update(chunk);
      yield seal(index++, false, chunk);
    }
    const digest = hash.digest();
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeBigUInt64BE(BigInt(sizeBytes), 0);
    digest.copy(trailer, 8);
    yield seal(index, true, trailer);
    facts = { sizeBytes, sha256: digest.toString('hex') };
  }
  return {
    pieces: pieces(),
    facts() {
      if (!facts) throw new StorageError('MISUSE', 'the stream has not ended');
      return facts;
    },
  };
}

export interface OpenOptions {
  /**
   * Skips the checksum of the whole, which costs more than the decryption on processors without instructions
   * for it. Each chunk is still proved by its seal, its position and the mark of the last one.
   */
  bySealAlone?: boolean;
}

/**
 * Opens a blob's file; throws BLOB_DAMAGED as soon as a chunk does not fit, and at the end if the whole does
 * not.
 */
export async function* openStream(
  sealer: StreamKeys,
  place: string,
  file: AsyncIterable<Uint8Array>,
  fileBytes: number,
  { bySealAlone = false }: OpenOptions = {},
): AsyncGenerator<Uint8Array> {
  const contentBytes = contentBytesOf(fileBytes);
  if (contentBytes === undefined) throw damaged(place, 'it is too short');
  const reader = new ExactReader(file);
  const header = await reader.read(HEADER_BYTES);
  if (!header || !header.subarray(0, magic.byteLength).equals(magic))
    throw damaged(place, 'it has no header');
  const dataKey = sealer.dataKey(header.readUInt32BE(magic.byteLength));
  const key = blobKey(dataKey, header.subarray(magic.byteLength + 4));

  const hash = bySealAlone ? undefined : createHash('sha256');
  const open = (index: number, last: boolean, sealed: Buffer): Buffer => {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index, last), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(place, 'utf8'));
      decipher.setAuthTag(sealed.subarray(sealed.byteLength - TAG_BYTES));
      const plain = decipher.update(sealed.subarray(0, sealed.byteLength - TAG_BYTES));
      // Checks the tag; in this mode no more output follows.
      decipher.final();
      return plain;
    } catch (error) {
      throw damaged(place, `part ${index} does not open`, error);
    }
  };
  let index = 0;
  for (let left = contentBytes; left > 0; index++) {
    const plainBytes = Math.min(left, CHUNK_BYTES);
    const sealed = await reader.read(plainBytes + TAG_BYTES);
    if (!sealed) throw damaged(place, 'it ends early');
    const plain = open(index, false, sealed);
    hash?.update(plain);
    left -= plainBytes;
    yield new Uint8Array(plain.buffer, plain.byteOffset, plain.byteLength);
  }
  const last = await reader.read(SEALED_TRAILER_BYTES);
  if (!last) throw damaged(place, 'it ends early');
  const trailer = open(index, true, last);
  const fits =
    trailer.readBigUInt64BE(0) === BigInt(contentBytes) &&
    (!hash || trailer.subarray(8).equals(hash.digest()));
  if (!fits) throw damaged(place, 'the checksum is wrong');
}

export function sealedVersionOf(header: Uint8Array): number | undefined {
  if (header.byteLength < HEADER_BYTES || !Buffer.from(header.subarray(0, magic.byteLength)).equals(magic))
    return undefined;
  return Buffer.from(header).readUInt32BE(magic.byteLength);
}

function blobKey(dataKey: Uint8Array, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', dataKey, salt, 'voxgate blob', 32));
}

function nonceOf(index: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt8(last ? 1 : 0, 7);
  nonce.writeUInt32BE(index, 8);
  return nonce;
}

function damaged(place: string, why: string, cause?: unknown): StorageError {
  return new StorageError('BLOB_DAMAGED', `the content of ${place} is damaged: ${why}`, cause);
}

/** Pieces of any size in, full chunks out; only the last may be shorter. */
async function* rechunk(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let held: Buffer = Buffer.alloc(size);
  let used = 0;
  for await (const piece of source) {
    for (let at = 0; at < piece.byteLength;) {
      const take = Math.min(size - used, piece.byteLength - at);
      held.set(piece.subarray(at, at + take), used);
      used += take;
      at += take;
      if (used === size) {
        yield held;
        held = Buffer.alloc(size);
        used = 0;
      }
    }
  }
  if (used > 0) yield held.subarray(0, used);
}

/** Reads exact lengths from a stream of pieces. */
export class ExactReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  async read(bytes: number): Promise<Buffer | undefined> {
    if (this.#held.byteLength >= bytes) return this.#take(bytes);
    // Only bytes that cross the end of a piece are copied.
    const parts: Buffer[] = [];
    for (let missing = bytes; missing > 0;) {
      while (this.#held.byteLength === 0) {
        const next = await this.#pieces.next();
        if (next.done) return undefined;
        this.#held = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
      }
      const part = this.#take(Math.min(missing, this.#held.byteLength));
      parts.push(part);
      missing -= part.byteLength;
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, bytes);
  }

  #take(bytes: number): Buffer {
    const taken = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    return taken;
  }
}
