/** The shipped speech detector on test audio, without the engine around it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogMelExtractor } from '../../src/voice/features/log-mel.js';
import { measureQuality } from '../../src/voice/quality/measure-quality.js';
import type { AudioQuality } from '../../src/voice/quality/types.js';
import { resample } from '../../src/voice/resample.js';
import { detectSpeech } from '../../src/voice/speech/detect-speech.js';
import { loadSpeechModel } from '../../src/voice/speech/speech-model.js';
import type { Speech } from '../../src/voice/speech/types.js';

export const SPEECH_MODEL_FOLDER = join(import.meta.dirname, '..', '..', 'models', 'vad-tdnn-3');
export const speechModel = loadSpeechModel(readFileSync(join(SPEECH_MODEL_FOLDER, 'weights.bin')));
export const logmel = createLogMelExtractor();

export function joined(...parts: Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    out.set(p, at);
    at += p.length;
  }
  return out;
}

export interface Heard {
  samples16k: Float32Array;
  speech: Speech;
  quality: AudioQuality;
}

export function hear(samples: Float32Array, sampleRateHz = 16000): Heard {
  const samples16k = resample(samples, sampleRateHz);
  const m = logmel(samples16k);
  const speech = detectSpeech(speechModel, m.data, m.frames);
  return {
    samples16k,
    speech,
    quality: measureQuality({
      samples16k,
      source: { samples, sampleRateHz },
      logmel: m.data,
      speech,
    }),
  };
}
