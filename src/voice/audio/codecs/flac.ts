/**
 * FLAC files, decoded here and not by a library: the format is small, and only our own decoder can be stopped
 * between frames when a file unfolds beyond the limits. Damaged frames are skipped up to the next frame
 * start, and counted.
 */
import type { SampleSink } from '../sample-sink.js';
import { CHANNELS_MAX, DecodeFault, type Decoding } from '../types.js';
import { decodeFlacFrame, readFlacFrameHeader, type FlacStreamInfo } from './flac-frame.js';

const BAD_FRAMES_MAX = 200;

export function parseStreamInfo(bytes: Uint8Array, at: number): FlacStreamInfo {
  if (at + 34 > bytes.length) throw new DecodeFault('CORRUPT', 'The FLAC stream information is cut short.');
  const b = (i: number): number => bytes[at + i] as number;
  return {
    sampleRateHz: (b(10) << 12) | (b(11) << 4) | (b(12) >> 4),
    channels: ((b(12) >> 1) & 7) + 1,
    bits: (((b(12) & 1) << 4) | (b(13) >> 4)) + 1,
    totalSamples: (b(13) & 15) * 2 ** 32 + b(14) * 2 ** 24 + ((b(15) << 16) | (b(16) << 8) | b(17)),
  };
}

/** Feeds frames to a sink; used for plain FLAC and for FLAC inside Ogg, where every packet is one frame. */
export class FlacFrames {
  readonly #sink: SampleSink;
  readonly #info: FlacStreamInfo;
  readonly #planes: Float64Array[] = [];
  readonly #out: Float32Array[] = [];
  #bad = 0;

  constructor(sink: SampleSink, info: FlacStreamInfo) {
    this.#sink = sink;
    this.#info = info;
    if (info.bits < 4 || info.bits > 32)
      throw new DecodeFault('CORRUPT', 'The FLAC file states an impossible sample width.');
    sink.begin(info.sampleRateHz, info.channels, info.totalSamples > 0 ? info.totalSamples : undefined);
    for (let c = 0; c < CHANNELS_MAX; c++) {
      this.#planes.push(new Float64Array(c < info.channels ? 65536 : 0));
      this.#out.push(new Float32Array(c < info.channels ? 65536 : 0));
    }
  }

  get badFrames(): number {
    return this.#bad;
  }

  /** Decodes the frame at `at` and returns the offset after it, or -1 if there is no valid frame here. */
  take(bytes: Uint8Array, at: number): number {
    const header = readFlacFrameHeader(bytes, at, this.#info);
    if (header === undefined) return -1;
    const channels = header.assignment < 8 ? header.assignment + 1 : 2;
    if (
      channels !== this.#info.channels ||
      header.sampleRateHz !== this.#info.sampleRateHz ||
      header.bits === 0
    )
      return this.#countBad(0);
    let end: number;
    try {
      end = decodeFlacFrame(bytes, at, header, this.#planes).end;
    } catch (fault) {
      if (fault instanceof DecodeFault && fault.code === 'CORRUPT')
        return this.#countBad(header.blockSize * channels);
      throw fault;
    }
    const scale = 2 ** (1 - header.bits);
    for (let c = 0; c < channels; c++) {
      const from = this.#planes[c] as Float64Array;
      const to = this.#out[c] as Float32Array;
      for (let i = 0; i < header.blockSize; i++) to[i] = (from[i] as number) * scale;
    }
    this.#sink.pushPlanar(this.#out, 0, header.blockSize);
    return end;
  }

  #countBad(samples: number): number {
    // A frame that fails its checksum has still cost its decoding time.
    this.#sink.budget.waste(8 * samples);
    if (++this.#bad > BAD_FRAMES_MAX) throw new DecodeFault('CORRUPT', 'Too many damaged FLAC frames.');
    return -1;
  }
}

export async function* decodeFlac(sink: SampleSink, bytes: Uint8Array): Decoding {
  let at = 4;
  let info: FlacStreamInfo | undefined;
  for (;;) {
    if (at + 4 > bytes.length) throw new DecodeFault('CORRUPT', 'The FLAC file ends inside its headers.');
    const head = bytes[at] as number;
    const size =
      ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
    if ((head & 0x7f) === 0 && info === undefined) info = parseStreamInfo(bytes, at + 4);
    at += 4 + size;
    if (head & 0x80) break;
  }
  if (info === undefined) throw new DecodeFault('CORRUPT', 'The FLAC file has no stream information.');
  sink.codec = 'flac';
  const frames = new FlacFrames(sink, info);
  let skipped = 0;
  while (at < bytes.length) {
    const next = frames.take(bytes, at);
    if (next >= 0) at = next;
    else {
      skipped++;
      const sync = bytes.indexOf(0xff, at + 1);
      sink.budget.waste(16);
      at = sync < 0 ? bytes.length : sync;
    }
    if (sink.pauseIsDue()) yield;
  }
  if (frames.badFrames > 0 || skipped > 0) sink.warn('Parts of the FLAC file are damaged and were left out.');
  if (info.totalSamples > 0) {
    if (sink.length < info.totalSamples) sink.truncated = true;
    sink.keep(info.totalSamples);
  }
}
