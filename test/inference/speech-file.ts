// Test speech as 16-bit WAV at 16 kHz: the project's own synthetic voices, utterances joined.
import { fileURLToPath } from 'node:url';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import { resample } from '../../src/voice/resample.js';
import type { VoiceName } from '../support/fixtures.js';
import { VOICE_RATE_HZ, voiceSamples } from '../support/voice-samples.js';

export const VOICES_DIR = fileURLToPath(new URL('../fixtures/voices', import.meta.url));

export async function speechWav(
  voice: VoiceName,
  utterances: readonly number[],
  rate = 16000,
): Promise<Buffer> {
  const parts: number[] = [];
  for (const number of utterances) {
    for (const value of resample(await voiceSamples(voice, number), VOICE_RATE_HZ, rate)) parts.push(value);
  }
  return Buffer.from(encodeWav(Float32Array.from(parts), rate));
}
