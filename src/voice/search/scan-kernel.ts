// The inner loop of 1:N search, in SIMD WebAssembly, assembled for the dimension and the processor at hand (see scan-products.ts):
// integer products of one or two questions with four rows at a time and, from these and the numbers of the rows, the highest score that
// each can have. Rows that cannot reach the floor are passed over; what is left, one group of four in many, is looked at exactly.
import { FunctionBuilder, type Local } from '../wasm/assembler.js';
import { compileKernel, startModule, type KernelModule } from '../wasm/runtime.js';
import {
  COLUMN_BYTES,
  FLOAT_BYTES,
  FOUND_BYTES,
  LANES,
  ROWS_AT_ONCE,
  SCAN_ROWS,
  scanColumns,
  type ScanColumn,
  type ScanMemory,
} from './scan-memory.js';
import { productsFor, sumsOfProducts, type Products } from './scan-products.js';
import { sizeOfTerms, type ScoreTerms } from './score-line.js';

/** Rounding of 32-bit floats, a dozen operations deep, for everything that is summed up. */
const FLOAT_SLACK = 4e-6;
/** Rounding of the straight line against the full computation. */
export const LINE_SLACK = 1e-5;

export const productsHere = productsFor(process.arch);

/** A question as the kernel understands it; plain data, to be sent to other threads. */
export interface ScanQuestion {
  /** In whole numbers, as large as `productsHere` allows. */
  query: Int16Array;
  /** Back to floats, and the length of what rounding lost. */
  scale: number;
  error: number;
  terms: ScoreTerms;
  llrClamp: readonly [number, number];
  /** How many are wanted. */
  limit: number;
}

/** Numbers of a question, in the order in which they lie behind its voice. */
const parameters = [
  'floor', 'scale', 'onError', 'slack', 'perCosine', 'enrolMin', 'enrolMax', 'snrMin', 'snrMax', 'enrol', 'snr', 'enrolZ', 'snrZ',
  'share', 'wideOffset', 'widePerZ', 'wideGain', 'wideShift', 'narrowOffset', 'narrowPerZ', 'narrowGain', 'narrowShift', 'sizePerZ', 'sizeRest',
] as const; // prettier-ignore
type Parameter = (typeof parameters)[number];

function parametersOf({ scale, error, terms }: ScanQuestion): Record<Exclude<Parameter, 'floor'>, number> {
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

/** What the function is given about a question, where it lies: its strangers' columns, its voice and numbers, and the finds. */
interface QuestionLocals {
  strangers: Local;
  query: Local;
  parameters: Local;
  found: Local;
  count: Local;
  products: Local;
}
const QUESTION_PARAMETERS = 4;
/** Beside these: where rows and columns lie, and how many groups of rows there are. */
const SHARED_PARAMETERS = 3;
/** The counts of the second question come above those of the first. */
const COUNT_BITS = 16;

const nameOf = (questions: number): string => `scan${questions}`;

class ScanFunction {
  readonly f: FunctionBuilder;
  readonly #columns: Local;
  readonly #narrow: Local;
  readonly #work: ReturnType<FunctionBuilder['locals']>;
  /** Of the question that is being compared. */
  #asked: QuestionLocals;

  constructor(dim: number, products: Products, questions: number) {
    const parameterCount = SHARED_PARAMETERS + QUESTION_PARAMETERS * questions;
    const f = new FunctionBuilder(nameOf(questions), Array<'i32'>(parameterCount).fill('i32'), 'i32');
    this.f = f;
    const [row, columns, groups] = f.allParameters();
    const asked = Array.from({ length: questions }, (_, index) => questionLocals(f, index));
    const first = f.local('i32');
    this.#columns = columns;
    this.#narrow = f.local('v128');
    this.#work = f.locals('v128', 10);
    this.#asked = asked[0] as QuestionLocals;
    const multiply = products.begin(f, { queriesAt: asked.map(({ query }) => query), row, dim });
    f.repeat(groups, () => {
      sumsOfProducts(
        f,
        multiply,
        asked.map((each) => each.products),
      );
      for (const each of asked) this.#look(each, first);
      f.advance(row, ROWS_AT_ONCE * dim);
      f.advance(columns, ROWS_AT_ONCE * FLOAT_BYTES);
      f.advance(first, ROWS_AT_ONCE);
    });
    asked.forEach(({ count }, index) => {
      f.get(count).i32(COUNT_BITS * index).op('i32.shl'); // prettier-ignore
      if (index > 0) f.op('i32.add');
    });
  }

  /** Notes the rows where one of them can reach the floor of a question. */
  #look(asked: QuestionLocals, first: Local): void {
    const { f } = this;
    const { found, count, products, strangers } = asked;
    this.#asked = asked;
    this.#compare();
    // All four bits: none of the rows can reach the floor.
    f.op('i32x4.bitmask').i32(0b1111).op('i32.ne');
    f.whenTrue(() => {
      f.get(found, products).store();
      f.get(found, first).storeI32(LANES);
      f.advance(found, FOUND_BYTES).advance(count, 1);
    });
    f.advance(strangers, ROWS_AT_ONCE * FLOAT_BYTES);
  }

  #given(name: Parameter): FunctionBuilder {
    return this.f.get(this.#asked.parameters).loadSplat(FLOAT_BYTES * parameters.indexOf(name));
  }

  #column(name: ScanColumn): FunctionBuilder {
    return this.f.get(this.#columns).load(COLUMN_BYTES * scanColumns.indexOf(name));
  }

  /** The term of the row's bandwidth. */
  #fixed(of: 'Offset' | 'PerZ' | 'Gain' | 'Shift'): FunctionBuilder {
    this.#given(`narrow${of}`);
    this.#given(`wide${of}`);
    return this.f.get(this.#narrow).op('v128.bitselect');
  }

  /** Leaves, for each of four rows, whether its highest score does not exceed the floor; never for what is not a number. */
  #compare(): void {
    const { f } = this;
    const [scale, enrol, snr, offset, perZ, half, gain, shift, slope, reach] = this.#work;
    const { strangers, products } = this.#asked;
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
    // How far the score may be from the middle: by what was rounded away, and by the rounding of all this.
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
    this.f.get(of);
    return this.#given(weight).op('f32x4.mul', 'f32x4.add');
  }
}

function questionLocals(f: FunctionBuilder, index: number): QuestionLocals {
  const parameter = (at: number): Local => f.parameter(SHARED_PARAMETERS + QUESTION_PARAMETERS * index + at);
  return {
    strangers: parameter(0),
    query: parameter(1),
    parameters: parameter(2),
    found: parameter(3),
    count: f.local('i32'),
    products: f.local('v128'),
  };
}

/** A question in the kernel's own numbers: made once for all rows. */
export interface KernelQuestion {
  query: Int16Array;
  numbers: Float32Array;
  /** The columns of the strangers that a print is normalized by, from the first column on. */
  strangersAt: number;
}

export function kernelQuestion(question: ScanQuestion): KernelQuestion {
  const given = { floor: 0, ...parametersOf(question) };
  const { query, terms } = question;
  return {
    query,
    numbers: Float32Array.from(parameters, (name) => given[name]),
    strangersAt: COLUMN_BYTES * scanColumns.indexOf(terms.isNarrow ? 'narrowMean' : 'wideMean'),
  };
}

/** A group of rows of which one may reach the floor. */
export interface FoundRows {
  /** The first of them, from the first that was looked at. */
  first: number;
  products: ArrayLike<number>;
}

export interface ScanKernel {
  /** How many questions may be asked at once. */
  readonly questionsMax: number;
  /**
   * Looks at some rows of a block, from a multiple of ROWS_AT_ONCE on and at most SCAN_ROWS; answers what may reach the floor of each of
   * the questions.
   */
  scan(
    questions: readonly KernelQuestion[],
    floors: readonly number[],
    range: { block: number; first: number; rows: number },
  ): FoundRows[][];
}

/** By dimension: to compile takes as long as to scan a hundred thousand rows, and slow code comes before the fast. */
const modules = new Map<number, KernelModule>();

function moduleFor({ dim }: ScanMemory): KernelModule {
  let module = modules.get(dim);
  if (!module) {
    const functions = atOnce.map((questions) => new ScanFunction(dim, productsHere, questions).f);
    modules.set(dim, (module = compileKernel(functions, true)));
  }
  return module;
}

/** The numbers of questions that there is a function for. */
const atOnce = Array.from({ length: productsHere.questionsMax }, (_, index) => index + 1);

/** Of one thread, which has a place of its own in the memory. */
export function createScanKernel(memory: ScanMemory, place: number): ScanKernel {
  const start = startModule(moduleFor(memory), memory.memory);
  const scans = atOnce.map((questions) => start(nameOf(questions)));
  const { buffer } = memory.memory;
  const words = FOUND_BYTES / FLOAT_BYTES;
  const seats = memory.place(place).map(({ queryAt, parametersAt, foundAt }) => ({
    at: [queryAt, parametersAt, foundAt],
    query: productsHere.view(buffer, queryAt, memory.dim),
    numbers: new Float32Array(buffer, parametersAt, parameters.length),
    finds: new Int32Array(buffer, foundAt, (words * SCAN_ROWS) / ROWS_AT_ONCE),
    asked: undefined as KernelQuestion | undefined,
  }));
  const findsOf = (finds: Int32Array, count: number): FoundRows[] =>
    Array.from({ length: count }, (_, group) => ({
      first: finds[group * words + LANES / FLOAT_BYTES] as number,
      products: finds.subarray(group * words, group * words + ROWS_AT_ONCE),
    }));
  /** Where the questions sit; those that were asked just now sit there already. */
  const seatsOf = (questions: readonly KernelQuestion[]): typeof seats =>
    questions.map((question) => {
      const known = seats.find(({ asked }) => asked === question);
      if (known) return known;
      const seat = seats.find(({ asked }) => !asked || !questions.includes(asked)) as (typeof seats)[number];
      seat.asked = question;
      seat.query.set(question.query);
      seat.numbers.set(question.numbers);
      return seat;
    });
  return {
    questionsMax: scans.length,
    scan(questions, floors, { block, first, rows }) {
      const blockAt = memory.blockAt(block);
      const columnsAt = memory.columnsAt(blockAt) + FLOAT_BYTES * first;
      const used = seatsOf(questions);
      const given = used.flatMap(({ at, numbers }, index) => {
        const asked = questions[index] as KernelQuestion;
        const floor = floors[index] as number;
        // Rounded to 32 bits it must not be higher.
        numbers[parameters.indexOf('floor')] = floor - FLOAT_SLACK * (1 + Math.abs(floor));
        return [columnsAt + asked.strangersAt, ...at];
      });
      const scan = scans[questions.length - 1] as (typeof scans)[number];
      const groups = Math.ceil(rows / ROWS_AT_ONCE);
      const counts = scan(blockAt + first * memory.dim, columnsAt, groups, ...given);
      return used.map(({ finds }, index) =>
        findsOf(finds, (counts >>> (COUNT_BITS * index)) & (2 ** COUNT_BITS - 1)),
      );
    },
  };
}
