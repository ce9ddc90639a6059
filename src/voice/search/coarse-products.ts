// A first look at rows with the voices of several questions in so few steps that one instruction takes sixteen products: x64 multiplies
// bytes without a sign by bytes with one, which SIMD WebAssembly calls relaxed. What is left after it is looked at with finer voices, so
// that the answers do not depend on it.
//
// Voices have numbers from -63 to 63, raised by 63, and what that adds is taken away again as the product with a voice of 63 everywhere.
// All sums are taken in 16 bits and may overflow on the way: in the end they are right, because no product of the two vectors is larger,
// as long as the rows are no longer than `longestRow`. Products below `LOWEST` come out too large by 2^16: such voices are less alike
// than any two strangers, and what is too large is looked at again.
import type { FunctionBuilder, Local } from '../wasm/assembler.js';
import { LANES, ROWS_AT_ONCE } from './scan-memory.js';

/** Questions that are asked at once: as many as there are registers for. */
export const COARSE_QUESTIONS = 3;
/** Steps in the length of a voice, at most. */
const STEPS = 102;
/** Steps in the length of a row whose peaks are as high as most voices have them, but for rounding. */
const USUAL_ROW = 513;
const RAISED = 63;
const SUM_BITS = 16;
const LOWEST = -12_288;
const HIGHEST = LOWEST + 2 ** SUM_BITS - 1;
/** Rows of which the sums have registers at the same time, by the number of questions. */
const rowsInRegisters = (questions: number): number => (questions === 1 ? ROWS_AT_ONCE : 2);

export interface CoarseVoice {
  /** Raised, as the kernel reads them. */
  numbers: Uint8Array;
  /** Back to floats, and the length of what rounding lost. */
  scale: number;
  error: number;
  /** Rows may be so long, in their own steps. */
  longestRow: number;
}

type FineVoice = Readonly<{ query: Int16Array; scale: number; error: number }>;

/** A voice of length 1 that is given in finer steps. Rounding may make it longer: then with fewer steps. */
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

/** What is added to all numbers, as a voice of its own. */
export function raisedVoice(dim: number): Uint8Array {
  return new Uint8Array(dim).fill(RAISED);
}

/** Bytes from one voice to the next where they lie in memory, zeros behind each. */
export function coarseBytes(dim: number): number {
  return Math.ceil(dim / LANES) * LANES;
}

/**
 * Leaves the products of four rows with each of the questions, whose voices lie one after another and behind them the raised one.
 * A loop for every two rows, because V8 reads first whatever stands in one piece of code, and then has to put most of it aside.
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

/** Sums of eight numbers of 16 bits in each of four, side by side; their lower 16 bits are right. */
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
