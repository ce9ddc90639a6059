/** Speech detection for a whole recording. */
import { formSegments } from './form-segments.js';
import type { SpeechModel } from './speech-model.js';
import { speechProbabilities } from './speech-net.js';
import { silenceTones } from './tones.js';
import type { Speech, SpeechParams } from './types.js';

/** The net answers every 20 ms; the mask has one entry per 10 ms frame. */
export function perFrame(coarse: Float32Array, frames: number): Float32Array {
  const out = new Float32Array(frames);
  for (let i = 0; i < frames; i++) out[i] = coarse[i >> 1] ?? 0;
  return out;
}

/** `logmel`: rows of 80 before mean normalization, 10 ms apart, from 16 kHz audio at 16-bit scale. */
export function detectSpeech(
  model: SpeechModel,
  logmel: Float32Array,
  frames: number,
  params: Partial<SpeechParams> = {},
): Speech {
  const coarse = silenceTones(speechProbabilities(model, logmel, frames), logmel, frames);
  return formSegments(perFrame(coarse, frames), params);
}
