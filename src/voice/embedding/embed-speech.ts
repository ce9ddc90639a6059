// From speech frames to one embedding: windows of bounded length, each normalised by its own mean as in
// training, averaged by their number of frames. Very short speech is repeated up to the shortest input
// that the network takes, so it yields a weak embedding and never a NaN.
import { subtractMean } from '../features/log-mel.js';
import { normalised, weightedMean } from './vector.js';

export interface WindowLimits {
  minFrames: number;
  maxFrames: number;
}

/** The network: mean-normalised features of so many frames in, a raw embedding out. */
export type EmbedWindow = (features: Float32Array, frames: number) => Promise<Float32Array>;

/**
 * The network hears a little before and after each stretch of speech: soft beginnings and endings carry voice
 * that the speech detector is right not to count. On VoxForge it came out a little better than without, within
 * the interval of the measurement.
 */
const CONTEXT_FRAMES = 15;

/** The rows to embed, of the speech and its surroundings, up to `limit` frames of speech; and how many are speech. */
export function speechRows(
  logmel: Float32Array,
  bins: number,
  mask: Uint8Array,
  limit = Infinity,
): { data: Float32Array; frames: number; speechFrames: number } {
  const chosen: number[] = [];
  let speechFrames = 0;
  let lastSpeech = -Infinity;
  let nextSpeech = mask.indexOf(1);
  for (let i = 0; i < mask.length && speechFrames < limit && nextSpeech >= 0; i++) {
    if (i > nextSpeech) nextSpeech = mask.indexOf(1, i);
    if (mask[i]) {
      speechFrames++;
      lastSpeech = i;
    }
    const near = i - lastSpeech <= CONTEXT_FRAMES || (nextSpeech >= 0 && nextSpeech - i <= CONTEXT_FRAMES);
    if (near) chosen.push(i);
    if (nextSpeech < 0) {
      // After the last speech only its surroundings remain.
      for (let after = i + 1; after < mask.length && after - lastSpeech <= CONTEXT_FRAMES; after++)
        chosen.push(after);
    }
  }
  const data = new Float32Array(chosen.length * bins);
  // Neighbours are copied together.
  for (let row = 0; row < chosen.length;) {
    const frame = chosen[row] as number;
    let count = 1;
    while (chosen[row + count] === frame + count) count++;
    data.set(logmel.subarray(frame * bins, (frame + count) * bins), row * bins);
    row += count;
  }
  return { data, frames: chosen.length, speechFrames };
}

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

/** `check` throws when the caller has gone or the time is up; it is asked before every window. */
export async function embedSpeech(
  embed: EmbedWindow,
  limits: WindowLimits,
  rows: { data: Float32Array; frames: number },
  bins: number,
  check: () => void,
): Promise<Float32Array> {
  if (rows.frames === 0) throw new RangeError('no speech to embed');
  const parts: Float32Array[] = [];
  const weights: number[] = [];
  for (const [start, end] of windowBounds(rows.frames, limits.maxFrames)) {
    check();
    const window = rows.data.slice(start * bins, end * bins);
    const frames = Math.max(end - start, limits.minFrames);
    const input = end - start < limits.minFrames ? repeated(window, end - start, bins, frames) : window;
    subtractMean(input, frames, bins);
    parts.push(normalised(await embed(input, frames)));
    weights.push(end - start);
  }
  return weightedMean(parts, weights);
}
