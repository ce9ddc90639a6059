// Kaldi-compatible log-mel features of a whole signal: frames of 25 ms every 10 ms, edges snipped.
import { createLogMelKernel } from './log-mel-kernel.js';
import type { LogMelKernel } from './log-mel-kernel.js';
import { standardFeatures } from './mel.js';
import type { FeatureSettings } from './mel.js';

const BLOCK_FRAMES = 128;

export interface LogMel {
  /** Row major, `frames` rows of `bins`; natural logarithm, no mean normalization. */
  data: Float32Array;
  frames: number;
  bins: number;
}

export type LogMelExtractor = (samples16k: Float32Array) => LogMel;

export function frameCount(samples: number, settings: FeatureSettings = standardFeatures): number {
  return samples < settings.frameLength
    ? 0
    : 1 + Math.floor((samples - settings.frameLength) / settings.frameShift);
}

/** An extractor owns one kernel and its memory: not for use by two threads, cheap to make. */
export function createLogMelExtractor(settings: FeatureSettings = standardFeatures): LogMelExtractor {
  const kernel: LogMelKernel = createLogMelKernel(settings, BLOCK_FRAMES);
  const { melBins, frameShift, frameLength, sampleScale } = settings;
  const { input } = kernel;
  return (samples) => {
    const frames = frameCount(samples.length, settings);
    const data = new Float32Array(frames * melBins);
    for (let start = 0; start < frames; start += BLOCK_FRAMES) {
      const count = Math.min(BLOCK_FRAMES, frames - start);
      const needed = (count - 1) * frameShift + frameLength;
      const offset = start * frameShift;
      for (let i = 0; i < needed; i++) input[i] = (samples[offset + i] as number) * sampleScale;
      input.fill(0, needed);
      kernel.run(Math.ceil(count / 4));
      data.set(kernel.output.subarray(0, count * melBins), start * melBins);
    }
    return { data, frames, bins: melBins };
  };
}

/** Subtracts from every column its mean over the given rows, in place. */
export function subtractMean(data: Float32Array, frames: number, bins: number): void {
  if (frames === 0) return;
  const mean = new Float64Array(bins);
  for (let row = 0, at = 0; row < frames; row++)
    for (let bin = 0; bin < bins; bin++) mean[bin] = (mean[bin] as number) + (data[at++] as number);
  for (let bin = 0; bin < bins; bin++) mean[bin] = (mean[bin] as number) / frames;
  for (let row = 0, at = 0; row < frames; row++)
    for (let bin = 0; bin < bins; bin++, at++) data[at] = (data[at] as number) - (mean[bin] as number);
}
