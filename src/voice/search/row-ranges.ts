// The ranges of the numbers of some rows, and the minimum product of voices that a question's highest score
// needs within these ranges: the coarse pass compares with that number alone.
import { FunctionBuilder } from '../wasm/assembler.js';
import {
  COLUMN_BYTES,
  FLOAT_BYTES,
  LANES,
  ROWS_AT_ONCE,
  scanColumns,
  type ScanColumn,
} from './scan-memory.js';
import { LINE_SLACK } from './highest-score.js';
import { scoreLine, type ScoreTerms } from './score-line.js';

interface Range {
  least: number;
  largest: number;
}

export interface RowRanges {
  /** Whether there are rows of each bandwidth. */
  hasNarrow: boolean;
  hasWide: boolean;
  /** The smallest value of one upper step. */
  leastScale: number;
  /** The largest length of what the upper bytes leave out. */
  largestError: number;
  mean: Range;
  sd: Range;
  snrDb: Range;
  logNetSeconds: Range;
}

/** The numbers that the function stores, each in four lanes. */
const kinds = [
  'sum', 'scaleLeast', 'scaleLargest', 'sizeLeast', 'errorLargest', 'meanLeast', 'meanLargest', 'sdLeast', 'sdLargest',
  'snrLeast', 'snrLargest', 'netLeast', 'netLargest',
] as const; // prettier-ignore
type Kind = (typeof kinds)[number];
export const RANGE_NUMBERS = kinds.length * ROWS_AT_ONCE;

/**
 * Parameters: the columns at the first rows, those of their strangers, the output position, and the number of
 * groups of rows.
 */
export function rangesFunction(name: string): FunctionBuilder {
  const f = new FunctionBuilder(name, ['i32', 'i32', 'i32', 'i32']);
  const [columns, strangers, out, groups] = f.allParameters();
  const value = f.local('v128');
  const kept = new Map(kinds.map((kind) => [kind, f.local('v128')]));
  const keep = (kind: Kind, operation: 'f32x4.pmin' | 'f32x4.pmax' | 'f32x4.add'): void => {
    const local = kept.get(kind) as NonNullable<ReturnType<typeof kept.get>>;
    f.get(local, value).op(operation).set(local);
  };
  for (const [kind, local] of kept)
    f.f32x4(kind === 'sum' ? 0 : kind.endsWith('Least') ? Infinity : -Infinity).set(local);
  const columnAt = (column: ScanColumn): number => COLUMN_BYTES * scanColumns.indexOf(column);
  const both = (of: 'scale' | 'mean' | 'sd' | 'snr' | 'net'): void => {
    keep(`${of}Least`, 'f32x4.pmin');
    keep(`${of}Largest`, 'f32x4.pmax');
    keep('sum', 'f32x4.add');
  };
  f.repeat(groups, () => {
    f.get(columns).load(columnAt('scale')).set(value);
    both('scale');
    f.get(value).op('f32x4.abs').set(value);
    keep('sizeLeast', 'f32x4.pmin');
    f.get(columns).load(columnAt('error')).set(value);
    keep('errorLargest', 'f32x4.pmax');
    keep('sum', 'f32x4.add');
    f.get(strangers).load().set(value);
    both('mean');
    f.get(strangers).load(COLUMN_BYTES).set(value);
    both('sd');
    f.get(columns).load(columnAt('snrDb')).set(value);
    both('snr');
    f.get(columns).load(columnAt('logNetSeconds')).set(value);
    both('net');
    f.advance(columns, ROWS_AT_ONCE * FLOAT_BYTES).advance(strangers, ROWS_AT_ONCE * FLOAT_BYTES);
  });
  kinds.forEach((kind, index) => f.get(out).get(kept.get(kind) as NonNullable<ReturnType<typeof kept.get>>).store(index * LANES)); // prettier-ignore
  return f;
}

/** The ranges that the function stored; undefined if a number is NaN. */
export function rangesFrom(numbers: Float32Array): RowRanges | undefined {
  if (Number.isNaN(largestOf(numbers, 'sum'))) return undefined;
  return {
    hasNarrow: leastOf(numbers, 'scaleLeast') < 0,
    hasWide: largestOf(numbers, 'scaleLargest') >= 0,
    leastScale: leastOf(numbers, 'sizeLeast'),
    largestError: largestOf(numbers, 'errorLargest'),
    mean: { least: leastOf(numbers, 'meanLeast'), largest: largestOf(numbers, 'meanLargest') },
    sd: { least: leastOf(numbers, 'sdLeast'), largest: largestOf(numbers, 'sdLargest') },
    snrDb: { least: leastOf(numbers, 'snrLeast'), largest: largestOf(numbers, 'snrLargest') },
    logNetSeconds: { least: leastOf(numbers, 'netLeast'), largest: largestOf(numbers, 'netLargest') },
  };
}

const placeOf = Object.fromEntries(kinds.map((kind, index) => [kind, index * ROWS_AT_ONCE])) as Record<
  Kind,
  number
>;

/** Over the four lanes; NaN if one of them is. */
function leastOf(numbers: Float32Array, kind: Kind): number {
  const at = placeOf[kind];
  return Math.min(
    Math.min(numbers[at] as number, numbers[at + 1] as number),
    Math.min(numbers[at + 2] as number, numbers[at + 3] as number),
  );
}

function largestOf(numbers: Float32Array, kind: Kind): number {
  const at = placeOf[kind];
  return Math.max(
    Math.max(numbers[at] as number, numbers[at + 1] as number),
    Math.max(numbers[at + 2] as number, numbers[at + 3] as number),
  );
}

/**
 * A cosine that every row within the ranges has to exceed, as far as it is known, for a score above the
 * floor; -Infinity if there is none. The score is linear in each single value that it depends on, so it is
 * largest in a corner.
 */
export function leastCosine(
  terms: ScoreTerms,
  ranges: RowRanges,
  floor: number,
  /** How far a product of the two voices may be off, without the row's own rounding error. */
  error: number,
): number {
  const slack = ranges.largestError * (1 + error) + error + LINE_SLACK;
  if (!(ranges.sd.least > 0)) return -Infinity;
  let least = Infinity;
  for (let corner = 0; corner < CORNERS; corner++) {
    const isNarrow = (corner & 1) === 1;
    if (!(isNarrow ? ranges.hasNarrow : ranges.hasWide)) continue;
    const { slope, offset } = scoreLine(terms, {
      isNarrow,
      mean: end(ranges.mean, corner & 2),
      sd: end(ranges.sd, corner & 4),
      snrDb: end(ranges.snrDb, corner & 8),
      logNetSeconds: end(ranges.logNetSeconds, corner & 16),
    });
    if (!(slope > 0)) return -Infinity;
    least = Math.min(least, (floor - offset - LINE_SLACK) / slope - slack);
  }
  return Number.isNaN(least) ? -Infinity : least;
}

/** Either bandwidth, and either end of four ranges. */
const CORNERS = 2 ** 5;

function end({ least, largest }: Range, isLargest: number): number {
  return isLargest ? largest : least;
}
