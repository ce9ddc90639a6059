// A recording of a corpus as samples at the rate that the engine works at, for the commands that make recordings of their own.
import { readFile } from 'node:fs/promises';
import { decodeAudio } from '../../voice/audio/decode-audio.js';
import { resample } from '../../voice/resample.js';

export const SAMPLES_RATE_HZ = 16_000;

export async function samplesOf({ file }: { file: string }): Promise<Float32Array> {
  const decoded = await decodeAudio(await readFile(file));
  if (!decoded.ok) throw new Error(`${file}: ${decoded.reason}`);
  return resample(decoded.samples, decoded.sampleRateHz, SAMPLES_RATE_HZ);
}
