/**
 * Spread of the formants of a voiced frame: half the distance from the first to the third resonance of an
 * all-pole model at 8 kHz. It reflects the length of the vocal tract, and survives a telephone band.
 */
import { kernelFloats, kernels } from '../kernels/kernels.js';

const FORMANT_RATE_HZ = 8000;
const FORMANT_WINDOW = 240;
const ORDER = 10;
const GRID_HZ = 50;
const LOW_HZ = 200;
const HIGH_HZ = 3600;

const window = Float64Array.from(
  { length: FORMANT_WINDOW },
  (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (FORMANT_WINDOW - 1)),
);
const grid = Array.from({ length: (HIGH_HZ - LOW_HZ) / GRID_HZ + 1 }, (_, i) => LOW_HZ + i * GRID_HZ);
/** cos(k w) of every grid frequency, row by row. */
const cosines = Float64Array.from({ length: grid.length * (ORDER + 1) }, (_, i) => {
  const hz = grid[Math.floor(i / (ORDER + 1))] as number;
  return Math.cos((2 * Math.PI * hz * (i % (ORDER + 1))) / FORMANT_RATE_HZ);
});
/** The kernel gives the correlation in groups of 16 lags; the frame is followed by as many zeros. */
const LAGS = 16;
// Reused for every frame, because there are many.
const r = new Float64Array(ORDER + 1);
const a = new Float64Array(ORDER + 1);
const c = new Float64Array(ORDER + 1);

/** Levinson-Durbin on `r` into `a`; false for a frame without energy. */
function predict(): boolean {
  let error = r[0] as number;
  if (error < 1e-9) return false;
  a.fill(0);
  a[0] = 1;
  for (let i = 1; i <= ORDER; i++) {
    let acc = r[i] as number;
    for (let j = 1; j < i; j++) acc += (a[j] as number) * (r[i - j] as number);
    const k = -acc / error;
    // Pairs from both ends, each computed from the old values of both.
    for (let j = 1; j <= i >> 1; j++) {
      const low = a[j] as number;
      const high = a[i - j] as number;
      a[j] = low + k * high;
      if (j !== i - j) a[i - j] = high + k * low;
    }
    a[i] = k;
    error *= 1 - k * k;
    if (error <= 0) return false;
  }
  return true;
}

/** (F3 - F1) / 2 in Hz, or 0 if three resonances cannot be told apart. */
export function frameFormantSpreadHz(x: Float32Array, at: number): number {
  if (at < 1 || at + FORMANT_WINDOW > x.length) return 0;
  const memory = kernelFloats(4 * (FORMANT_WINDOW + 2 * LAGS));
  for (let i = 0; i < FORMANT_WINDOW; i++)
    memory[i] = ((x[at + i] as number) - 0.9 * (x[at + i - 1] as number)) * (window[i] as number);
  memory.fill(0, FORMANT_WINDOW, FORMANT_WINDOW + LAGS);
  kernels().correlate(0, 0, FORMANT_WINDOW, 4 * (FORMANT_WINDOW + LAGS), LAGS);
  for (let k = 0; k <= ORDER; k++) r[k] = memory[FORMANT_WINDOW + LAGS + k] as number;
  r[0] = (r[0] as number) * 1.0001;
  if (!predict()) return 0;
  // The power of the inverse filter is a cosine series of the correlation of its coefficients.
  for (let k = 0; k <= ORDER; k++) {
    let sum = 0;
    for (let i = k; i <= ORDER; i++) sum += (a[i] as number) * (a[i - k] as number);
    c[k] = k === 0 ? sum : 2 * sum;
  }
  // Resonances are its minima; those above the third do not matter.
  let falling = false;
  let last = Infinity;
  let first = 0;
  let found = 0;
  for (let g = 0, row = 0; g < grid.length; g++, row += ORDER + 1) {
    let sum = 0;
    for (let k = 0; k <= ORDER; k++) sum += (c[k] as number) * (cosines[row + k] as number);
    if (falling && last <= sum) {
      const hz = grid[g - 1] as number;
      if (++found === 1) first = hz;
      if (found === 3) return (hz - first) / 2;
    }
    falling = g > 0 && sum < last;
    last = sum;
  }
  return 0;
}
