// Recordings and spectra are compared as bytes first. The runner compares value by value, which takes a hundred times as long,
// and is left what differs: it says where.
import { expect } from 'vitest';

const added = Symbol.for('voxgate.test.quick-equality');
const known = globalThis as { [added]?: boolean };

function sameBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined;
  const bytesOf = (view: ArrayBufferView) => Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  return bytesOf(a).equals(bytesOf(b)) ? true : undefined;
}

// The files of one worker share the runner's list.
if (!known[added]) expect.addEqualityTesters([sameBytes]);
known[added] = true;
