/**
 * Opus packets (RFC 6716) from Ogg (RFC 7845) or WebM to samples, through libopus compiled to WebAssembly. It
 * decodes to 16 kHz directly: the engine works at 16 kHz, and the codec's own rate change is both better and
 * cheaper than a second one.
 */
import { OpusDecoder } from 'opus-decoder';
import type { SampleSink } from '../sample-sink.js';
import { CHANNELS_MAX, DecodeFault } from '../types.js';

const OUTPUT_RATE_HZ = 16000;
const GRANULE_RATE_HZ = 48000;
/** The capacity of the package's buffer: 120 ms at 256 kbit/s, far beyond any speech. */
const PACKET_BYTES_PER_CHANNEL_MAX = 3840;
const BAD_PACKETS_MAX = 500;
/** Of arbitrary bytes, four in ten pass for packets by chance. */
const JUNK_PACKETS_MIN = 20;
const JUNK_SHARE = 0.25;
const SILENT_CHANNEL = 255;

interface OpusHead {
  channels: number;
  preSkip: number;
  inputRateHz: number;
  gain: number;
  streams: number;
  coupled: number;
  mapping: number[];
}

const nameOf = (packet: Uint8Array): string => String.fromCharCode(...packet.subarray(0, 8));

export function parseOpusHead(b: Uint8Array): OpusHead {
  if (b.length < 19 || nameOf(b) !== 'OpusHead' || (b[8] as number) > 15) {
    throw new DecodeFault('CORRUPT', 'The Opus header is damaged.');
  }
  const view = new DataView(b.buffer, b.byteOffset, b.byteLength);
  const channels = b[9] as number;
  const family = b[18] as number;
  const head: OpusHead = {
    channels,
    preSkip: view.getUint16(10, true),
    inputRateHz: view.getUint32(12, true),
    gain: view.getInt16(16, true),
    streams: 1,
    coupled: channels === 2 ? 1 : 0,
    mapping: channels === 2 ? [0, 1] : [0],
  };
  if (family === 0) {
    if (channels < 1 || channels > 2)
      throw new DecodeFault('CORRUPT', 'The Opus header states an impossible number of channels.');
    return head;
  }
  if (b.length < 21 + channels) throw new DecodeFault('CORRUPT', 'The Opus header is cut short.');
  head.streams = b[19] as number;
  head.coupled = b[20] as number;
  head.mapping = Array.from(b.subarray(21, 21 + channels));
  return head;
}

/** The rate the recording was made at, as far as the header tells; Opus itself has no rate of its own. */
export function opusMediaRateHz(head: OpusHead): number {
  return head.inputRateHz >= 8000 && head.inputRateHz <= 48000 ? head.inputRateHz : GRANULE_RATE_HZ;
}

/** libopus answers an impossible layout with a null pointer, which the package does not check. */
function checkStreams({ channels, streams, coupled, mapping }: OpusHead): void {
  const decoded = streams + coupled;
  const possible =
    channels >= 1 &&
    channels <= CHANNELS_MAX &&
    streams >= 1 &&
    coupled <= streams &&
    decoded <= 2 * CHANNELS_MAX &&
    mapping.every((index) => index === SILENT_CHANNEL || index < decoded);
  if (!possible) throw new DecodeFault('CORRUPT', 'The Opus header describes an impossible stream.');
}

/** Written in steps of 1/256 dB. */
const gainOf = ({ gain }: OpusHead): number => 10 ** (gain / 256 / 20);
const skipOf = ({ preSkip }: OpusHead): number => Math.round((preSkip * OUTPUT_RATE_HZ) / GRANULE_RATE_HZ);

/** The package prints every damaged packet; a sender of such packets must not be able to fill our log. */
function quietly<T>(work: () => T): T {
  const printer: { error: unknown } = console;
  const { error } = printer;
  printer.error = () => undefined;
  try {
    return work();
  } finally {
    printer.error = error;
  }
}

export class OpusStream {
  readonly #sink: SampleSink;
  readonly #decoder: OpusDecoder<16000>;
  readonly #head: OpusHead;
  #gain: number;
  #skip: number;
  #bad = 0;
  #packets = 0;

  private constructor(sink: SampleSink, decoder: OpusDecoder<16000>, head: OpusHead) {
    this.#sink = sink;
    this.#decoder = decoder;
    this.#head = head;
    this.#gain = gainOf(head);
    this.#skip = skipOf(head);
  }

  static async open(sink: SampleSink, head: OpusHead): Promise<OpusStream> {
    sink.begin(OUTPUT_RATE_HZ, head.channels);
    checkStreams(head);
    const decoder = new OpusDecoder<16000>({
      sampleRate: OUTPUT_RATE_HZ,
      channels: head.channels,
      streamCount: head.streams,
      coupledStreamCount: head.coupled,
      channelMappingTable: head.mapping,
      preSkip: 0,
    });
    await decoder.ready;
    return new OpusStream(sink, decoder, head);
  }

  /**
   * Whether this is hardly Opus at all: over a network that repairs transmission errors, no real packet is
   * damaged.
   */
  get isNoOpus(): boolean {
    return this.#bad >= JUNK_PACKETS_MIN && this.isDoubtful;
  }

  /** The same, for what is too short to be sure before its end. */
  get isDoubtful(): boolean {
    return this.#bad > JUNK_SHARE * this.#packets;
  }

  /**
   * Whether this is a header of a recording (RFC 7845) rather than sound. A header before all packets says
   * how much of the beginning to skip, and the gain.
   */
  isHeader(packet: Uint8Array): boolean {
    const name = nameOf(packet);
    if (name !== 'OpusHead') return name === 'OpusTags';
    const head = parseOpusHead(packet);
    if (head.channels !== this.#head.channels)
      throw new DecodeFault('CORRUPT', `The Opus header states ${head.channels} channels.`);
    if (this.#packets === 0) [this.#gain, this.#skip] = [gainOf(head), skipOf(head)];
    return true;
  }

  push(packet: Uint8Array): void {
    if (packet.length === 0) return;
    this.#packets++;
    const decoded =
      packet.length <= PACKET_BYTES_PER_CHANNEL_MAX * this.#head.channels
        ? quietly(() => this.#decoder.decodeFrame(packet))
        : undefined;
    if (decoded === undefined || decoded.errors.length > 0) {
      if (++this.#bad > BAD_PACKETS_MAX) throw new DecodeFault('CORRUPT', 'Too many damaged Opus packets.');
      this.#sink.warn('Parts of the Opus stream are damaged and were left out.');
      return;
    }
    const n = decoded.samplesDecoded;
    const drop = Math.min(this.#skip, n);
    this.#skip -= drop;
    if (this.#gain !== 1)
      for (const plane of decoded.channelData) plane.forEach((v, i) => (plane[i] = v * this.#gain));
    this.#sink.pushPlanar(decoded.channelData, drop, n - drop);
  }

  /** The last page says where the recording really ends; the last packet is padded. */
  trimTo(granule: number): void {
    this.#sink.keep(
      Math.max(0, Math.round(((granule - this.#head.preSkip) * OUTPUT_RATE_HZ) / GRANULE_RATE_HZ)),
    );
  }

  free(): void {
    this.#decoder.free();
  }
}
