/** A whole file at once, for those who want all of it. */
import { AudioReader } from './audio-reader.js';
import type { DecodedAudio, DecodeOptions, InvalidAudio } from './types.js';

export async function decodeAudio(
  bytes: Uint8Array,
  options: DecodeOptions = {},
): Promise<DecodedAudio | InvalidAudio> {
  const reader = AudioReader.open(bytes, options);
  if (!(reader instanceof AudioReader)) return reader;
  const parts: Float32Array[] = [];
  while (!reader.ended) parts.push(await reader.next());
  const facts = reader.facts();
  return facts.ok ? { ...facts, samples: joined(parts) } : facts;
}

export function joined(parts: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
