/**
 * Halves the sampling rate, for pitch and formants only: flat to 80 % of the new band, 44 dB down from 118 %
 * on. Aliases are above the highest resonance that is looked for, so the long filter of the resampler would
 * be wasted here.
 */
import { kernelFloats, kernels } from '../kernels/kernels.js';

const TAPS = 48;
const PIECE = 1 << 15;

const rows = Float32Array.from({ length: TAPS }, (_, k) => {
  const x = k - (TAPS - 1) / 2;
  const window =
    0.42 + 0.5 * Math.cos((2 * Math.PI * x) / (TAPS + 1)) + 0.08 * Math.cos((4 * Math.PI * x) / (TAPS + 1));
  return (Math.sin((Math.PI * x) / 2) / (Math.PI * x)) * window;
});
const GAIN = rows.reduce((sum, v) => sum + v, 0);
rows.forEach((v, k) => (rows[k] = v / GAIN));

/** Output n lies half a sample after input 2n. */
export function halve(samples: Float32Array): Float32Array {
  const out = new Float32Array(samples.length >> 1);
  const lead = TAPS / 2 - 1;
  for (let from = 0; from < out.length; from += PIECE) {
    const count = Math.min(PIECE, out.length - from);
    const groups = Math.ceil(count / 16);
    // A group reads 16 inputs of each parity, and as many more as the taps reach.
    const half = 16 * groups + TAPS / 2;
    const [partedAt, outAt] = [TAPS + 2 * half, TAPS + 4 * half];
    const memory = kernelFloats(4 * (outAt + 16 * groups));
    memory.set(rows, 0);
    const first = 2 * from - lead;
    const known = samples.subarray(Math.max(0, first), first + 2 * half);
    const knownAt = TAPS + Math.max(0, -first);
    memory.fill(0, TAPS, knownAt);
    memory.set(known, knownAt);
    memory.fill(0, knownAt + known.length, partedAt);
    kernels().firHalve(0, TAPS, 4 * TAPS, 4 * partedAt, half, 4 * outAt, groups);
    out.set(memory.subarray(outAt, outAt + count), from);
  }
  return out;
}
