/**
 * One FLAC frame (RFC 9639 section 9): header, subframes, stereo decorrelation, both checksums. Sums run in doubles, which
 * hold every intermediate of 24-bit material exactly.
 */
import { DecodeFault } from '../types.js';
import { BitReader } from './bit-reader.js';

export interface FlacStreamInfo {
  sampleRateHz: number;
  channels: number;
  bits: number;
  totalSamples: number;
}

interface FlacFrame {
  blockSize: number;
  channels: number;
  bits: number;
  sampleRateHz: number;
  /** Offset of the byte after the frame. */
  end: number;
}

const crc8Table = Uint8Array.from({ length: 256 }, (_, i) => {
  let c = i;
  for (let k = 0; k < 8; k++) c = c & 0x80 ? ((c << 1) ^ 0x07) & 0xff : (c << 1) & 0xff;
  return c;
});

const crc16Table = Uint16Array.from({ length: 256 }, (_, i) => {
  let c = i << 8;
  for (let k = 0; k < 8; k++) c = c & 0x8000 ? ((c << 1) ^ 0x8005) & 0xffff : (c << 1) & 0xffff;
  return c;
});

const sampleRates = [0, 88200, 176400, 192000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000];
const sampleBits = [0, 8, 12, 0, 16, 20, 24, 32];

interface FlacFrameHeader {
  blockSize: number;
  sampleRateHz: number;
  assignment: number;
  bits: number;
  bodyAt: number;
}

/**
 * Reads the header at `at`, or returns nothing if no frame starts here: the sync code alone appears in audio
 * data by chance.
 */
export function readFlacFrameHeader(
  bytes: Uint8Array,
  at: number,
  info: FlacStreamInfo,
): FlacFrameHeader | undefined {
  if (at + 6 > bytes.length || bytes[at] !== 0xff || ((bytes[at + 1] as number) & 0xfe) !== 0xf8)
    return undefined;
  const b2 = bytes[at + 2] as number;
  const b3 = bytes[at + 3] as number;
  const sizeCode = b2 >> 4;
  const rateCode = b2 & 15;
  const assignment = b3 >> 4;
  const bitsCode = (b3 >> 1) & 7;
  if (sizeCode === 0 || rateCode === 15 || assignment > 10 || bitsCode === 3 || b3 & 1) return undefined;
  let p = at + 4;
  const lead = bytes[p++] as number;
  const extra =
    lead < 0x80
      ? 0
      : lead < 0xc0
        ? -1
        : lead < 0xe0
          ? 1
          : lead < 0xf0
            ? 2
            : lead < 0xf8
              ? 3
              : lead < 0xfc
                ? 4
                : lead < 0xfe
                  ? 5
                  : 6;
  if (extra < 0) return undefined;
  p += extra;
  let blockSize: number;
  if (sizeCode === 1) blockSize = 192;
  else if (sizeCode <= 5) blockSize = 576 << (sizeCode - 2);
  else if (sizeCode === 6) blockSize = (bytes[p++] ?? 0) + 1;
  else if (sizeCode === 7) {
    blockSize = (((bytes[p] ?? 0) << 8) | (bytes[p + 1] ?? 0)) + 1;
    p += 2;
  } else blockSize = 256 << (sizeCode - 8);
  let rate = sampleRates[rateCode] ?? 0;
  if (rateCode === 0) rate = info.sampleRateHz;
  else if (rateCode === 12) rate = (bytes[p++] ?? 0) * 1000;
  else if (rateCode >= 13) {
    rate = (((bytes[p] ?? 0) << 8) | (bytes[p + 1] ?? 0)) * (rateCode === 14 ? 10 : 1);
    p += 2;
  }
  if (p >= bytes.length) return undefined;
  let crc = 0;
  for (let i = at; i < p; i++) crc = crc8Table[crc ^ (bytes[i] as number)] as number;
  if (crc !== bytes[p]) return undefined;
  return {
    blockSize,
    sampleRateHz: rate,
    assignment,
    bits: bitsCode === 0 ? info.bits : (sampleBits[bitsCode] as number),
    bodyAt: p + 1,
  };
}

function residual(r: BitReader, out: Float64Array, order: number, blockSize: number): void {
  const method = r.small(2);
  if (method > 1) throw new DecodeFault('CORRUPT', 'Unknown FLAC residual coding.');
  const paramBits = method === 0 ? 4 : 5;
  const escape = method === 0 ? 15 : 31;
  const partitionOrder = r.small(4);
  const partitions = 1 << partitionOrder;
  const size = blockSize >> partitionOrder;
  if (size * partitions !== blockSize || size < order)
    throw new DecodeFault('CORRUPT', 'The FLAC residual does not fit its block.');
  let i = order;
  for (let part = 0; part < partitions; part++) {
    const to = (part + 1) * size;
    const param = r.small(paramBits);
    if (param === escape) {
      const bits = r.small(5);
      for (; i < to; i++) out[i] = r.signed(bits);
    } else {
      const scale = 2 ** param;
      for (; i < to; i++) {
        const q = r.unary() * scale + r.unsigned(param);
        out[i] = q % 2 === 0 ? q / 2 : -(q + 1) / 2;
      }
    }
  }
}

function restoreFixed(s: Float64Array, order: number, n: number): void {
  for (let i = order; i < n; i++) {
    const a = s[i - 1] as number;
    const b = s[i - 2] as number;
    const c = s[i - 3] as number;
    const d = s[i - 4] as number;
    const e = s[i] as number;
    s[i] =
      order === 1
        ? e + a
        : order === 2
          ? e + 2 * a - b
          : order === 3
            ? e + 3 * a - 3 * b + c
            : e + 4 * a - 6 * b + 4 * c - d;
  }
}

function subframe(r: BitReader, out: Float64Array, blockSize: number, frameBits: number): void {
  if (r.small(1) !== 0) throw new DecodeFault('CORRUPT', 'A FLAC subframe has a wrong start.');
  const type = r.small(6);
  const wasted = r.small(1) === 1 ? r.unary() + 1 : 0;
  const bits = frameBits - wasted;
  if (bits < 1) throw new DecodeFault('CORRUPT', 'A FLAC subframe has no bits left.');
  if (type === 0) {
    out.fill(r.signed(bits), 0, blockSize);
  } else if (type === 1) {
    for (let i = 0; i < blockSize; i++) out[i] = r.signed(bits);
  } else if (type >= 8 && type <= 12) {
    const order = type - 8;
    if (order > blockSize) throw new DecodeFault('CORRUPT', 'The FLAC predictor is longer than its block.');
    for (let i = 0; i < order; i++) out[i] = r.signed(bits);
    residual(r, out, order, blockSize);
    if (order > 0) restoreFixed(out, order, blockSize);
  } else if (type >= 32) {
    lpc(r, out, type - 31, blockSize, bits);
  } else {
    throw new DecodeFault('CORRUPT', 'Unknown FLAC subframe type.');
  }
  if (wasted > 0) {
    const scale = 2 ** wasted;
    for (let i = 0; i < blockSize; i++) out[i] = (out[i] as number) * scale;
  }
}

function lpc(r: BitReader, out: Float64Array, order: number, blockSize: number, bits: number): void {
  if (order > blockSize) throw new DecodeFault('CORRUPT', 'The FLAC predictor is longer than its block.');
  for (let i = 0; i < order; i++) out[i] = r.signed(bits);
  const precision = r.small(4) + 1;
  if (precision === 16) throw new DecodeFault('CORRUPT', 'Invalid FLAC predictor precision.');
  const shift = r.signed(5);
  if (shift < 0) throw new DecodeFault('CORRUPT', 'Negative FLAC predictor shift.');
  const coefficients = new Float64Array(order);
  for (let i = 0; i < order; i++) coefficients[i] = r.signed(precision);
  residual(r, out, order, blockSize);
  const scale = 2 ** -shift;
  for (let i = order; i < blockSize; i++) {
    let sum = 0;
    for (let k = 0; k < order; k++) sum += (coefficients[k] as number) * (out[i - 1 - k] as number);
    out[i] = (out[i] as number) + Math.floor(sum * scale);
  }
}

function decorrelate(planes: Float64Array[], assignment: number, n: number): void {
  const a = planes[0] as Float64Array;
  const b = planes[1] as Float64Array;
  for (let i = 0; i < n; i++) {
    const x = a[i] as number;
    const y = b[i] as number;
    if (assignment === 8) b[i] = x - y;
    else if (assignment === 9) a[i] = x + y;
    else {
      const mid = 2 * x + (Math.abs(y) % 2);
      a[i] = (mid + y) / 2;
      b[i] = (mid - y) / 2;
    }
  }
}

/** Decodes the frame whose header is given into `planes` (at least `blockSize` long each). Throws DecodeFault on damage. */
export function decodeFlacFrame(
  bytes: Uint8Array,
  at: number,
  header: FlacFrameHeader,
  planes: Float64Array[],
): FlacFrame {
  const channels = header.assignment < 8 ? header.assignment + 1 : 2;
  const r = new BitReader(bytes, header.bodyAt, bytes.length);
  for (let c = 0; c < channels; c++) {
    // The difference channel needs one bit more than the others.
    const side =
      (header.assignment === 8 && c === 1) ||
      (header.assignment === 9 && c === 0) ||
      (header.assignment === 10 && c === 1);
    subframe(r, planes[c] as Float64Array, header.blockSize, header.bits + (side ? 1 : 0));
  }
  r.align();
  const end = r.byteOffset;
  if (end + 2 > bytes.length)
    throw new DecodeFault('CORRUPT', 'The FLAC file ends in the middle of a frame.');
  let crc = 0;
  for (let i = at; i < end; i++)
    crc = ((crc << 8) & 0xffff) ^ (crc16Table[(crc >> 8) ^ (bytes[i] as number)] as number);
  if (crc !== (((bytes[end] as number) << 8) | (bytes[end + 1] as number)))
    throw new DecodeFault('CORRUPT', 'A FLAC frame has a wrong checksum.');
  if (header.assignment >= 8) decorrelate(planes, header.assignment, header.blockSize);
  return {
    blockSize: header.blockSize,
    channels,
    bits: header.bits,
    sampleRateHz: header.sampleRateHz,
    end: end + 2,
  };
}
