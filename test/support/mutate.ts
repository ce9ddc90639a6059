/** Damages audio files for the fuzz test: the same seed always gives the same bytes. */
import { oggPageCrc } from '../../src/voice/audio/containers/ogg-pages.js';
import { createRng, type Rng } from './sounds.js';

const pick = (rng: Rng, n: number): number => Math.floor(rng() * n);
const extremes = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

function once(bytes: Uint8Array, other: Uint8Array, rng: Rng): Uint8Array {
  const n = bytes.length;
  if (n < 8) return bytes;
  // Headers decide the most, so half of the damage goes there.
  const at = rng() < 0.5 ? pick(rng, Math.min(n, 256)) : pick(rng, n);
  switch (pick(rng, 9)) {
    case 0:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << pick(rng, 8));
      return bytes;
    case 1:
      bytes[at] = pick(rng, 256);
      return bytes;
    case 2: {
      const value = extremes[pick(rng, extremes.length)] ?? 0;
      for (let k = 0; k < 4 && at + k < n; k++)
        bytes[at + k] = (rng() < 0.5 ? value >>> (8 * k) : value >>> (8 * (3 - k))) & 255;
      return bytes;
    }
    case 3:
      return bytes.slice(0, at);
    case 4: {
      const size = pick(rng, Math.min(2000, n - at));
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
    }
    case 5: {
      const size = pick(rng, Math.min(2000, n - at));
      return Buffer.concat([bytes.subarray(0, at + size), bytes.subarray(at)]);
    }
    case 6: {
      const from = pick(rng, other.length);
      return Buffer.concat([
        bytes.subarray(0, at),
        other.subarray(from, from + pick(rng, 4000)),
        bytes.subarray(at),
      ]);
    }
    case 7:
      for (let k = 0; k < 1 + pick(rng, 40); k++) bytes[pick(rng, n)] = pick(rng, 256);
      return bytes;
    default:
      bytes.fill(rng() < 0.5 ? 0 : 255, at, Math.min(n, at + pick(rng, 300)));
      return bytes;
  }
}

/** Gives damaged Ogg pages a right checksum again, so that the damage reaches the codec and is not dropped with its page. */
function repairOgg(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + 27 <= bytes.length && bytes[at] === 0x4f && bytes[at + 1] === 0x67) {
    const segments = bytes[at + 26] ?? 0;
    let end = at + 27 + segments;
    for (let i = at + 27; i < at + 27 + segments; i++) end += bytes[i] ?? 0;
    if (end > bytes.length) return;
    view.setUint32(at + 22, oggPageCrc(bytes.subarray(at, end)), true);
    at = end;
  }
}

export function mutate(original: Uint8Array, other: Uint8Array, seed: number): Uint8Array {
  const rng = createRng(seed);
  let bytes: Uint8Array = Uint8Array.from(original);
  const rounds = 1 + pick(rng, 5);
  for (let i = 0; i < rounds; i++) bytes = once(bytes, other, rng);
  bytes = Uint8Array.from(bytes);
  if (bytes[0] === 0x4f && rng() < 0.7) repairOgg(bytes);
  return bytes;
}
