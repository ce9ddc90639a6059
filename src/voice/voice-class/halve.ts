/**
 * Half the sampling rate, for pitch and formants only: flat to 80 % of the new band, 44 dB down from 118 % on. What folds lies
 * above the highest resonance that is looked for, so the long filter of the resampler would be wasted here.
 */
import { kernelFloats, kernels } from '../kernels/kernels.js';

const taps = 48;
const piece = 1 << 15;

const rows = Float32Array.from({ length: taps }, (_, k) => {
  const x = k - (taps - 1) / 2;
  const window =
    0.42 + 0.5 * Math.cos((2 * Math.PI * x) / (taps + 1)) + 0.08 * Math.cos((4 * Math.PI * x) / (taps + 1));
  return (Math.sin((Math.PI * x) / 2) / (Math.PI * x)) * window;
});
const gain = rows.reduce((sum, v) => sum + v, 0);
rows.forEach((v, k) => (rows[k] = v / gain));

/** Output n lies half a sample after input 2n. */
export function halve(samples: Float32Array): Float32Array {
  const out = new Float32Array(samples.length >> 1);
  const lead = taps / 2 - 1;
  for (let from = 0; from < out.length; from += piece) {
    const count = Math.min(piece, out.length - from);
    const inputFloats = 2 * count + taps;
    const memory = kernelFloats(4 * (taps + inputFloats + count));
    memory.set(rows, 0);
    memory.fill(0, taps, taps + inputFloats);
    const first = 2 * from - lead;
    memory.set(samples.subarray(Math.max(0, first), first + inputFloats), taps + Math.max(0, -first));
    kernels().fir(0, taps, 4 * taps, 4 * (taps + inputFloats), count, 1, 2, 0, 0);
    out.set(memory.subarray(taps + inputFloats, taps + inputFloats + count), from);
  }
  return out;
}
