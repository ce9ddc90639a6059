// The features of the peer: 23 Kaldi MFCC of 8 kHz audio, its energy-based choice of voiced frames, and the mean of the
// three seconds around each frame taken away.
import { Fourier } from '../../tools/attacks/fourier.js';
import { melFilters, standardFeatures } from '../../src/voice/features/mel.js';

export const CEPSTRA = 23;
const FRAME = 200;
const SHIFT = 80;
const FFT_SIZE = 256;
const PREEMPHASIS = 0.97;
const LIFTER = 22;
const LOG_FLOOR = 1.1920929e-7;
const MEAN_FRAMES = 300;
/** The peer's own rule for voiced frames. */
const ENERGY_OFFSET = 5.5;
const ENERGY_MEAN_SCALE = 0.5;
const CONTEXT_FRAMES = 2;
const CONTEXT_SHARE = 0.12;

const window = Float64Array.from(
  { length: FRAME },
  (_, n) => (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (FRAME - 1))) ** 0.85,
);
const fourier = new Fourier(FFT_SIZE);
const filters = melFilters({
  ...standardFeatures,
  sampleRateHz: 8000,
  frameLength: FRAME,
  frameShift: SHIFT,
  fftSize: FFT_SIZE,
  melBins: CEPSTRA,
  melHighHz: 3700,
});
const cosines = Float64Array.from({ length: CEPSTRA * CEPSTRA }, (_, i) => {
  const [k, n] = [Math.floor(i / CEPSTRA), i % CEPSTRA];
  const lift = 1 + (LIFTER / 2) * Math.sin((Math.PI * k) / LIFTER);
  return lift * Math.sqrt((k === 0 ? 1 : 2) / CEPSTRA) * Math.cos((Math.PI / CEPSTRA) * (n + 0.5) * k);
});

interface Cepstra {
  frames: number;
  data: Float64Array;
  /** Natural logarithm, per frame. */
  energy: Float64Array;
}

/** `samples`: 8 kHz, 16-bit scale. */
export function cepstra(samples: Float32Array): Cepstra {
  const frames = Math.max(0, 1 + Math.floor((samples.length - FRAME) / SHIFT));
  const data = new Float64Array(frames * CEPSTRA);
  const energy = new Float64Array(frames);
  const [re, im] = [new Float64Array(FFT_SIZE), new Float64Array(FFT_SIZE)];
  const mel = new Float64Array(CEPSTRA);
  for (let t = 0; t < frames; t++) {
    re.fill(0);
    im.fill(0);
    let mean = 0;
    for (let n = 0; n < FRAME; n++) mean += (samples[t * SHIFT + n] as number) / FRAME;
    let power = 0;
    let previous = (samples[t * SHIFT] as number) - mean;
    for (let n = 0; n < FRAME; n++) {
      const x = (samples[t * SHIFT + n] as number) - mean;
      power += x * x;
      re[n] = (x - PREEMPHASIS * previous) * (window[n] as number);
      previous = x;
    }
    energy[t] = Math.log(Math.max(power, LOG_FLOOR));
    fourier.transform(re, im, -1);
    filters.forEach(({ firstBin, weights }, bin) => {
      let sum = 0;
      weights.forEach((weight, i) => {
        const k = firstBin + i;
        sum += weight * ((re[k] as number) ** 2 + (im[k] as number) ** 2);
      });
      mel[bin] = Math.log(Math.max(sum, LOG_FLOOR));
    });
    for (let k = 1; k < CEPSTRA; k++) {
      let sum = 0;
      for (let n = 0; n < CEPSTRA; n++) sum += (cosines[k * CEPSTRA + n] as number) * (mel[n] as number);
      data[t * CEPSTRA + k] = sum;
    }
    data[t * CEPSTRA] = energy[t] as number;
  }
  return { frames, data, energy };
}

/** Frames of which enough neighbors are loud. */
export function voicedFrames(energy: Float64Array): boolean[] {
  const mean = energy.reduce((sum, e) => sum + e, 0) / Math.max(1, energy.length);
  const loud = Array.from(energy, (e) => e > ENERGY_OFFSET + ENERGY_MEAN_SCALE * mean);
  return loud.map((_, t) => {
    const around = loud.slice(Math.max(0, t - CONTEXT_FRAMES), t + CONTEXT_FRAMES + 1);
    return around.filter(Boolean).length >= CONTEXT_SHARE * around.length;
  });
}

/** Each frame less the mean of the frames around it; voiced frames only (all, where hardly any is). */
export function networkInput({ frames, data, energy }: Cepstra): Float32Array {
  const sums = new Float64Array((frames + 1) * CEPSTRA);
  for (let i = 0; i < frames * CEPSTRA; i++) sums[i + CEPSTRA] = (sums[i] as number) + (data[i] as number);
  const voiced = voicedFrames(energy);
  const enough = voiced.filter(Boolean).length >= 25;
  const out: number[] = [];
  const width = Math.min(MEAN_FRAMES, frames);
  for (let t = 0; t < frames; t++) {
    if (enough && !voiced[t]) continue;
    const from = Math.min(Math.max(0, t - MEAN_FRAMES / 2), frames - width);
    for (let k = 0; k < CEPSTRA; k++) {
      const sum = (sums[(from + width) * CEPSTRA + k] as number) - (sums[from * CEPSTRA + k] as number);
      out.push((data[t * CEPSTRA + k] as number) - sum / width);
    }
  }
  return Float32Array.from(out);
}
