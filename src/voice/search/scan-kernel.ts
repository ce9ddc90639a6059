// The inner loop of 1:N search: integer dot products of one query with many rows, in SIMD WebAssembly,
// assembled for the dimension at hand so that the query stays in registers.
import { FunctionBuilder } from '../wasm/assembler.js';
import type { Local } from '../wasm/assembler.js';
import { createMemory, PAGE_BYTES, startKernel } from '../wasm/runtime.js';

const LANES = 16;
const ROWS_AT_ONCE = 2;

export interface ScanKernel {
  /** Row length in bytes: the dimension rounded up to whole registers. */
  stride: number;
  /** Rows per call of `scan`. */
  blockRows: number;
  query: Int8Array;
  /** Makes room for so many rows; views given out before are void afterwards. */
  reserve(rows: number): void;
  row(index: number): Int8Array;
  rows(first: number, count: number): Uint8Array;
  /** Dot products of rows first.. (at most blockRows of them); valid until the next call. */
  scan(first: number, count: number): Int32Array;
  bytes(): number;
}

/** Both operands lie in -127..127, so the sum of two products fits 16 bits and needs widening only once. */
function scanFunction(queryAt: number, resultAt: number, registers: number): FunctionBuilder {
  const f = new FunctionBuilder('scan', ['i32', 'i32']);
  const [row, groups] = [f.parameter(0), f.parameter(1)];
  const result = f.local('i32');
  const query = Array.from({ length: registers }, () => f.local('v128'));
  const sums: Local[] = Array.from({ length: ROWS_AT_ONCE }, () => f.local('v128'));
  const value = f.local('v128');
  f.i32(resultAt).set(result);
  query.forEach((local, i) =>
    f
      .i32(queryAt + i * LANES)
      .load()
      .set(local),
  );
  f.repeat(groups, () => {
    sums.forEach((sum, r) => {
      query.forEach((q, i) => {
        f.get(row)
          .load((r * registers + i) * LANES)
          .set(value);
        f.get(value, q)
          .op('i16x8.extmul_low_i8x16_s')
          .get(value, q)
          .op('i16x8.extmul_high_i8x16_s', 'i16x8.add', 'i32x4.extadd_pairwise_i16x8_s');
        if (i > 0) f.get(sum).op('i32x4.add');
        f.set(sum);
      });
    });
    sums.forEach((sum, r) => {
      f.get(result).get(sum).extractI32(0);
      for (const lane of [1, 2, 3]) f.get(sum).extractI32(lane).op('i32.add');
      f.storeI32(4 * r);
    });
    f.advance(row, ROWS_AT_ONCE * registers * LANES).advance(result, 4 * ROWS_AT_ONCE);
  });
  return f;
}

export function createScanKernel(dim: number, blockRows: number): ScanKernel {
  const registers = Math.ceil(dim / LANES);
  const stride = registers * LANES;
  const queryAt = 1024;
  const resultAt = queryAt + stride;
  const rowsAt = resultAt + 4 * blockRows;
  const memory = createMemory(rowsAt + ROWS_AT_ONCE * stride);
  const scan = startKernel([scanFunction(queryAt, resultAt, registers)], memory)('scan');
  return {
    stride,
    blockRows,
    get query() {
      return new Int8Array(memory.buffer, queryAt, stride);
    },
    reserve(rows) {
      const needed = rowsAt + (rows + ROWS_AT_ONCE) * stride - memory.buffer.byteLength;
      if (needed > 0) memory.grow(Math.ceil(needed / PAGE_BYTES));
    },
    row: (index) => new Int8Array(memory.buffer, rowsAt + index * stride, stride),
    rows: (first, count) => new Uint8Array(memory.buffer, rowsAt + first * stride, count * stride),
    scan(first, count) {
      scan(rowsAt + first * stride, Math.ceil(count / ROWS_AT_ONCE));
      return new Int32Array(memory.buffer, resultAt, count);
    },
    bytes: () => memory.buffer.byteLength,
  };
}
