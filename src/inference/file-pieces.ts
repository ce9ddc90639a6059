// Bytes on their way to a worker, in buffers that it can take over: a whole file, or piece by piece.
import { isReadWhileArriving } from '../voice/audio/audio-reader.js';
import { defaultDecodeLimits } from '../voice/audio/types.js';
import type { ProcessOptions } from '../voice/engine.js';

export type AudioInput = Uint8Array | AsyncIterable<Uint8Array>;
type OwnBytes = Uint8Array<ArrayBuffer>;

/** About what the first checkpoint needs: 8 s of 16-bit audio at 16 kHz. */
const FIRST_PIECE_BYTES = 256 * 1024;

/** A copy that can be handed to a worker: the caller keeps its own bytes. */
export const handOver = (bytes: Uint8Array): OwnBytes => new Uint8Array(bytes);

export function joined(chunks: readonly Uint8Array[]): OwnBytes {
  // Copied once: the worker takes over this buffer.
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

export async function ownBytes(input: AudioInput): Promise<OwnBytes> {
  if (input instanceof Uint8Array) return handOver(input);
  const pieces = input[Symbol.asyncIterator]();
  // One byte over the limit is enough for the decoder to report it.
  const bytes = joined(await gather(pieces, defaultDecodeLimits.maxBytes + 1));
  await pieces.return?.();
  return bytes;
}

async function gather(pieces: AsyncIterator<Uint8Array>, bytesMin: number): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for (let length = 0; length < bytesMin; length += chunks.at(-1)?.length ?? 0) {
    const next = await pieces.next();
    if (next.done) break;
    chunks.push(next.value);
  }
  return chunks;
}

/** A file for a worker that requests it piece by piece. */
export class FilePieces {
  readonly totalBytes: number;
  readonly #pieces: AsyncIterator<Uint8Array> | undefined;
  #head: OwnBytes | undefined;
  #sentBytes = 0;

  private constructor(head: OwnBytes, totalBytes: number, pieces?: AsyncIterator<Uint8Array>) {
    this.#head = head;
    this.totalBytes = totalBytes;
    this.#pieces = pieces;
  }

  /** Opened as one piece if decoding needs the whole file, or if its length is unknown. */
  static async open(
    input: AudioInput,
    { totalBytes, raw }: Pick<ProcessOptions, 'totalBytes' | 'raw'>,
  ): Promise<FilePieces> {
    const inOne = (bytes: OwnBytes): FilePieces => new FilePieces(bytes, bytes.length);
    const isBounded = totalBytes !== undefined && totalBytes <= defaultDecodeLimits.maxBytes;
    if (input instanceof Uint8Array || !isBounded) return inOne(await ownBytes(input));
    const pieces = input[Symbol.asyncIterator]();
    const chunks = await gather(pieces, FIRST_PIECE_BYTES);
    if (isReadWhileArriving(chunks[0] ?? new Uint8Array(0), { ...(raw && { raw }) }))
      return new FilePieces(joined(chunks), totalBytes, pieces);
    chunks.push(...(await gather(pieces, Infinity)));
    return inOne(joined(chunks));
  }

  /**
   * The next piece, as long as all pieces before it together: a file that is heard to its end is soon
   * complete.
   */
  async next(): Promise<OwnBytes> {
    const head = this.#head;
    this.#head = undefined;
    const piece = head ?? joined(this.#pieces ? await gather(this.#pieces, this.#sentBytes) : []);
    if (!head && piece.length === 0) throw new Error('the file is shorter than was said');
    this.#sentBytes += piece.length;
    return piece;
  }

  /** For a file that was needed to its last byte: faults of the whole file show only at its end. */
  async checkEnd(): Promise<void> {
    if (this.#sentBytes >= this.totalBytes) await this.#pieces?.next();
  }

  /** A caller that stops half-way must not leave the file open. */
  async close(): Promise<void> {
    await this.#pieces?.return?.();
  }
}
