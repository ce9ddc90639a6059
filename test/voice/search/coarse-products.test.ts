// Products with the coarse voices of a first look are what plain integers give, for all rows that are not longer than allowed.
import { describe, expect, it } from 'vitest';
import { HAS_COARSE_LOOK } from '../../../src/voice/search/coarse-look.js';
import {
  COARSE_QUESTIONS,
  coarseBytes,
  coarseProducts,
  coarseVoice,
  raisedVoice,
} from '../../../src/voice/search/coarse-products.js';
import { quantize } from '../../../src/voice/search/quantized-rows.js';
import { normalized } from '../../../src/voice/embedding/vector.js';
import { FunctionBuilder } from '../../../src/voice/wasm/assembler.js';
import { compileKernel, createSharedMemory, startModule } from '../../../src/voice/wasm/runtime.js';
import { createRng } from '../../support/sounds.js';

const PRODUCT_BYTES = 16;
const VOICES_AT = 64;
const ROWS_AT = 8192;
const LARGEST_BYTE = 127;
const RAISED = 63;
/** Below, a product comes out too large. */
const LOWEST = -12_288;
const random = createRng(7);

const voiceOf = (numbers: readonly number[]) => {
  const query = new Int16Array(numbers.length);
  return coarseVoice({ query, ...quantize(normalized(Float32Array.from(numbers)), query, 0x7fff) });
};
const numbersOf = (dim: number, of: (i: number) => number): number[] =>
  Array.from({ length: dim }, (_, i) => of(i));
const lengthOf = (numbers: readonly number[]): number => Math.hypot(...numbers);

function multiplied(voices: readonly Uint8Array[], rows: readonly (readonly number[])[]): number[][] {
  const dim = rows[0]?.length ?? 0;
  const f = new FunctionBuilder('multiply', ['i32', 'i32'], 'i32');
  const [row, at] = f.allParameters();
  const products = voices.map(() => f.local('v128'));
  coarseProducts(f, { voices: at, row, dim })(products);
  products.forEach((product, q) => f.i32(0).get(product).store(q * PRODUCT_BYTES)); // prettier-ignore
  f.i32(0);
  const memory = createSharedMemory(65_536);
  [...voices, raisedVoice(dim)].forEach((voice, q) =>
    new Uint8Array(memory.buffer, VOICES_AT + q * coarseBytes(dim), dim).set(voice),
  );
  // What lies behind the rows must not count.
  new Int8Array(memory.buffer, ROWS_AT, 8 * dim).fill(LARGEST_BYTE).set(rows.flat());
  startModule(compileKernel([f], true), memory)('multiply')(ROWS_AT, VOICES_AT);
  return voices.map((_, q) => [...new Int32Array(memory.buffer, q * PRODUCT_BYTES, rows.length)]);
}

describe('coarse products', () => {
  it('can be had where the tests run, on x64', () => {
    expect(HAS_COARSE_LOOK).toBe(process.arch === 'x64');
  });

  it.each(HAS_COARSE_LOOK ? [8, 48, 192, 200, 248, 250, 512] : [])('of %i numbers are exact', (dim) => {
    const noise = () => random() + random() + random() - 1.5;
    const voices = [
      voiceOf(numbersOf(dim, noise)),
      // As far as a voice can be in one direction, and equally far in all of them.
      voiceOf(numbersOf(dim, (i) => (i === 3 ? -1 : 0))),
      voiceOf(numbersOf(dim, (i) => (i % 2 ? 1 : -1))),
    ];
    const longest = Math.min(...voices.map(({ longestRow }) => longestRow));
    const ofLength = (numbers: readonly number[]): number[] => {
      const scale = Math.min(longest / lengthOf(numbers), LARGEST_BYTE / Math.max(...numbers.map(Math.abs)));
      return numbers.map((value) => Math.trunc(value * scale));
    };
    const alike = [...(voices[0]?.numbers ?? [])].map((value) => value - RAISED);
    const rows = [
      ofLength(numbersOf(dim, noise)),
      ofLength(alike),
      ofLength(alike.map((value) => -value)),
      ofLength(numbersOf(dim, (i) => (i % 2 ? -1 : 1))),
    ];
    const plain = (voice: Uint8Array, row: readonly number[]): number => {
      const product = row.reduce((sum, value, i) => sum + value * ((voice[i] as number) - RAISED), 0);
      return product < LOWEST ? product + 2 ** 16 : product;
    };
    for (let asked = 1; asked <= COARSE_QUESTIONS; asked++) {
      const some = voices.slice(0, asked).map(({ numbers }) => numbers);
      expect(multiplied(some, rows)).toEqual(some.map((voice) => rows.map((row) => plain(voice, row))));
    }
  });
});
