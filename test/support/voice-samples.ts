// The sentences of the test voices as samples, each decoded once in a worker: tests ask for the same thirty of them thousands of times.
import { decodeAudio } from '../../src/voice/audio/decode-audio.js';
import { voiceFile, type VoiceName } from './fixtures.js';

export const VOICE_RATE_HZ = 16_000;

const decoded = new Map<string, Promise<Float32Array>>();

/** A copy: whoever asked may change it. */
export async function voiceSamples(voice: VoiceName, sentence: number): Promise<Float32Array> {
  const key = `${voice} ${sentence}`;
  const known = decoded.get(key) ?? decode(voice, sentence);
  decoded.set(key, known);
  return (await known).slice();
}

async function decode(voice: VoiceName, sentence: number): Promise<Float32Array> {
  const audio = await decodeAudio(voiceFile(voice, sentence));
  if (!audio.ok) throw new Error(audio.reason);
  return audio.samples;
}
