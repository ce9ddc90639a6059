/** Speech detection for a whole recording. */
import { fromMask } from './form-segments.js';
import { SpeechFinder } from './speech-finder.js';
import { BINS, type SpeechModel } from './speech-model.js';
import type { Speech } from './types.js';

/** The net answers every 20 ms; the mask has one entry per 10 ms frame. */
export function perFrame(coarse: Float32Array, frames: number): Float32Array {
  const out = new Float32Array(frames);
  for (let i = 0; i < frames; i++) out[i] = coarse[i >> 1] ?? 0;
  return out;
}

/** `logmel`: rows of 80 before mean normalization, 10 ms apart, from 16 kHz audio at 16-bit scale. */
export function detectSpeech(model: SpeechModel, logmel: Float32Array, frames: number): Speech {
  const finder = new SpeechFinder(model, (from, to) => logmel.subarray(from * BINS, to * BINS));
  finder.advance(frames);
  finder.finish();
  return fromMask(finder.mask, finder.probability());
}
