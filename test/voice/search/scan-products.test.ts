// Both ways of multiplying a question's voice with rows give what plain integers give; which one runs depends on the processor.
import { describe, expect, it } from 'vitest';
import { productsFor, sumsOfProducts } from '../../../src/voice/search/scan-products.js';
import { FunctionBuilder } from '../../../src/voice/wasm/assembler.js';
import { compileKernel, createSharedMemory, startModule } from '../../../src/voice/wasm/runtime.js';
import { createRng } from '../../support/sounds.js';

const FOUND_BYTES = 16;
const QUERIES_AT = 64;
const QUERY_BYTES = 2048;
const ROWS_AT = 8192;
const LARGEST_BYTE = 127;
const random = createRng(5);
const upTo = (largest: number): number => Math.round((2 * random() - 1) * largest);

/** The products with each of some questions, which are asked at once. */
function multiplied(
  processor: string,
  queries: readonly (readonly number[])[],
  rows: readonly (readonly number[])[],
) {
  const dim = rows[0]?.length ?? 0;
  const products = productsFor(processor);
  const f = new FunctionBuilder('multiply', ['i32', ...queries.map(() => 'i32' as const)], 'i32');
  const [row, ...places] = f.allParameters();
  const queriesAt = places.slice(0, queries.length);
  const found = queries.map(() => f.local('v128'));
  sumsOfProducts(f, products.begin(f, { queriesAt, row, dim }), found);
  found.forEach((product, q) => f.i32(0).get(product).store(q * FOUND_BYTES)); // prettier-ignore
  f.i32(0);
  const memory = createSharedMemory(65_536);
  const queryAt = (q: number): number => QUERIES_AT + q * QUERY_BYTES;
  queries.forEach((query, q) => products.view(memory.buffer, queryAt(q), dim).set(query));
  // What lies behind the rows must not count.
  new Int8Array(memory.buffer, ROWS_AT, 8 * dim).fill(LARGEST_BYTE).set(rows.flat());
  startModule(compileKernel([f], true), memory)('multiply')(ROWS_AT, ...queries.map((_, q) => queryAt(q)));
  return queries.map((_, q) => [...new Int32Array(memory.buffer, q * FOUND_BYTES, rows.length)]);
}

describe.each(['x64', 'arm64'])('products on %s', (processor) => {
  it.each([8, 48, 192, 200, 248, 250, 256, 512, 600])('of %i numbers are exact', (dim) => {
    const largest = productsFor(processor).largest(dim);
    expect(largest).toBeGreaterThanOrEqual(LARGEST_BYTE);
    const numbers = (of: () => number): number[] => Array.from({ length: dim }, of);
    const plain = (query: readonly number[], row: readonly number[]): number =>
      query.reduce((sum, value, i) => sum + value * (row[i] as number), 0);
    const rows = [
      numbers(() => upTo(LARGEST_BYTE)),
      numbers(() => LARGEST_BYTE),
      numbers(() => -LARGEST_BYTE),
      numbers(() => upTo(LARGEST_BYTE)),
    ];
    const queries = [numbers(() => upTo(largest)), numbers(() => largest), numbers(() => -largest)];
    const expected = queries.map((query) => rows.map((row) => plain(query, row)));
    for (let atOnce = 1; atOnce <= productsFor(processor).questionsMax; atOnce++)
      for (let first = 0; first + atOnce <= queries.length; first++) {
        const asked = queries.slice(first, first + atOnce);
        expect(multiplied(processor, asked, rows)).toEqual(expected.slice(first, first + atOnce));
      }
  });
});
