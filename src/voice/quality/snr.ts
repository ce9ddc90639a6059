/**
 * Two signal-to-noise measures. The reported one compares the speech with the sound between it, and falls
 * back to the quietest moments within the speech if there are hardly any pauses. The calibration one is the
 * plain percentile measure that the speaker model's calibration was fitted with, and must not drift from it.
 */
import { percentile, toDb } from './frame-energy.js';

/** -100 dBFS, below the step of 16 bits: anything lower is digital silence, not measured noise. */
const FLOOR_POWER = 1e-10;
const PAUSE_FRAMES_MIN = 30;
/** Frames next to speech contain its decay and are not noise. */
const GUARD_FRAMES = 5;

export function snrDb(energies: Float32Array, mask: Uint8Array): number {
  const frames = Math.min(energies.length, mask.length);
  // Typed arrays, because they sort several times faster.
  const speech = new Float32Array(frames);
  const pause = new Float32Array(frames);
  let speechCount = 0;
  let pauseCount = 0;
  let sinceSpeech = GUARD_FRAMES + 1;
  const untilSpeech = framesUntilSpeech(mask);
  for (let i = 0; i < frames; i++) {
    const e = energies[i] as number;
    if (mask[i] === 1) {
      sinceSpeech = 0;
      speech[speechCount++] = e;
    } else if (++sinceSpeech > GUARD_FRAMES && (untilSpeech[i] as number) > GUARD_FRAMES)
      pause[pauseCount++] = e;
  }
  if (speechCount === 0) return 0;
  let power = 0;
  for (let i = 0; i < speechCount; i++) power += speech[i] as number;
  power /= speechCount;
  const within = percentile(speech.subarray(0, speechCount).sort(), 0.05);
  const between =
    pauseCount >= PAUSE_FRAMES_MIN ? percentile(pause.subarray(0, pauseCount).sort(), 0.5) : Infinity;
  // Pauses give the true noise, unless they are quieter than anything within speech could be: a line that
  // mutes its pauses says nothing about the noise under the speech.
  const muted = between < FLOOR_POWER;
  const noise = Math.max(FLOOR_POWER, between === Infinity || muted ? within : between);
  return clamp(toDb(Math.max(power - noise, 1e-12)) - toDb(noise), -10, 60);
}

function framesUntilSpeech(mask: Uint8Array): Uint16Array {
  const out = new Uint16Array(mask.length);
  let distance = 65535;
  for (let i = mask.length - 1; i >= 0; i--) {
    distance = mask[i] === 1 ? 0 : Math.min(65535, distance + 1);
    out[i] = distance;
  }
  return out;
}

/**
 * Over all of the audio: noise is the 10th percentile of the energies, speech the mean of those at or above
 * the median.
 */
export function calibrationSnrDb(energies: Float32Array): number {
  if (energies.length === 0) return 0;
  const sorted = Float32Array.from(energies).sort();
  const noise = percentile(sorted, 0.1);
  const median = percentile(sorted, 0.5);
  let sum = 0;
  let count = 0;
  for (const e of sorted) {
    if (e < median) continue;
    sum += e;
    count++;
  }
  const speech = sum / Math.max(1, count);
  // The floors were set for samples at 16-bit scale.
  const full = 32768 * 32768;
  return clamp(
    10 * Math.log10(Math.max((speech - noise) * full, 1e-9) / Math.max(noise * full, 1e-9)),
    0,
    30,
  );
}

function clamp(v: number, low: number, high: number): number {
  return v < low ? low : v > high ? high : v;
}
