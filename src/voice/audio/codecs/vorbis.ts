/** A Vorbis stream from Ogg or WebM: three header packets, then audio, into the sink. */
import type { SampleSink } from '../sample-sink.js';
import { DecodeFault } from '../types.js';
import { readVorbisIdentity, VorbisDecoder } from './vorbis-decoder.js';

const PACKET_BYTES_MAX = 128 * 1024;
const BAD_PACKETS_MAX = 200;

function isHeader(packet: Uint8Array, type: number): boolean {
  return packet[0] === type && String.fromCharCode(...packet.subarray(1, 7)) === 'vorbis';
}

export class VorbisStream {
  readonly #sink: SampleSink;
  #headers: Uint8Array[] = [];
  #decoder: VorbisDecoder | undefined;
  #bad = 0;

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  push(packet: Uint8Array): void {
    if (packet.length === 0) return;
    if (packet.length > PACKET_BYTES_MAX) throw new DecodeFault('CORRUPT', 'A Vorbis packet is too large.');
    if (!this.#decoder) {
      this.#header(packet);
      return;
    }
    // Audio packets have their lowest bit clear; anything else inside the stream is a stray header.
    if ((packet[0] as number) & 1) return;
    const planes = this.#decoder.decode(packet);
    if (planes === undefined) {
      if (++this.#bad > BAD_PACKETS_MAX) throw new DecodeFault('CORRUPT', 'Too many damaged Vorbis packets.');
      this.#sink.warn('Parts of the Vorbis stream are damaged and were left out.');
      return;
    }
    this.#sink.pushPlanar(planes, 0, planes[0]?.length ?? 0);
  }

  #header(packet: Uint8Array): void {
    const type = 1 + 2 * this.#headers.length;
    if (!isHeader(packet, type)) throw new DecodeFault('CORRUPT', 'The Vorbis headers are damaged.');
    this.#headers.push(packet.slice());
    if (this.#headers.length < 3) return;
    const [first, , setup] = this.#headers as [Uint8Array, Uint8Array, Uint8Array];
    const identity = readVorbisIdentity(first);
    this.#sink.begin(identity.sampleRateHz, identity.channels);
    this.#decoder = new VorbisDecoder(identity, setup);
    this.#headers = [];
  }

  trimTo(granule: number): void {
    this.#sink.keep(granule);
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
