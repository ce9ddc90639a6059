// The sound of a caller who answers a prompt, in the pieces in which it came, and as a recording for the recognizer.
import { rawWidth } from '../voice/audio/codecs/pcm.js';
import { encodeOggOpus, opusPacketMs } from '../voice/audio/encode-ogg-opus.js';
import type { RawFormat, StreamFormat } from '../voice/audio/types.js';

/** Recordings of Opus may begin with headers, and so may calls. */
const OPUS_HEADER = 'Opus';

export interface RecordedAnswer {
  bytes: Uint8Array;
  /** Absent if the bytes say themselves what they are. */
  raw?: RawFormat;
  lengthMs: number;
}

export class AnswerSound {
  readonly #format: StreamFormat;
  readonly #chunks: Uint8Array[];
  /** Of a sample whose beginning was heard before. */
  #skipBytes: number;
  bytes = 0;
  ms = 0;

  /** `receivedBytes`: of the call before. `chunks`: heard on another node. */
  constructor(format: StreamFormat, receivedBytes: number, chunks: readonly Uint8Array[] = []) {
    this.#format = format;
    this.#chunks = [];
    const frameBytes = this.#frameBytes;
    this.#skipBytes = (frameBytes - (receivedBytes % frameBytes)) % frameBytes;
    for (const chunk of chunks) this.#add(chunk);
  }

  add(chunk: Uint8Array): void {
    const skipped = Math.min(this.#skipBytes, chunk.length);
    this.#skipBytes -= skipped;
    this.#add(chunk.subarray(skipped));
  }

  #add(chunk: Uint8Array): void {
    if (this.#format.encoding === 'opus' && isHeader(chunk)) return;
    this.#chunks.push(chunk);
    this.bytes += chunk.length;
    this.ms += this.#msOf(chunk);
  }

  get recorded(): RecordedAnswer {
    const { encoding, ...format } = this.#format;
    const lengthMs = this.ms;
    if (encoding === 'opus') return { bytes: encodeOggOpus(this.#chunks, format), lengthMs };
    return { bytes: Buffer.concat(this.#chunks), raw: { ...format, encoding }, lengthMs };
  }

  /** For another node, which gets an incomplete last sample again. */
  get wholeSamples(): readonly Uint8Array[] {
    if (this.#format.encoding === 'opus') return this.#chunks;
    return [Buffer.concat(this.#chunks).subarray(0, this.bytes - (this.bytes % this.#frameBytes))];
  }

  #msOf(chunk: Uint8Array): number {
    if (this.#format.encoding === 'opus') return opusPacketMs(chunk);
    return (1000 * chunk.length) / (this.#frameBytes * this.#format.sampleRateHz);
  }

  /** Packets are whole. */
  get #frameBytes(): number {
    const { encoding, channels, sampleRateHz } = this.#format;
    return encoding === 'opus' ? 1 : rawWidth({ encoding, channels, sampleRateHz }) * channels;
  }
}

const isHeader = (packet: Uint8Array): boolean =>
  Buffer.from(packet.subarray(0, OPUS_HEADER.length)).toString('latin1') === OPUS_HEADER;
