/**
 * MPEG audio layer III. The frame headers are read here (rate, channels, where the audio begins and ends); the frames are
 * decoded by mpg123 compiled to WebAssembly. The library's own loop retries for ever on a persistent error, so the loop is
 * ours, with a bound on every turn.
 */
import { decoder as createMpegDecoder } from '@audio/decode-mp3';
import type { SampleSink } from './sample-sink.js';
import { DecodeFault } from './types.js';

interface WasmArray<T> {
  ptr: number;
  len: number;
  buf: T;
}

/** The parts of the pinned library that its own decode loop uses. */
interface MpegInternals {
  _common: {
    wasm: {
      mpeg_decoder_feed(decoder: number, data: number, length: number): number;
      mpeg_decoder_read(
        decoder: number,
        out: number,
        outLength: number,
        decodedPtr: number,
        ratePtr: number,
        errorPtr: number,
      ): number;
    };
  };
  _decoder: number;
  _input: WasmArray<Uint8Array>;
  _output: WasmArray<Float32Array>;
  _samplesDecodedPtr: WasmArray<Uint32Array>;
  _sampleRatePtr: WasmArray<Uint32Array>;
  _errorStringPtr: WasmArray<Uint32Array>;
}

const NEED_MORE = -10;
const NEW_FORMAT = -11;
const ERRORS_MAX = 64;
const CHUNK_BYTES = 16 * 1024;

export interface Mp3Header {
  sampleRateHz: number;
  channels: number;
  frameBytes: number;
}

const bitratesV1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesV2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const ratesV1 = [44100, 48000, 32000];

export function readMp3Header(b: Uint8Array, at: number): Mp3Header | undefined {
  const b1 = b[at + 1] ?? 0;
  const b2 = b[at + 2] ?? 0;
  if (b[at] !== 0xff || (b1 & 0xe0) !== 0xe0 || at + 4 > b.length) return undefined;
  const version = (b1 >> 3) & 3; // 3: MPEG-1, 2: MPEG-2, 0: MPEG-2.5
  const layer = (b1 >> 1) & 3; // 1: layer III
  const bitrate = (version === 3 ? bitratesV1 : bitratesV2)[b2 >> 4];
  const base = ratesV1[(b2 >> 2) & 3];
  if (version === 1 || layer !== 1 || bitrate === undefined || bitrate === 0 || base === undefined)
    return undefined;
  const sampleRateHz = version === 3 ? base : version === 2 ? base / 2 : base / 4;
  const frameBytes =
    Math.floor(((version === 3 ? 144 : 72) * bitrate * 1000) / sampleRateHz) + ((b2 >> 1) & 1);
  return { sampleRateHz, channels: (b[at + 3] as number) >> 6 === 3 ? 1 : 2, frameBytes };
}

/** Size of an ID3v2 tag at the start, or 0. */
function id3Size(b: Uint8Array): number {
  if (b[0] !== 0x49 || b[1] !== 0x44 || b[2] !== 0x33 || b.length < 10) return 0;
  return (
    10 +
    (((b[6] as number) & 127) << 21) +
    (((b[7] as number) & 127) << 14) +
    (((b[8] as number) & 127) << 7) +
    ((b[9] as number) & 127)
  );
}

/** Offset of the first frame: a header that is followed by a second one of the same kind, or by the end of the file. */
export function findMp3Start(b: Uint8Array, searchBytes: number): number {
  const from = Math.min(id3Size(b), b.length);
  const limit = Math.min(b.length - 4, from + searchBytes);
  for (let at = b.indexOf(0xff, from); at >= 0 && at <= limit; at = b.indexOf(0xff, at + 1)) {
    const header = readMp3Header(b, at);
    if (header === undefined) continue;
    const next = at + header.frameBytes;
    if (next >= b.length) return at;
    const second = readMp3Header(b, next);
    if (second !== undefined && second.sampleRateHz === header.sampleRateHz) return at;
  }
  return -1;
}

export async function decodeMp3(sink: SampleSink, bytes: Uint8Array): Promise<string> {
  const start = findMp3Start(bytes, 1 << 20);
  const header = start < 0 ? undefined : readMp3Header(bytes, start);
  if (header === undefined) throw new DecodeFault('CORRUPT', 'The MP3 file has no readable frame.');
  sink.begin(header.sampleRateHz, header.channels);
  const handle = await createMpegDecoder();
  try {
    decodeFrames(sink, bytes.subarray(start), header, handle as unknown as MpegInternals);
  } finally {
    handle.free();
  }
  return 'mp3';
}

function decodeFrames(sink: SampleSink, bytes: Uint8Array, header: Mp3Header, mpeg: MpegInternals): void {
  if (mpeg._common === undefined || mpeg._output === undefined)
    throw new DecodeFault('UNSUPPORTED_FORMAT', 'The MP3 decoder has an unknown shape.');
  const { wasm } = mpeg._common;
  let errors = 0;
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    mpeg._input.buf.set(chunk);
    if (wasm.mpeg_decoder_feed(mpeg._decoder, mpeg._input.ptr, chunk.length) === NEED_MORE) continue;
    // 16 KiB hold at most a few hundred frames; more reads than that means the decoder makes no progress.
    for (let turn = 0; turn < 1024; turn++) {
      mpeg._samplesDecodedPtr.buf[0] = 0;
      const status = wasm.mpeg_decoder_read(
        mpeg._decoder,
        mpeg._output.ptr,
        mpeg._output.len,
        mpeg._samplesDecodedPtr.ptr,
        mpeg._sampleRatePtr.ptr,
        mpeg._errorStringPtr.ptr,
      );
      const n = mpeg._samplesDecodedPtr.buf[0] as number;
      if (n > 0) {
        const rate = mpeg._sampleRatePtr.buf[0];
        // A damaged header can look like one of another rate; such a piece is not part of this recording.
        if (rate !== header.sampleRateHz) {
          sink.warn('Parts of the MP3 file are damaged and were left out.');
          if (++errors > ERRORS_MAX)
            throw new DecodeFault('CORRUPT', 'The sampling rate changes within the MP3 file.');
        } else {
          // The library always delivers two planes; for mono both are the same.
          sink.pushPlanar([mpeg._output.buf.subarray(0, n), mpeg._output.buf.subarray(n, 2 * n)], 0, n);
        }
      }
      if (status === NEED_MORE) break;
      if (status === 0 || status === NEW_FORMAT) continue;
      sink.warn('Parts of the MP3 file are damaged and were left out.');
      if (++errors > ERRORS_MAX) throw new DecodeFault('CORRUPT', 'Too many damaged MP3 frames.');
      if (n === 0) break;
    }
  }
}
