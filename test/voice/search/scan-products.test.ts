// Both ways of multiplying a question's voice with rows give what plain integers give; which one runs depends on the processor.
import { describe, expect, it } from 'vitest';
import { productsFor, sumsOfProducts } from '../../../src/voice/search/scan-products.js';
import { FunctionBuilder } from '../../../src/voice/wasm/assembler.js';
import { compileKernel, createSharedMemory, startModule } from '../../../src/voice/wasm/runtime.js';
import { createRng } from '../../support/sounds.js';

const QUERY_AT = 16;
const ROWS_AT = 4096;
const LARGEST_BYTE = 127;
const random = createRng(5);
const upTo = (largest: number): number => Math.round((2 * random() - 1) * largest);

function multiplied(processor: string, query: readonly number[], rows: readonly (readonly number[])[]) {
  const dim = query.length;
  const products = productsFor(processor);
  const f = new FunctionBuilder('multiply', ['i32', 'i32', 'i32'], 'i32');
  const [queryAt, row, out] = f.allParameters();
  const multiply = products.begin(f, { queryAt, row, dim });
  f.get(out);
  sumsOfProducts(f, multiply).store().i32(0);
  const memory = createSharedMemory(65_536);
  products.view(memory.buffer, QUERY_AT, dim).set(query);
  // What lies behind the rows must not count.
  new Int8Array(memory.buffer, ROWS_AT, 8 * dim).fill(LARGEST_BYTE).set(rows.flat());
  startModule(compileKernel([f], true), memory)('multiply')(QUERY_AT, ROWS_AT, 0);
  return [...new Int32Array(memory.buffer, 0, rows.length)];
}

describe.each(['x64', 'arm64'])('products on %s', (processor) => {
  it.each([8, 48, 192, 200, 248, 250, 256, 512, 600])('of %i numbers are exact', (dim) => {
    const largest = productsFor(processor).largest(dim);
    expect(largest).toBeGreaterThanOrEqual(LARGEST_BYTE);
    const numbers = (of: () => number): number[] => Array.from({ length: dim }, of);
    const plain = (query: readonly number[], row: readonly number[]): number =>
      query.reduce((sum, value, i) => sum + value * (row[i] as number), 0);
    for (const query of [numbers(() => upTo(largest)), numbers(() => largest), numbers(() => -largest)]) {
      const rows = [
        numbers(() => upTo(LARGEST_BYTE)),
        numbers(() => LARGEST_BYTE),
        numbers(() => -LARGEST_BYTE),
        numbers(() => upTo(LARGEST_BYTE)),
      ];
      expect(multiplied(processor, query, rows)).toEqual(rows.map((row) => plain(query, row)));
    }
  });
});
