/**
 * Pitch of a frame by normalized autocorrelation, at 4 kHz: telephone lines remove the fundamental itself, but not the period.
 */
import { kernelFloats, kernels } from '../kernels/kernels.js';

const LOW_HZ = 60;
const HIGH_HZ = 420;
export const PITCH_RATE_HZ = 4000;
/** Two periods of the lowest pitch and some more. */
const PITCH_WINDOW = 160;
const LAG_MIN = Math.floor(PITCH_RATE_HZ / HIGH_HZ);
const LAG_MAX = Math.ceil(PITCH_RATE_HZ / LOW_HZ);
const VOICED_MIN = 0.55;
/**
 * The lags examined, with one more at either end to recognize a peak; the kernel computes them in groups of
 * 16.
 */
const FIRST_LAG = LAG_MIN - 1;
const LAGS = 16 * Math.ceil((LAG_MAX + 2 - FIRST_LAG) / 16);
const SPAN = PITCH_WINDOW + LAG_MAX + 2;
const CENTERED_FLOATS = FIRST_LAG + PITCH_WINDOW + LAGS;
/** Reused for every frame, because there are many. */
const r = new Float32Array(LAG_MAX + 2);

/** Pitch at sample `at`, or 0 if the sound has no clear period. Reads `SPAN` samples. */
export function framePitchHz(x: Float32Array, at: number): number {
  if (at < 0 || at + SPAN > x.length) return 0;
  let mean = 0;
  for (let i = 0; i < PITCH_WINDOW + LAG_MAX; i++) mean += x[at + i] as number;
  mean /= PITCH_WINDOW + LAG_MAX;
  const memory = kernelFloats(4 * (CENTERED_FLOATS + LAGS));
  for (let i = 0; i < SPAN; i++) memory[i] = (x[at + i] as number) - mean;
  memory.fill(0, SPAN, CENTERED_FLOATS);
  let e0 = 0;
  // The energy of each shifted window is updated from the previous one.
  let e1 = 0;
  for (let i = 0; i < PITCH_WINDOW; i++) {
    const v = memory[i] as number;
    e0 += v * v;
    const w = memory[i + FIRST_LAG] as number;
    e1 += w * w;
  }
  if (e0 < PITCH_WINDOW * 1e-9) return 0;
  kernels().correlate(0, 4 * FIRST_LAG, PITCH_WINDOW, 4 * CENTERED_FLOATS, LAGS);
  let best = 0;
  for (let lag = FIRST_LAG; lag <= LAG_MAX + 1; lag++) {
    const v = (memory[CENTERED_FLOATS + lag - FIRST_LAG] as number) / Math.sqrt(e0 * Math.max(0, e1) + 1e-12);
    r[lag] = v;
    if (lag >= LAG_MIN && lag <= LAG_MAX && v > best) best = v;
    e1 += (memory[PITCH_WINDOW + lag] as number) ** 2 - (memory[lag] as number) ** 2;
  }
  if (best < VOICED_MIN) return 0;
  // Multiples of the period fit as well as the period itself, so the first peak that is nearly as good is taken.
  for (let lag = LAG_MIN; lag <= LAG_MAX; lag++) {
    const a = r[lag - 1] as number;
    const b = r[lag] as number;
    const c = r[lag + 1] as number;
    if (b < 0.87 * best || b < a || b < c) continue;
    const bend = a - 2 * b + c;
    const shift = bend === 0 ? 0 : (0.5 * (a - c)) / bend;
    return PITCH_RATE_HZ / (lag + shift);
  }
  return 0;
}
