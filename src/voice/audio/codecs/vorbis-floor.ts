/**
 * Floor 1 of Vorbis (Vorbis I, section 7): the coarse shape of a spectrum as straight lines on a decibel
 * scale.
 */
import type { Floor } from './vorbis-setup.js';
import { bitsOf, type VorbisBits } from './vorbis-bits.js';

const ranges = [256, 128, 86, 64] as const;
/** Steps of 35/64 dB; the last is full scale. */
const decibels = Float32Array.from({ length: 256 }, (_, i) => 10 ** (((i - 255) * 35) / 64 / 20));

/** The values at the positions; undefined for a channel that is silent in this packet. */
export function readFloorValues(bits: VorbisBits, floor: Floor): Int32Array | undefined {
  if (bits.one() === 0 || bits.ended) return undefined;
  const width = bitsOf((ranges[floor.multiplier - 1] ?? 256) - 1);
  const values = new Int32Array(floor.x.length);
  values[0] = bits.read(width);
  values[1] = bits.read(width);
  let at = 2;
  for (const partition of floor.partitions) {
    const { dimensions, subclassBits, masterbook, books } = floor.classes[
      partition
    ] as Floor['classes'][number];
    let choice = masterbook ? masterbook.entry(bits) : 0;
    if (choice < 0) return undefined;
    for (let i = 0; i < dimensions; i++) {
      const book = books[choice & ((1 << subclassBits) - 1)];
      choice >>= subclassBits;
      const value = book ? book.entry(bits) : 0;
      if (value < 0) return undefined;
      values[at++] = value;
    }
  }
  return bits.ended ? undefined : values;
}

function pointOnLine(x0: number, y0: number, x1: number, y1: number, x: number): number {
  const rise = Math.floor((Math.abs(y1 - y0) * (x - x0)) / (x1 - x0));
  return y1 < y0 ? y0 - rise : y0 + rise;
}

/** Converts differences from the neighbors' prediction to values; unused positions become negative. */
function unwrap(floor: Floor, values: Int32Array): Int32Array {
  const range = ranges[floor.multiplier - 1] ?? 256;
  const y = values.slice();
  const used = new Uint8Array(y.length).fill(1, 0, 2);
  for (let i = 2; i < y.length; i++) {
    const { low, high } = floor.neighbors[i] as Floor['neighbors'][number];
    const xl = floor.x[low] as number;
    const xh = floor.x[high] as number;
    const predicted = pointOnLine(xl, y[low] as number, xh, y[high] as number, floor.x[i] as number);
    const difference = values[i] as number;
    y[i] = predicted;
    if (difference === 0) continue;
    used[low] = used[high] = used[i] = 1;
    const above = range - predicted;
    const below = predicted;
    if (difference >= 2 * Math.min(above, below))
      y[i] = above > below ? difference - below + predicted : predicted - difference + above - 1;
    else y[i] = difference % 2 ? predicted - (difference + 1) / 2 : predicted + difference / 2;
  }
  for (let i = 0; i < y.length; i++) {
    y[i] = used[i] ? Math.min(range - 1, Math.max(0, y[i] as number)) * floor.multiplier : -1;
  }
  return y;
}

/** Multiplies the lines of a spectrum by the curve. */
export function applyFloor(floor: Floor, values: Int32Array, spectrum: Float32Array): void {
  const y = unwrap(floor, values);
  const n = spectrum.length;
  let x0 = 0;
  let y0 = y[0] as number;
  for (const index of floor.sorted) {
    const y1 = y[index] as number;
    const x1 = floor.x[index] as number;
    if (y1 < 0 || x1 === 0) continue;
    drawLine(spectrum, x0, y0, x1, y1);
    x0 = x1;
    y0 = y1;
    if (x0 >= n) return;
  }
  const rest = decibels[y0] as number;
  for (let x = x0; x < n; x++) spectrum[x] = (spectrum[x] as number) * rest;
}

/** The format's own integer line algorithm, so that the curve matches the encoder's. */
function drawLine(spectrum: Float32Array, x0: number, y0: number, x1: number, y1: number): void {
  const width = x1 - x0;
  const base = Math.trunc((y1 - y0) / width);
  const step = y1 < y0 ? base - 1 : base + 1;
  const rest = Math.abs(y1 - y0) - Math.abs(base) * width;
  let y = y0;
  let error = 0;
  for (let x = x0; x < Math.min(x1, spectrum.length); x++) {
    if (x > x0) {
      error += rest;
      if (error >= width) {
        error -= width;
        y += step;
      } else y += base;
    }
    spectrum[x] = (spectrum[x] as number) * (decibels[y] as number);
  }
}
