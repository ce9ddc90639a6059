// Packs several byte strings into one, each preceded by its length, so that one sealed value can hold them
// together; also handles sealed values that cannot be read.
import { StorageError } from '../storage-error.js';

/**
 * A changed or truncated value reads as damaged; a missing or destroyed key is a different matter and still
 * throws.
 */
export function readOrDamaged<T>(read: () => T): T | 'damaged' {
  try {
    return read();
  } catch (error) {
    if (error instanceof StorageError && error.fault !== 'SEAL_BROKEN') throw error;
    return 'damaged';
  }
}

export function packParts(parts: readonly Uint8Array[]): Uint8Array {
  const packed = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length, true);
    packed.set(part, at + 4);
    at += 4 + part.length;
  }
  return packed;
}

export function unpackParts(packed: Uint8Array): Uint8Array[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < packed.length;) {
    const length = view.getUint32(at, true);
    if (at + 4 + length > packed.length) throw new RangeError('packed value ends early');
    // A copy, because the caller may need it aligned and on its own.
    parts.push(packed.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return parts;
}
