/**
 * Decodes audio that arrives without a container, in pieces of any size; returns the samples of one channel
 * at once.
 */
import { OpusStream } from './codecs/opus.js';
import { pushRaw, rawWidth } from './codecs/pcm.js';
import { SampleSink } from './sample-sink.js';
import { WorkBudget } from './work-budget.js';
import { CHANNELS_MAX, DecodeFault, type MediaFacts, type RawFormat, type StreamFormat } from './types.js';

/** Audio beyond this length of a telephone call is ignored. */
const DURATION_MS_MAX = 12 * 3600_000;
const NO_OPUS = 'This is not Opus: many of the packets are damaged.';

export class StreamDecoder {
  readonly #format: StreamFormat;
  readonly #sink: SampleSink;
  readonly #opus: OpusStream | undefined;
  /** The beginning of a sample whose end has not arrived yet. */
  #rest = new Uint8Array(0);
  #samples = 0;

  private constructor(format: StreamFormat, sink: SampleSink, opus: OpusStream | undefined) {
    this.#format = format;
    this.#sink = sink;
    this.#opus = opus;
  }

  /** `channel`: 0 mixes all. Throws DecodeFault for an impossible format. */
  static async open(format: StreamFormat, channel: number): Promise<StreamDecoder> {
    const sink = new SampleSink(channel, DURATION_MS_MAX, new WorkBudget(0));
    sink.codec = format.encoding;
    if (!(format.channels >= 1 && format.channels <= CHANNELS_MAX))
      throw new DecodeFault('UNSUPPORTED_FORMAT', `The audio has ${format.channels} channels.`);
    if (format.encoding !== 'opus') {
      sink.begin(format.sampleRateHz, format.channels);
      return new StreamDecoder(format, sink, undefined);
    }
    const coupled = format.channels === 2 ? 1 : 0;
    const mapping = Array.from({ length: format.channels }, (_, i) => i);
    const head = { channels: format.channels, preSkip: 0, inputRateHz: format.sampleRateHz, gain: 0 };
    return new StreamDecoder(
      format,
      sink,
      await OpusStream.open(sink, { ...head, streams: 1, coupled, mapping }),
    );
  }

  get sampleRateHz(): number {
    return this.#sink.sampleRateHz;
  }

  /** Bytes of headerless audio, or one Opus packet. */
  push(chunk: Uint8Array): Float32Array {
    if (this.#opus) this.#pushPacket(this.#opus, chunk);
    else this.#pushRaw(chunk, this.#format as RawFormat);
    const samples = this.#sink.take();
    this.#samples += samples.length;
    return samples;
  }

  /**
   * Throws DecodeFault if these are no packets: a call in which nothing can be heard must not seem to go on.
   */
  #pushPacket(opus: OpusStream, packet: Uint8Array): void {
    if (opus.isHeader(packet)) return;
    opus.push(packet);
    if (opus.isNoOpus) throw new DecodeFault('CORRUPT', NO_OPUS);
  }

  /** Why this is probably no audio, if nothing better follows. */
  get doubt(): string | undefined {
    return this.#opus?.isDoubtful ? NO_OPUS : undefined;
  }

  #pushRaw(chunk: Uint8Array, format: RawFormat): void {
    const frameBytes = rawWidth(format) * format.channels;
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    const whole = bytes.length - (bytes.length % frameBytes);
    this.#rest = bytes.slice(whole);
    if (whole > 0) pushRaw(this.#sink, bytes.subarray(0, whole), format);
  }

  facts(): MediaFacts {
    const { sampleRateHz, channels, warnings, codec, wantedChannel } = this.#sink;
    return {
      ok: true,
      sampleRateHz,
      mediaSampleRateHz: this.#format.sampleRateHz,
      channels,
      selectedChannel: channels === 1 ? undefined : wantedChannel,
      container: 'raw',
      codec,
      durationMs: (this.#samples / sampleRateHz) * 1000,
      durationKnown: true,
      truncated: false,
      warnings,
    };
  }

  free(): void {
    this.#opus?.free();
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}
