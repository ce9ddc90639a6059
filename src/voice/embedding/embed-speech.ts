// From speech frames to one embedding: windows of bounded length, each normalized by its own mean as in
// training, averaged with their number of frames as weights. Very short speech is repeated up to the shortest
// input that the network accepts, so it yields a weak embedding and never a NaN.
import type { Check } from '../check.js';
import { subtractMean } from '../features/log-mel.js';
import { normalized, weightedMean } from './vector.js';

export interface WindowLimits {
  minFrames: number;
  maxFrames: number;
}

/** The network: mean-normalized features of this many frames in, a raw embedding out. */
export type EmbedWindow = (features: Float32Array, frames: number) => Promise<Float32Array>;

function repeated(rows: Float32Array, frames: number, bins: number, wanted: number): Float32Array {
  const data = new Float32Array(wanted * bins);
  for (let row = 0; row < wanted; row++)
    data.set(rows.subarray((row % frames) * bins, ((row % frames) + 1) * bins), row * bins);
  return data;
}

/** Bounds of windows of nearly equal length, so that no window is a short remainder. */
export function windowBounds(frames: number, maxFrames: number): [start: number, end: number][] {
  const count = Math.max(1, Math.ceil(frames / maxFrames));
  return Array.from({ length: count }, (_, i) => [
    Math.floor((i * frames) / count),
    Math.floor(((i + 1) * frames) / count),
  ]);
}

/** `check` is called before every window and throws if the caller has gone or the time is up. */
export async function embedSpeech(
  embed: EmbedWindow,
  limits: WindowLimits,
  rows: { data: Float32Array; frames: number },
  bins: number,
  check: Check,
): Promise<Float32Array> {
  if (rows.frames === 0) throw new RangeError('no speech to embed');
  const parts: Float32Array[] = [];
  const weights: number[] = [];
  for (const [start, end] of windowBounds(rows.frames, limits.maxFrames)) {
    await check();
    const window = rows.data.slice(start * bins, end * bins);
    const frames = Math.max(end - start, limits.minFrames);
    const input = end - start < limits.minFrames ? repeated(window, end - start, bins, frames) : window;
    subtractMean(input, frames, bins);
    parts.push(normalized(await embed(input, frames)));
    weights.push(end - start);
  }
  return weightedMean(parts, weights);
}
