/**
 * The single entry point for audio: bytes of any supported container to one channel of samples, piece by
 * piece, so that a caller that has heard enough can stop. The container is recognized by its content, never
 * by a name from the caller. Hostile input ends in an InvalidAudio value; nothing is thrown.
 */
import { ArrivingBytes } from './arriving-bytes.js';
import { decodeFlac } from './codecs/flac.js';
import { decodeMp3 } from './codecs/mp3.js';
import { findMp3Start } from './codecs/mp3-frames.js';
import { decodeRaw } from './codecs/pcm.js';
import { decodeOgg } from './containers/ogg.js';
import { decodeWav } from './containers/wav.js';
import { decodeWebm } from './containers/webm.js';
import { SampleSink } from './sample-sink.js';
import { WorkBudget } from './work-budget.js';
import {
  DecodeFault,
  defaultDecodeLimits,
  type Container,
  type Decoding,
  type DecodeOptions,
  type InvalidAudio,
  type MediaFacts,
} from './types.js';

function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/**
 * Identifies the container by its first bytes; MP3 has no magic number, so it is tried last and must show two
 * frames in a row.
 */
function sniffContainer(bytes: Uint8Array): Exclude<Container, 'raw'> | undefined {
  if ((startsWith(bytes, 'RIFF') || startsWith(bytes, 'RF64')) && startsWith(bytes, 'WAVE', 8)) return 'wav';
  if (startsWith(bytes, 'fLaC')) return 'flac';
  if (startsWith(bytes, 'OggS')) return 'ogg';
  if (startsWith(bytes, '\x1a\x45\xdf\xa3')) return 'webm';
  if (startsWith(bytes, 'ID3')) return 'mp3';
  if (bytes[0] === 0xff && findMp3Start(bytes, 0) === 0) return 'mp3';
  return undefined;
}

/** Whether a file that begins with these bytes is readable audio, as far as they tell. */
export const isKnownFormat = (head: Uint8Array): boolean => sniffContainer(head) !== undefined;

/**
 * Whether a file that begins with these bytes can be read while it arrives; others need all of their bytes
 * first.
 */
export function isReadWhileArriving(head: Uint8Array, options: Pick<DecodeOptions, 'raw'>): boolean {
  return options.raw !== undefined || sniffContainer(head) === 'wav';
}

/** The number of channels of a file that begins with these bytes, if they tell it without a decoder. */
export async function channelsIn(head: Uint8Array): Promise<number | undefined> {
  if (sniffContainer(head) !== 'wav') return undefined;
  const reader = AudioReader.open(head);
  if ('ok' in reader) return undefined;
  await reader.next();
  const facts = reader.facts();
  await reader.close();
  return facts.ok ? facts.channels : undefined;
}

function decoding(
  container: Container,
  sink: SampleSink,
  file: ArrivingBytes,
  options: DecodeOptions,
): Decoding {
  switch (container) {
    case 'raw':
      return decodeRaw(sink, file, options.raw as NonNullable<DecodeOptions['raw']>);
    case 'wav':
      return decodeWav(sink, file);
    case 'flac':
      return decodeFlac(sink, file.all);
    case 'mp3':
      return decodeMp3(sink, file.all);
    case 'ogg':
      return decodeOgg(sink, file.all);
    case 'webm':
      return decodeWebm(sink, file.all);
  }
}

const invalid = (
  code: InvalidAudio['code'],
  reason: string,
  exceeded?: InvalidAudio['exceeded'],
): InvalidAudio => ({ ok: false, code, reason, ...(exceeded && { exceeded }) });

/**
 * The end of the last packet of an Ogg stream may have to be trimmed later; no packet is longer than this.
 */
const HOLD_BACK_MS = 200;

export class AudioReader {
  readonly #container: Container;
  readonly #sink: SampleSink;
  readonly #file: ArrivingBytes;
  readonly #decoding: Decoding;
  #heldBack = 0;
  #complete = false;
  #fault: InvalidAudio | undefined;
  #ended = false;

  private constructor(container: Container, sink: SampleSink, file: ArrivingBytes, steps: Decoding) {
    this.#container = container;
    this.#sink = sink;
    this.#file = file;
    this.#decoding = steps;
  }

  /**
   * Checks the first bytes only; other faults show when it is read. The file may be incomplete:
   * isReadWhileArriving.
   */
  static open(input: Uint8Array | ArrivingBytes, options: DecodeOptions = {}): AudioReader | InvalidAudio {
    const file = input instanceof ArrivingBytes ? input : ArrivingBytes.whole(input);
    const bytes = file.all;
    const limits = { ...defaultDecodeLimits, ...options.limits };
    const channel = options.channel ?? 0;
    if (bytes.length === 0) return invalid('EMPTY', 'The audio is empty.');
    if (bytes.length > limits.maxBytes)
      return invalid('TOO_LARGE', `The audio is larger than ${limits.maxBytes} bytes.`, {
        measure: 'bytes',
        value: bytes.length,
        max: limits.maxBytes,
      });
    if (!Number.isInteger(channel) || channel < 0)
      return invalid('NO_SUCH_CHANNEL', 'The channel must be 0 (all) or the number of one, from 1.');
    const container = options.raw !== undefined ? 'raw' : sniffContainer(bytes);
    if (container === undefined) {
      return invalid(
        'UNSUPPORTED_FORMAT',
        'The audio format is not recognized. WAV, FLAC, MP3, Ogg (Opus, Vorbis, FLAC) and WebM (Opus, Vorbis) can be used.',
      );
    }
    const sink = new SampleSink(channel, limits.maxDurationMs, new WorkBudget(bytes.length));
    return new AudioReader(container, sink, file, decoding(container, sink, file, options));
  }

  /** Known once the first samples have been read. */
  get sampleRateHz(): number {
    return this.#sink.sampleRateHz;
  }

  /** No more samples will come: the end, or a fault. */
  get ended(): boolean {
    return this.#ended;
  }

  /** It cannot go on before more bytes of the file arrive. */
  get waitsForBytes(): boolean {
    return !this.#ended && this.#file.isWaitedFor;
  }

  /** About one more second; less at the end, if nothing could be read, or while it waits for bytes. */
  async next(): Promise<Float32Array> {
    if (!this.#ended) {
      try {
        const step = await this.#decoding.next();
        if (step.done) {
          this.#ended = true;
          this.#complete = true;
          this.#sink.finish();
        } else if (this.#container === 'ogg')
          this.#heldBack = Math.round((HOLD_BACK_MS / 1000) * this.#sink.sampleRateHz);
      } catch (fault) {
        this.#ended = true;
        this.#fault = this.#named(fault);
      }
    }
    return this.#sink.take(this.#ended ? 0 : this.#heldBack);
  }

  /** Frees the decoder's memory; call it even if nothing more will be read. */
  async close(): Promise<void> {
    this.#ended = true;
    await this.#decoding.return().catch(() => undefined);
  }

  /** What the file turned out to be, as far as it was read. */
  facts(): MediaFacts | InvalidAudio {
    if (this.#fault) return { ...this.#fault, ...(this.#fault.exceeded && { media: this.#stated() }) };
    if (this.#sink.length === 0) return invalid('NO_AUDIO', 'The file holds no audio that can be read.');
    return { ok: true, ...this.#stated() };
  }

  #stated(): Omit<MediaFacts, 'ok'> {
    const sink = this.#sink;
    const { sampleRateHz, channels } = sink;
    // If reading stopped early, only the header tells the full length.
    const length = this.#complete ? sink.length : Math.max(sink.length, sink.expected ?? 0);
    return {
      sampleRateHz,
      mediaSampleRateHz: sink.mediaRateHz ?? sampleRateHz,
      channels,
      selectedChannel: channels === 1 ? undefined : sink.wantedChannel,
      ...(sink.isOneSound && { isOneSound: true }),
      container: this.#container,
      codec: sink.codec,
      durationMs: (length / sampleRateHz) * 1000,
      durationKnown: this.#complete || sink.expected !== undefined,
      truncated: sink.truncated,
      warnings: sink.warnings,
    };
  }

  #named(fault: unknown): InvalidAudio {
    if (fault instanceof DecodeFault) return invalid(fault.code, fault.message, fault.exceeded);
    // Anything else was thrown by a WebAssembly codec on input that it could not handle (a trap, a refused
    // allocation).
    return invalid('CORRUPT', `The ${this.#container} audio is damaged.`);
  }
}
