/**
 * Pitch of a frame by normalised autocorrelation, at 4 kHz: telephone lines remove the fundamental itself, but not the period.
 */
const lowHz = 60;
const highHz = 420;
export const pitchRateHz = 4000;
/** Two periods of the lowest pitch and some more. */
export const pitchWindow = 160;
const lagMin = Math.floor(pitchRateHz / highHz);
const lagMax = Math.ceil(pitchRateHz / lowHz);
const voicedMin = 0.55;
/** One frame at a time: reused, because frames are many. */
const centred = new Float64Array(pitchWindow + lagMax + 2);

/** Pitch at sample `at`, or 0 where the sound has no clear period. Reads pitchWindow + lagMax + 2 samples. */
export function framePitchHz(x: Float32Array, at: number): number {
  if (at < 0 || at + pitchWindow + lagMax + 2 > x.length) return 0;
  let mean = 0;
  for (let i = 0; i < pitchWindow + lagMax; i++) mean += x[at + i] as number;
  mean /= pitchWindow + lagMax;
  for (let i = 0; i < centred.length; i++) centred[i] = (x[at + i] as number) - mean;
  let e0 = 0;
  for (let i = 0; i < pitchWindow; i++) e0 += (centred[i] as number) ** 2;
  if (e0 < pitchWindow * 1e-9) return 0;
  const r = new Float64Array(lagMax + 2);
  let best = 0;
  // The energy of the shifted window follows from that of the one before.
  let e1 = 0;
  for (let i = 0; i < pitchWindow; i++) e1 += (centred[i + lagMin - 1] as number) ** 2;
  for (let lag = lagMin - 1; lag <= lagMax + 1; lag++) {
    let dot = 0;
    for (let i = 0; i < pitchWindow; i++) dot += (centred[i] as number) * (centred[i + lag] as number);
    const v = dot / Math.sqrt(e0 * Math.max(0, e1) + 1e-12);
    r[lag] = v;
    if (lag >= lagMin && lag <= lagMax && v > best) best = v;
    e1 += (centred[pitchWindow + lag] as number) ** 2 - (centred[lag] as number) ** 2;
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
