// Test speech as 16-bit WAV at 16 kHz: the project's own synthetic voices, utterances joined.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decodeAudio } from '../../src/voice/audio/decode-audio.js';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import { resample } from '../../src/voice/resample.js';

export const VOICES_DIR = fileURLToPath(new URL('../fixtures/voices', import.meta.url));

export async function speechWav(voice: string, utterances: readonly number[], rate = 16000): Promise<Buffer> {
  const parts: number[] = [];
  for (const number of utterances) {
    const decoded = await decodeAudio(readFileSync(`${VOICES_DIR}/${voice}/${number}.opus`));
    if (!decoded.ok) throw new Error(decoded.reason);
    for (const value of resample(decoded.samples, decoded.sampleRateHz, rate)) parts.push(value);
  }
  return Buffer.from(encodeWav(Float32Array.from(parts), rate));
}
