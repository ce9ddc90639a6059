// Two simple vocoders: they take speech apart and put it together again. The result says the same in the same
// voice, but was made by a machine. Both are old techniques; today's synthesizers leave fewer traces.
import { framePitchHz, PITCH_RATE_HZ } from '../../src/voice/voice-class/pitch.js';
import { resample } from '../../src/voice/resample.js';
import { melFilters, standardFeatures } from '../../src/voice/features/mel.js';
import { Fourier, ShortTime, type Frames } from './fourier.js';

const RATE_HZ = 16_000;
const MEL_SIZE = 512;
const MEL_HOP = 128;

/**
 * Log-mel magnitudes with phases found by the Griffin-Lim iteration: what a text-to-speech system without a
 * neural vocoder does.
 */
export function griffinLim(samples: Float32Array, random: () => number, rounds = 16): Float32Array {
  const stft = new ShortTime(MEL_SIZE, MEL_HOP);
  const { re, im, count } = stft.forward(samples);
  const magnitudes = re.map((x, i) => Math.hypot(x, im[i] as number));
  for (let start = 0; start < re.length; start += MEL_SIZE)
    throughMelBands(magnitudes.subarray(start, start + MEL_SIZE));
  // Starts with random phases, then takes those of the signal that they produced.
  for (let i = 0; i < re.length; i++) {
    const angle = 2 * Math.PI * random();
    re[i] = Math.cos(angle);
    im[i] = Math.sin(angle);
  }
  let frames: Frames = { re, im, count };
  for (let round = 0; ; round++) {
    impose(magnitudes, frames);
    const signal = stft.backward(frames, samples.length);
    if (round === rounds) return signal;
    frames = stft.forward(signal);
  }
}

/** Imposes new magnitudes on spectra; the upper half of a real signal's spectrum mirrors the lower. */
function impose(magnitudes: Float64Array, { re, im }: Frames): void {
  for (let start = 0; start < re.length; start += MEL_SIZE) {
    for (let at = start; at <= start + MEL_SIZE / 2; at++) {
      const x = re[at] as number;
      const y = im[at] as number;
      const gain = (magnitudes[at] as number) / (Math.sqrt(x * x + y * y) || 1);
      const mirror = start + ((MEL_SIZE - (at - start)) % MEL_SIZE);
      re[at] = re[mirror] = gain * x;
      im[at] = gain * y;
      im[mirror] = -gain * y;
    }
  }
}

const filters = melFilters({ ...standardFeatures, fftSize: MEL_SIZE });

/** Reduces a spectrum to 80 bands and spreads them over its bins again. */
function throughMelBands(magnitudes: Float64Array): void {
  const spread = new Float64Array(MEL_SIZE / 2 + 1);
  const weight = new Float64Array(MEL_SIZE / 2 + 1);
  for (const { firstBin: first, weights } of filters) {
    let [energy, total] = [0, 0];
    weights.forEach((w, i) => {
      energy += w * (magnitudes[first + i] as number) ** 2;
      total += w;
    });
    weights.forEach((w, i) => {
      spread[first + i] = (spread[first + i] as number) + (w * energy) / (total || 1);
      weight[first + i] = (weight[first + i] as number) + w;
    });
  }
  for (let bin = 0; bin <= MEL_SIZE / 2; bin++) {
    const power = (weight[bin] as number) > 0 ? (spread[bin] as number) / (weight[bin] as number) : 0;
    magnitudes[bin] = Math.sqrt(power);
  }
}

const ORDER = 20;
const FRAME = 512;
const HOP = 80;
const fourier = new Fourier(FRAME);
/** Makes uniform noise as strong as pulses of unit power. */
const NOISE_GAIN = Math.sqrt(3);

/** How the voice is changed on the way; without it, it stays the same. */
interface Reshaping {
  /** Factor on the pitch. */
  pitch: number;
  /** Factor on the power in each of FRAME / 2 + 1 bins. */
  power: Float64Array;
}

/** Pulses and noise through an all-pole filter: the vocoder of the seventies, and of many toys since. */
export function sourceFilter(
  samples: Float32Array,
  random: () => number,
  reshaping?: Reshaping,
): Float32Array {
  const slow = resample(samples, RATE_HZ, PITCH_RATE_HZ);
  const out = new Float32Array(samples.length);
  const memory = new Float64Array(ORDER);
  let phase = 0;
  for (let at = 0; at < samples.length; at += HOP) {
    const { coefficients, gain } = allPole(powerAt(samples, at, reshaping?.power));
    const pitchHz = framePitchHz(slow, Math.round((at * PITCH_RATE_HZ) / RATE_HZ)) * (reshaping?.pitch ?? 1);
    for (let i = at; i < Math.min(at + HOP, samples.length); i++) {
      let excitation: number;
      if (pitchHz > 0) {
        phase += pitchHz / RATE_HZ;
        const isPulse = phase >= 1;
        if (isPulse) phase -= 1;
        excitation = isPulse ? Math.sqrt(RATE_HZ / pitchHz) : 0;
      } else excitation = (2 * random() - 1) * NOISE_GAIN;
      let value = gain * excitation;
      for (let k = 0; k < ORDER; k++) value -= (coefficients[k] as number) * (memory[k] as number);
      memory.copyWithin(1, 0, ORDER - 1);
      memory[0] = value;
      out[i] = value;
    }
  }
  return out;
}

/** Power spectrum of the frame around a sample, in FRAME / 2 + 1 bins. */
export function powerAt(samples: Float32Array, center: number, factor?: Float64Array): Float64Array {
  const re = Float64Array.from({ length: FRAME }, (_, i) => {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / FRAME);
    return window * (samples[center - FRAME / 2 + i] ?? 0);
  });
  const im = new Float64Array(FRAME);
  fourier.transform(re, im, -1);
  return Float64Array.from(
    { length: FRAME / 2 + 1 },
    (_, bin) => ((re[bin] as number) ** 2 + (im[bin] as number) ** 2) * (factor?.[bin] ?? 1),
  );
}

/** Levinson's recursion on the autocorrelation, which is the transform of the power. */
function allPole(power: Float64Array): { coefficients: Float64Array; gain: number } {
  const re = Float64Array.from({ length: FRAME }, (_, i) => power[i <= FRAME / 2 ? i : FRAME - i] as number);
  fourier.transform(re, new Float64Array(FRAME), 1);
  const r = re.subarray(0, ORDER + 1).map((value) => value / FRAME);
  r[0] = (r[0] as number) * 1.0005 + 1e-12;
  const a = new Float64Array(ORDER + 1);
  let error = r[0] as number;
  for (let i = 1; i <= ORDER; i++) {
    let sum = r[i] as number;
    for (let j = 1; j < i; j++) sum += (a[j] as number) * (r[i - j] as number);
    const k = -sum / error;
    const before = a.slice();
    for (let j = 1; j < i; j++) a[j] = (before[j] as number) + k * (before[i - j] as number);
    a[i] = k;
    error *= 1 - k * k;
  }
  // The window keeps 3/8 of the energy of the frame.
  return { coefficients: a.subarray(1), gain: Math.sqrt(Math.max(0, error) / ((3 / 8) * FRAME)) };
}
