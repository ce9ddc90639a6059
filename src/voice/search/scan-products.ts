// Integer products of the voices of one or two questions with the upper bytes of four rows, in two ways:
// which is faster depends on how the processor runs SIMD WebAssembly. Both are exact for the numbers that
// they are given.
import type { FunctionBuilder, Local } from '../wasm/assembler.js';
import { LARGEST } from './quantized-rows.js';
import { LANES, ROWS_AT_ONCE } from './scan-memory.js';

/** The positions of the questions' voices and of the first row, and the dimension. */
interface Operands {
  queriesAt: readonly Local[];
  row: Local;
  dim: number;
}

export interface Products {
  /** How many questions may be asked at once: as many as there are registers for. */
  questionsMax: 1 | 2;
  /** The largest number that the question's voice may have. */
  largest(dim: number): number;
  /** The question's numbers as this way reads them, at this position in memory. */
  view(buffer: SharedArrayBuffer, at: number, dim: number): Int8Array | Int16Array;
  /**
   * Called once, before the rows; returns a function that leaves, for each question and each of four rows,
   * four partial sums.
   */
  begin(f: FunctionBuilder, operands: Operands): (sums: readonly (readonly Local[])[]) => void;
}

/**
 * 8-bit numbers, which stay in registers if there are 32 of them. All are within -127..127, so that the sum
 * of two products fits 16 bits and needs widening only once. The last register may reach into the next row,
 * where the question has zeros.
 */
const ofBytes: Products = {
  questionsMax: 1,
  largest: () => LARGEST,
  view: (buffer, at, dim) => new Int8Array(buffer, at, dim),
  begin(f, { queriesAt, row, dim }) {
    const queries = queriesAt.map((queryAt) =>
      Array.from({ length: Math.ceil(dim / LANES) }, (_, i) => {
        const local = f.local('v128');
        f.get(queryAt).load(i * LANES).set(local); // prettier-ignore
        return local;
      }),
    );
    const value = f.local('v128');
    const multiplyRow = (query: readonly Local[], sum: Local, r: number): void =>
      query.forEach((q, i) => {
        f.get(row).load(r * dim + i * LANES).set(value); // prettier-ignore
        f.get(value, q)
          .op('i16x8.extmul_low_i8x16_s')
          .get(value, q)
          .op('i16x8.extmul_high_i8x16_s', 'i16x8.add', 'i32x4.extadd_pairwise_i16x8_s');
        if (i > 0) f.get(sum).op('i32x4.add');
        f.set(sum);
      });
    return (sums) =>
      queries.forEach((query, q) => (sums[q] ?? []).forEach((sum, r) => multiplyRow(query, sum, r)));
  },
};

/** 16-bit numbers per register. */
const WORDS = LANES / 2;

/**
 * 16-bit numbers: x64 has one instruction that widens eight bytes as it loads them and one that multiplies
 * and adds them in pairs, but none for products of signed bytes, and too few registers for the question. Each
 * part of the question is read once for four rows, and each part of a row is read and widened once for both
 * questions. Uses a loop, because V8 would first load everything in a straight piece of code and then spill
 * most of it.
 */
const ofWords: Products = {
  questionsMax: 2,
  // No sum of products may exceed 32 bits.
  largest: (dim) => Math.min(0x7fff, Math.floor(0x7fffffff / (LARGEST * dim))),
  view: (buffer, at, dim) => new Int16Array(buffer, at, dim),
  begin(f, { queriesAt, row, dim }) {
    const asked = queriesAt.map((queryAt) => ({ queryAt, voice: f.local('i32'), part: f.local('v128') }));
    const [numbers, turns] = f.locals('i32', 2);
    const widened = f.local('v128');
    return (sums) => {
      for (const sum of sums.flat()) f.i32x4(0).set(sum);
      f.get(row).set(numbers);
      for (const { queryAt, voice } of asked) f.get(queryAt).set(voice);
      f.i32(Math.ceil(dim / WORDS)).set(turns);
      f.repeat(turns, () => {
        for (const { voice, part } of asked) f.get(voice).load().set(part);
        for (let r = 0; r < ROWS_AT_ONCE; r++) {
          f.get(numbers).loadBytes(r * dim).set(widened); // prettier-ignore
          asked.forEach(({ part }, q) => {
            const sum = sums[q]?.[r] as Local;
            f.get(widened, part).op('i32x4.dot_i16x8_s').get(sum).op('i32x4.add').set(sum);
          });
        }
        f.advance(numbers, WORDS);
        for (const { voice } of asked) f.advance(voice, LANES);
      });
    };
  },
};

/** The faster way on a kind of processor, by Node.js's name for it. */
export function productsFor(processor: string): Products {
  return processor === 'x64' ? ofWords : ofBytes;
}

/** Computes the products of the rows with each of the questions. */
export function sumsOfProducts(
  f: FunctionBuilder,
  multiply: (sums: readonly (readonly Local[])[]) => void,
  products: readonly Local[],
): void {
  const sums = products.map(() => Array.from({ length: ROWS_AT_ONCE }, () => f.local('v128')));
  multiply(sums);
  // Sums of adjacent numbers, those of the first vector before those of the second.
  const pairs = (one: Local, other: Local): FunctionBuilder =>
    f.get(one, other).shuffle(0, 2, 4, 6).get(one, other).shuffle(1, 3, 5, 7).op('i32x4.add');
  products.forEach((product, q) => {
    const [a, b, c, d] = sums[q] as [Local, Local, Local, Local];
    pairs(a, b).set(a);
    pairs(c, d).set(c);
    pairs(a, c).set(product);
  });
}
