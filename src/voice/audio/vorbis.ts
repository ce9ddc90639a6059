/**
 * Vorbis packets from Ogg or WebM to samples. The library's own Ogg parser is passed by: our demultiplexers hand packets
 * straight to its codec, so the same bounds hold for both containers.
 */
import { decoder as createVorbisDecoder } from '@audio/decode-vorbis';
import type { SampleSink } from './sample-sink.js';
import { DecodeFault } from './types.js';

/** The packet-level part inside the library's decoder; the package version is pinned, and this is checked at run time. */
interface VorbisCodec {
  sendSetupHeader(header: Uint8Array): void;
  initDsp(): void;
  decodePackets(packets: Uint8Array[]): {
    channelData: Float32Array[];
    samplesDecoded: number;
    sampleRate: number;
  };
}

// Size of the library's input buffer; a longer packet would be refused by an exception anyway.
const PACKET_BYTES_MAX = 128 * 1024;
const BAD_PACKETS_MAX = 200;

function isHeader(packet: Uint8Array, type: number): boolean {
  return packet[0] === type && String.fromCharCode(...packet.subarray(1, 7)) === 'vorbis';
}

export class VorbisStream {
  readonly #sink: SampleSink;
  readonly #codec: VorbisCodec;
  readonly #release: () => void;
  #headers: Uint8Array[] = [];
  #ready = false;
  #bad = 0;

  private constructor(sink: SampleSink, codec: VorbisCodec, release: () => void) {
    this.#sink = sink;
    this.#codec = codec;
    this.#release = release;
  }

  static async open(sink: SampleSink): Promise<VorbisStream> {
    const handle = await createVorbisDecoder();
    const codec = (handle as unknown as { _decoder?: VorbisCodec })._decoder;
    if (codec === undefined) {
      handle.free();
      throw new DecodeFault('UNSUPPORTED_FORMAT', 'The Vorbis decoder has an unknown shape.');
    }
    return new VorbisStream(sink, codec, () => handle.free());
  }

  push(packet: Uint8Array): void {
    if (packet.length === 0) return;
    if (packet.length > PACKET_BYTES_MAX) throw new DecodeFault('CORRUPT', 'A Vorbis packet is too large.');
    if (!this.#ready) {
      this.#header(packet);
      return;
    }
    // Audio packets have their lowest bit clear; anything else inside the stream is a stray header.
    if ((packet[0] as number) & 1) return;
    let decoded;
    try {
      decoded = this.#codec.decodePackets([packet]);
    } catch {
      throw new DecodeFault('CORRUPT', 'The Vorbis stream is damaged.');
    }
    if (decoded.channelData.length !== this.#sink.channels) {
      if (++this.#bad > BAD_PACKETS_MAX) throw new DecodeFault('CORRUPT', 'Too many damaged Vorbis packets.');
      return;
    }
    this.#sink.pushPlanar(decoded.channelData, 0, decoded.samplesDecoded);
  }

  #header(packet: Uint8Array): void {
    const type = 1 + 2 * this.#headers.length;
    if (!isHeader(packet, type)) throw new DecodeFault('CORRUPT', 'The Vorbis headers are damaged.');
    this.#headers.push(packet.slice());
    if (this.#headers.length < 3) return;
    const id = this.#headers[0] as Uint8Array;
    if (id.length < 30) throw new DecodeFault('CORRUPT', 'The Vorbis header is cut short.');
    const view = new DataView(id.buffer, id.byteOffset, id.byteLength);
    this.#sink.begin(view.getUint32(12, true), id[11] as number);
    try {
      this.#codec.sendSetupHeader(id);
      this.#codec.sendSetupHeader(this.#headers[2] as Uint8Array);
      this.#codec.initDsp();
    } catch {
      throw new DecodeFault('CORRUPT', 'The Vorbis setup is damaged.');
    }
    this.#headers = [];
    this.#ready = true;
  }

  trimTo(granule: number): void {
    this.#sink.keep(granule);
  }

  free(): void {
    try {
      this.#release();
    } catch {
      // A codec that trapped cannot be closed any more; its memory goes with the instance.
    }
  }
}

/** WebM keeps the three Vorbis headers in one block, with their lengths in front (Xiph lacing). */
export function splitXiphHeaders(b: Uint8Array): Uint8Array[] {
  if (b[0] !== 2) throw new DecodeFault('CORRUPT', 'The Vorbis headers of the WebM file are damaged.');
  let at = 1;
  const sizes: number[] = [];
  while (sizes.length < 2) {
    let size = 0;
    while (b[at] === 255) {
      size += 255;
      at++;
    }
    size += b[at] ?? 0;
    at++;
    sizes.push(size);
  }
  const [first = 0, second = 0] = sizes;
  if (at + first + second >= b.length)
    throw new DecodeFault('CORRUPT', 'The Vorbis headers of the WebM file are cut short.');
  return [
    b.subarray(at, at + first),
    b.subarray(at + first, at + first + second),
    b.subarray(at + first + second),
  ];
}
