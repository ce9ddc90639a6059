// Products for the coarse pass over rows, with the voices of several questions rounded to so few steps that
// one instruction computes sixteen products: x64 multiplies unsigned by signed bytes, which SIMD WebAssembly
// calls relaxed. The remaining rows are examined with finer voices, so the answers do not depend on this.
//
// Voices have numbers from -63 to 63, raised by 63; what that adds is subtracted again as the product with a
// voice of 63 everywhere. All sums are taken in 16 bits and may overflow on the way: the final sums are
// right, because no product of the two vectors is larger, as long as the rows are no longer than
// `longestRow`. Products below `LOWEST` come out too large by 2^16: such voices are less alike than any two
// strangers, and anything too large is examined again.
import type { FunctionBuilder, Local } from '../wasm/assembler.js';
import { LANES, ROWS_AT_ONCE } from './scan-memory.js';

/** Questions that are asked at once: as many as there are registers for. */
export const COARSE_QUESTIONS = 3;
/** Maximum length of a voice, in steps. */
const STEPS = 102;
/** Length, in steps, of a row with peaks as high as in most voices, apart from rounding. */
const USUAL_ROW = 513;
const RAISED = 63;
const SUM_BITS = 16;
const LOWEST = -12_288;
const HIGHEST = LOWEST + 2 ** SUM_BITS - 1;
/** Rows whose sums are in registers at the same time, by the number of questions. */
const rowsInRegisters = (questions: number): number => (questions === 1 ? ROWS_AT_ONCE : 2);

export interface CoarseVoice {
  /** Raised, as the kernel reads them. */
  numbers: Uint8Array;
  /** The factor back to floats, and the length of the rounding error. */
  scale: number;
  error: number;
  /** The maximum length of rows, in their own steps. */
  longestRow: number;
}

type FineVoice = Readonly<{ query: Int16Array; scale: number; error: number }>;

/**
 * Rounds a voice of length 1 that is given in finer steps. If rounding makes it too long, fewer steps are
 * used.
 */
export function coarseVoice(fine: FineVoice): CoarseVoice {
  for (let steps = STEPS; ; steps -= 0.5) {
    const voice = inSteps(fine, steps);
    if (voice.longestRow >= USUAL_ROW + 0.5 * Math.sqrt(fine.query.length)) return voice;
  }
}

function inSteps({ query, scale, error }: FineVoice, steps: number): CoarseVoice {
  const numbers = new Uint8Array(query.length);
  let [lost, length] = [0, 0];
  for (let i = 0; i < query.length; i++) {
    const value = (query[i] as number) * scale;
    const rounded = Math.max(-RAISED, Math.min(RAISED, Math.round(value * steps)));
    numbers[i] = rounded + RAISED;
    lost += (value - rounded / steps) ** 2;
    length += rounded ** 2;
  }
  return {
    numbers,
    scale: 1 / steps,
    error: Math.sqrt(lost) + error,
    longestRow: HIGHEST / Math.max(1, Math.sqrt(length)),
  };
}

/** The amount added to all numbers, as a voice of its own. */
export function raisedVoice(dim: number): Uint8Array {
  return new Uint8Array(dim).fill(RAISED);
}

/** Bytes from one voice to the next in memory, padded with zeros. */
export function coarseBytes(dim: number): number {
  return Math.ceil(dim / LANES) * LANES;
}

/**
 * Leaves the products of four rows with each of the questions, whose voices are stored one after another,
 * followed by the raised one. Uses a loop per two rows, because V8 would first load everything in a straight
 * piece of code and then spill most of it.
 */
export function coarseProducts(
  f: FunctionBuilder,
  { voices, row, dim }: { voices: Local; row: Local; dim: number },
): (products: readonly Local[]) => void {
  const [numbers, voice, turns] = f.locals('i32', 3);
  const part = f.local('v128');
  return (products) => {
    const asked = products.length + 1;
    const rows = rowsInRegisters(products.length);
    const parts = Array.from({ length: asked }, () => f.local('v128'));
    const sums = Array.from({ length: asked }, () =>
      Array.from({ length: ROWS_AT_ONCE }, () => f.local('v128')),
    );
    for (let first = 0; first < ROWS_AT_ONCE; first += rows) {
      for (const sum of sums) for (const each of sum.slice(first, first + rows)) f.i32x4(0).set(each);
      f.get(row).set(numbers).get(voices).set(voice);
      f.i32(Math.ceil(dim / LANES)).set(turns);
      f.repeat(turns, () => {
        parts.forEach((each, q) => f.get(voice).load(q * coarseBytes(dim)).set(each)); // prettier-ignore
        for (let r = first; r < first + rows; r++) {
          f.get(numbers).load(r * dim).set(part); // prettier-ignore
          parts.forEach((each, q) => {
            const sum = sums[q]?.[r] as Local;
            f.get(part, each).op('i16x8.relaxed_dot_i8x16_i7x16_s').get(sum).op('i16x8.add').set(sum);
          });
        }
        f.advance(numbers, LANES).advance(voice, LANES);
      });
    }
    const [raised, ...others] = sums.toReversed().map((sum) => inRow(f, sum)) as [Local, ...Local[]];
    f.get(raised).i32x4(LOWEST).op('i32x4.add').set(raised);
    products.forEach((product, q) => {
      f.get(others[products.length - 1 - q] as Local, raised).op('i32x4.sub');
      f.i32(SUM_BITS).op('i32x4.shl').i32(SUM_BITS).op('i32x4.shr_u');
      f.i32x4(LOWEST).op('i32x4.add').set(product);
    });
  };
}

/** Sums eight 16-bit numbers into each of four lanes; their lower 16 bits are right. */
function inRow(f: FunctionBuilder, sums: readonly Local[]): Local {
  const [a, b, c, d] = sums as [Local, Local, Local, Local];
  for (const sum of [a, b, c, d]) f.get(sum).op('i32x4.extadd_pairwise_i16x8_s').set(sum);
  const pairs = (one: Local, other: Local): FunctionBuilder =>
    f.get(one, other).shuffle(0, 2, 4, 6).get(one, other).shuffle(1, 3, 5, 7).op('i32x4.add');
  pairs(a, b).set(a);
  pairs(c, d).set(c);
  pairs(a, c).set(a);
  return a;
}
