/**
 * Pitch of a frame by normalised autocorrelation, at 4 kHz: telephone lines remove the fundamental itself, but not the period.
 */
import { kernelFloats, kernels } from '../kernels/kernels.js';

const lowHz = 60;
const highHz = 420;
export const pitchRateHz = 4000;
/** Two periods of the lowest pitch and some more. */
export const pitchWindow = 160;
const lagMin = Math.floor(pitchRateHz / highHz);
const lagMax = Math.ceil(pitchRateHz / lowHz);
const voicedMin = 0.55;
/** Lags looked at, one more at either end to tell a peak; the kernel takes them in groups of 16. */
const firstLag = lagMin - 1;
const lags = 16 * Math.ceil((lagMax + 2 - firstLag) / 16);
const span = pitchWindow + lagMax + 2;
const centredFloats = firstLag + pitchWindow + lags;
/** One frame at a time: reused, because frames are many. */
const r = new Float32Array(lagMax + 2);

/** Pitch at sample `at`, or 0 where the sound has no clear period. Reads pitchWindow + lagMax + 2 samples. */
export function framePitchHz(x: Float32Array, at: number): number {
  if (at < 0 || at + span > x.length) return 0;
  let mean = 0;
  for (let i = 0; i < pitchWindow + lagMax; i++) mean += x[at + i] as number;
  mean /= pitchWindow + lagMax;
  const memory = kernelFloats(4 * (centredFloats + lags));
  for (let i = 0; i < span; i++) memory[i] = (x[at + i] as number) - mean;
  memory.fill(0, span, centredFloats);
  let e0 = 0;
  // The energy of the shifted window follows from that of the one before.
  let e1 = 0;
  for (let i = 0; i < pitchWindow; i++) {
    const v = memory[i] as number;
    e0 += v * v;
    const w = memory[i + firstLag] as number;
    e1 += w * w;
  }
  if (e0 < pitchWindow * 1e-9) return 0;
  kernels().correlate(0, 4 * firstLag, pitchWindow, 4 * centredFloats, lags);
  let best = 0;
  for (let lag = firstLag; lag <= lagMax + 1; lag++) {
    const v = (memory[centredFloats + lag - firstLag] as number) / Math.sqrt(e0 * Math.max(0, e1) + 1e-12);
    r[lag] = v;
    if (lag >= lagMin && lag <= lagMax && v > best) best = v;
    e1 += (memory[pitchWindow + lag] as number) ** 2 - (memory[lag] as number) ** 2;
  }
  if (best < voicedMin) return 0;
  // Multiples of the period fit as well as the period itself, so the first peak that is nearly as good is taken.
  for (let lag = lagMin; lag <= lagMax; lag++) {
    const a = r[lag - 1] as number;
    const b = r[lag] as number;
    const c = r[lag + 1] as number;
    if (b < 0.87 * best || b < a || b < c) continue;
    const bend = a - 2 * b + c;
    const shift = bend === 0 ? 0 : (0.5 * (a - c)) / bend;
    return pitchRateHz / (lag + shift);
  }
  return 0;
}
