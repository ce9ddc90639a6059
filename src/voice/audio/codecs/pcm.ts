/**
 * Uncompressed samples of every width and the two G.711 laws: one reader per encoding, chosen once, so that
 * the sample loop has no branches on the format. Also headerless files from telephony systems.
 */
import type { ArrivingBytes } from '../arriving-bytes.js';
import type { SampleSink } from '../sample-sink.js';
import { DecodeFault, type Decoding, type RawFormat } from '../types.js';
import { aLawTable, muLawTable } from './g711.js';

export type PcmEncoding = 'u8' | 's16le' | 's24le' | 's32le' | 'f32le' | 'f64le' | 'alaw' | 'mulaw';

/**
 * `stride` is the number of bytes from one sample to the next of the same frame, which includes any padding.
 */
function reader(
  bytes: Uint8Array,
  offset: number,
  encoding: PcmEncoding,
  stride: number,
): (index: number) => number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (encoding) {
    case 'u8':
      return (i) => ((bytes[offset + i * stride] ?? 128) - 128) / 128;
    case 's16le':
      return (i) => view.getInt16(offset + i * stride, true) / 32768;
    case 's24le':
      return (i) => {
        const p = offset + i * stride;
        return ((view.getInt8(p + 2) << 16) | view.getUint16(p, true)) / 8388608;
      };
    case 's32le':
      return (i) => view.getInt32(offset + i * stride, true) / 2147483648;
    case 'f32le':
      return (i) => view.getFloat32(offset + i * stride, true);
    case 'f64le':
      return (i) => view.getFloat64(offset + i * stride, true);
    case 'alaw':
      return (i) => aLawTable[bytes[offset + i * stride] ?? 0xd5] ?? 0;
    case 'mulaw':
      return (i) => muLawTable[bytes[offset + i * stride] ?? 0xff] ?? 0;
  }
}

interface PcmLayout {
  offset: number;
  frames: number;
  encoding: PcmEncoding;
  stride: number;
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** A fast path for nearly all recordings, without a call per sample; false if the general way is needed. */
function pushCommon(sink: SampleSink, bytes: Uint8Array, layout: PcmLayout): boolean {
  const { offset, frames, encoding, stride } = layout;
  if (sink.channels !== 1) return false;
  if (encoding === 's16le' && stride === 2 && LITTLE_ENDIAN) {
    const from = bytes.byteOffset + offset;
    const to = from + 2 * frames;
    // A view must begin at an even address.
    const values =
      from % 2 === 0
        ? new Int16Array(bytes.buffer, from, frames)
        : new Int16Array(bytes.buffer.slice(from, to));
    sink.pushMono(values, 1 / 32768);
    return true;
  }
  if ((encoding === 'alaw' || encoding === 'mulaw') && stride === 1) {
    const codes = bytes.subarray(offset, offset + frames);
    sink.pushMono(codes, encoding === 'alaw' ? aLawTable : muLawTable);
    return true;
  }
  return false;
}

const PIECE_FRAMES = 8000;

function pushPiece(sink: SampleSink, bytes: Uint8Array, piece: PcmLayout): void {
  if (!pushCommon(sink, bytes, piece))
    sink.pushInterleaved(piece.frames, reader(bytes, piece.offset, piece.encoding, piece.stride));
}

export async function* pushPcm(sink: SampleSink, file: ArrivingBytes, layout: PcmLayout): Decoding {
  const frameBytes = layout.stride * sink.channels;
  for (let done = 0; done < layout.frames; done += PIECE_FRAMES) {
    const frames = Math.min(PIECE_FRAMES, layout.frames - done);
    const offset = layout.offset + done * frameBytes;
    yield* file.until(offset + frames * frameBytes);
    pushPiece(sink, file.all, { ...layout, offset, frames });
    if (sink.pauseIsDue()) yield;
  }
}

/** Reads whole frames of headerless audio. */
export function pushRaw(sink: SampleSink, bytes: Uint8Array, format: RawFormat): void {
  const stride = rawWidth(format);
  const frames = Math.floor(bytes.length / (stride * format.channels));
  pushPiece(sink, bytes, { offset: 0, frames, encoding: format.encoding, stride });
}

/** Bytes per sample of headerless audio. */
export const rawWidth = (format: RawFormat): number => (format.encoding === 's16le' ? 2 : 1);

export async function* decodeRaw(sink: SampleSink, file: ArrivingBytes, format: RawFormat): Decoding {
  const bytes = file.all;
  const width = rawWidth(format);
  if (!['s16le', 'alaw', 'mulaw'].includes(format.encoding)) {
    throw new DecodeFault(
      'UNSUPPORTED_FORMAT',
      `Headerless audio as ${String(format.encoding)} is not supported.`,
    );
  }
  const frames = Math.floor(bytes.length / (width * Math.max(1, format.channels)));
  sink.begin(format.sampleRateHz, format.channels, frames);
  if (frames * width * format.channels !== bytes.length)
    sink.warn('The last sample is incomplete and was left out.');
  sink.codec = format.encoding;
  yield* pushPcm(sink, file, { offset: 0, frames, encoding: format.encoding, stride: width });
}
