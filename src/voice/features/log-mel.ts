// Kaldi-compatible log-mel features of a whole signal: frames of 25 ms every 10 ms, edges snipped.
import { kernelFloats, kernels } from '../kernels/kernels.js';
import { createLogMelKernel } from './log-mel-kernel.js';
import type { LogMelKernel } from './log-mel-kernel.js';
import { standardFeatures } from './mel.js';
import type { FeatureSettings } from './mel.js';

const BLOCK_FRAMES = 128;

interface LogMel {
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

/** An extractor owns one kernel and its memory: not to be shared between threads, cheap to make. */
export function createLogMelExtractor(settings: FeatureSettings = standardFeatures): LogMelExtractor {
  const kernel: LogMelKernel = createLogMelKernel(settings, BLOCK_FRAMES);
  const { melBins, frameShift, frameLength } = settings;
  const { input } = kernel;
  return (samples) => {
    const frames = frameCount(samples.length, settings);
    const data = new Float32Array(frames * melBins);
    for (let start = 0; start < frames; start += BLOCK_FRAMES) {
      const count = Math.min(BLOCK_FRAMES, frames - start);
      const needed = (count - 1) * frameShift + frameLength;
      const offset = start * frameShift;
      input.set(samples.subarray(offset, offset + needed));
      input.fill(0, needed);
      kernel.run(Math.ceil(count / 4));
      data.set(kernel.output.subarray(0, count * melBins), start * melBins);
    }
    return { data, frames, bins: melBins };
  };
}

/** Subtracts from every column its mean over the given rows, in place. `bins` is a multiple of four. */
export function subtractMean(data: Float32Array, frames: number, bins: number): void {
  if (frames === 0) return;
  const floats = frames * bins;
  const memory = kernelFloats(4 * floats);
  memory.set(data.subarray(0, floats));
  kernels().center(0, 4 * bins, frames);
  data.set(memory.subarray(0, floats));
}
