/** Decodes a whole file at once, for callers that need all of it. */
import { joinedFloats } from '../float-buffers.js';
import { AudioReader } from './audio-reader.js';
import type { DecodedAudio, DecodeOptions, InvalidAudio } from './types.js';

export async function decodeAudio(
  bytes: Uint8Array,
  options: DecodeOptions = {},
  /** Called with each part, about a second; may take its time, and ends the work by throwing. */
  between: (part: Float32Array) => Promise<void> | void = () => undefined,
): Promise<DecodedAudio | InvalidAudio> {
  const reader = AudioReader.open(bytes, options);
  if (!(reader instanceof AudioReader)) return reader;
  const parts: Float32Array[] = [];
  while (!reader.ended) {
    const part = await reader.next();
    parts.push(part);
    await between(part);
  }
  const facts = reader.facts();
  return facts.ok ? { ...facts, samples: joinedFloats(parts) } : facts;
}
