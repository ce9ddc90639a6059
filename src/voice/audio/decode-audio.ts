/** A whole file at once, for those who want all of it. */
import { joinedFloats } from '../kept-floats.js';
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
  return facts.ok ? { ...facts, samples: joinedFloats(parts) } : facts;
}
