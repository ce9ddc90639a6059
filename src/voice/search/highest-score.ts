// The highest score that four rows at a time can have for one question, in SIMD WebAssembly: from the
// products of their voices, the numbers of the rows and those of the question, including everything that
// rounding may have lost.
import type { FunctionBuilder, Local } from '../wasm/assembler.js';
import { COLUMN_BYTES, FLOAT_BYTES, scanColumns, type ScanColumn } from './scan-memory.js';
import { sizeOfTerms, type ScoreTerms } from './score-line.js';

/** Rounding error of 32-bit floats, a dozen operations deep, relative to the sum of all terms. */
const FLOAT_SLACK = 4e-6;
/** Rounding error of the straight line compared with the full computation. */
export const LINE_SLACK = 1e-5;

/** A question in the form that the kernel uses; plain data, to be sent to other threads. */
export interface ScanQuestion {
  /** Integers, as large as `productsHere` allows. */
  query: Int16Array;
  /** The factor back to floats, and the length of the rounding error. */
  scale: number;
  error: number;
  terms: ScoreTerms;
  llrClamp: readonly [number, number];
  /** How many are wanted. */
  limit: number;
}

/** The numbers of a question, in the order in which they follow its voice. */
const parameters = [
  'floor', 'least', 'scale', 'onError', 'slack', 'perCosine', 'enrolMin', 'enrolMax', 'snrMin', 'snrMax', 'enrol', 'snr', 'enrolZ', 'snrZ',
  'share', 'wideOffset', 'widePerZ', 'wideGain', 'wideShift', 'narrowOffset', 'narrowPerZ', 'narrowGain', 'narrowShift', 'sizePerZ', 'sizeRest',
] as const; // prettier-ignore
type Parameter = (typeof parameters)[number];

/** The numbers of a question; the floor is set for each pass. */
export function numbersOf(question: Pick<ScanQuestion, 'scale' | 'error' | 'terms'>): Float32Array {
  const given = { floor: 0, least: 0, ...parametersOf(question) };
  return Float32Array.from(parameters, (name) => given[name]);
}

/** Sets the floor, rounded to 32 bits but never up. */
export function setFloor(numbers: Float32Array, floor: number): void {
  numbers[parameters.indexOf('floor')] = floor - FLOAT_SLACK * (1 + Math.abs(floor));
}

/** Sets the cosine that rows have to exceed, as far as it is known, before they are compared. */
export function setMinimumCosine(numbers: Float32Array, cosine: number): void {
  numbers[parameters.indexOf('least')] = cosine - FLOAT_SLACK * (1 + Math.abs(cosine));
}

function parametersOf({
  scale,
  error,
  terms,
}: Pick<ScanQuestion, 'scale' | 'error' | 'terms'>): Record<Exclude<Parameter, 'floor' | 'least'>, number> {
  const { weights, wide, narrow } = terms;
  const size = sizeOfTerms(terms);
  return {
    scale,
    // |q.r - q'.r'| <= |r - r'| + |q - q'| |r'|
    onError: 1 + error,
    slack: error + LINE_SLACK,
    perCosine: terms.perCosine,
    enrolMin: terms.enrolMin,
    enrolMax: terms.enrolMax,
    snrMin: terms.snrMin,
    snrMax: terms.snrMax,
    enrol: weights.enrol,
    snr: weights.snr / 10,
    enrolZ: weights.enrolZ,
    snrZ: weights.snrZ / 10,
    share: terms.share,
    wideOffset: wide.offset,
    widePerZ: wide.perZ,
    wideGain: wide.gain,
    wideShift: wide.shift,
    narrowOffset: narrow.offset,
    narrowPerZ: narrow.perZ,
    narrowGain: narrow.gain,
    narrowShift: narrow.shift,
    sizePerZ: FLOAT_SLACK * size.perZ,
    sizeRest: FLOAT_SLACK * size.rest + LINE_SLACK,
  };
}

/**
 * Locals with the positions of a question's numbers and of its strangers' columns, and the products with the
 * rows.
 */
export interface ComparedLocals {
  strangers: Local;
  parameters: Local;
  products: Local;
}

/** How many numbers a question has. */
export const PARAMETERS = parameters.length;

export class HighestScore {
  readonly #f: FunctionBuilder;
  readonly #columns: Local;
  readonly #narrow: Local;
  readonly #work: ReturnType<FunctionBuilder['locals']>;
  /** The position of the numbers of the question that is being compared. */
  #parameters: Local;

  /** `columns` is the local with the position of the rows' columns. */
  constructor(f: FunctionBuilder, columns: Local) {
    this.#f = f;
    this.#columns = columns;
    this.#narrow = f.local('v128');
    this.#work = f.locals('v128', 10);
    this.#parameters = columns;
  }

  /** Leaves whether one of four rows can exceed the floor; always true if something is NaN. */
  reaches(asked: ComparedLocals): void {
    this.#compare(asked);
    // All four bits set: none of them can.
    this.#f.op('i32x4.bitmask').i32(0b1111).op('i32.ne');
  }

  /** Leaves whether one of four rows exceeds the minimum cosine; always true if something is NaN. */
  exceedsLeast({ parameters: numbers, products }: Pick<ComparedLocals, 'parameters' | 'products'>): void {
    this.#parameters = numbers;
    this.#f.get(products).op('f32x4.convert_i32x4_s');
    this.#column('scale').op('f32x4.abs', 'f32x4.mul');
    this.#given('scale').op('f32x4.mul');
    this.#given('least').op('f32x4.le', 'i32x4.bitmask').i32(0b1111).op('i32.ne');
  }

  #given(name: Parameter): FunctionBuilder {
    return this.#f.get(this.#parameters).loadSplat(FLOAT_BYTES * parameters.indexOf(name));
  }

  #column(name: ScanColumn): FunctionBuilder {
    return this.#f.get(this.#columns).load(COLUMN_BYTES * scanColumns.indexOf(name));
  }

  /** The term of the row's bandwidth. */
  #fixed(of: 'Offset' | 'PerZ' | 'Gain' | 'Shift'): FunctionBuilder {
    this.#given(`narrow${of}`);
    this.#given(`wide${of}`);
    return this.#f.get(this.#narrow).op('v128.bitselect');
  }

  /**
   * Leaves, for each of four rows, whether its highest score does not exceed the floor; never true for NaN.
   */
  #compare({ strangers, parameters: numbers, products }: ComparedLocals): void {
    const f = this.#f;
    this.#parameters = numbers;
    const [scale, enrol, snr, offset, perZ, half, gain, shift, slope, reach] = this.#work;
    this.#column('scale').tee(scale).f32x4(0).op('f32x4.lt').set(this.#narrow);
    this.#column('logNetSeconds');
    this.#given('enrolMin').op('f32x4.max');
    this.#given('enrolMax').op('f32x4.min').set(enrol);
    this.#column('snrDb');
    this.#given('snrMin').op('f32x4.max');
    this.#given('snrMax').op('f32x4.min').set(snr);
    this.#fixed('Offset');
    this.#plus(enrol, 'enrol');
    this.#plus(snr, 'snr').set(offset);
    this.#fixed('PerZ');
    this.#plus(enrol, 'enrolZ');
    this.#plus(snr, 'snrZ').set(perZ);
    this.#given('share').get(strangers).load(COLUMN_BYTES).op('f32x4.div').tee(half);
    this.#fixed('Gain').op('f32x4.add').set(gain);
    f.get(strangers).load().get(half).op('f32x4.mul').set(shift);
    this.#given('perCosine').get(perZ, gain).op('f32x4.mul', 'f32x4.add').set(slope);
    // How far the score may be from the middle: the rounding of the voices, and that of this computation.
    f.get(slope).op('f32x4.abs');
    this.#column('error');
    this.#given('onError').op('f32x4.mul');
    this.#given('slack').op('f32x4.add', 'f32x4.mul');
    this.#given('sizePerZ').get(half, shift).op('f32x4.abs', 'f32x4.add', 'f32x4.mul', 'f32x4.add');
    this.#given('sizeRest').op('f32x4.add').set(reach);
    f.get(slope, products).op('f32x4.convert_i32x4_s');
    this.#given('scale').op('f32x4.mul').get(scale).op('f32x4.abs', 'f32x4.mul', 'f32x4.mul');
    f.get(offset, perZ, shift);
    this.#fixed('Shift').op('f32x4.add', 'f32x4.mul', 'f32x4.sub', 'f32x4.add');
    f.get(reach).op('f32x4.add');
    this.#given('floor').op('f32x4.le');
  }

  /** Adds a number of the rows times a weight. */
  #plus(of: Local, weight: Parameter): FunctionBuilder {
    this.#f.get(of);
    return this.#given(weight).op('f32x4.mul', 'f32x4.add');
  }
}
