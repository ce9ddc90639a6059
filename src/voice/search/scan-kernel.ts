// The inner loop of 1:N search, in SIMD WebAssembly, assembled for the dimension and the processor at hand (see scan-products.ts):
// integer products of one question with four rows at a time and, from these and the numbers of the rows, the highest score that each
// can have. Rows that cannot reach the floor are passed over; what is left, one group of four in many, is looked at exactly.
import { FunctionBuilder, type Local } from '../wasm/assembler.js';
import { compileKernel, startModule, type KernelModule } from '../wasm/runtime.js';
import { BLOCK_ROWS } from './columns.js';
import {
  COLUMN_BYTES,
  FLOAT_BYTES,
  FOUND_BYTES,
  LANES,
  ROWS_AT_ONCE,
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

/** Parameters of the function: where rows, columns, the strangers' columns, the question's voice and numbers and the finds lie. */
class ScanFunction {
  readonly f = new FunctionBuilder('scan', ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'], 'i32');
  readonly #row = this.f.parameter(0);
  readonly #columns = this.f.parameter(1);
  readonly #strangers = this.f.parameter(2);
  readonly #query = this.f.parameter(3);
  readonly #parameters = this.f.parameter(4);
  readonly #found = this.f.parameter(5);
  readonly #groups = this.f.parameter(6);
  readonly #products = this.f.local('v128');
  readonly #narrow = this.f.local('v128');

  constructor(dim: number, products: Products) {
    const { f } = this;
    const [first, count] = f.locals('i32', 2);
    const multiply = products.begin(f, { queryAt: this.#query, row: this.#row, dim });
    f.repeat(this.#groups, () => {
      sumsOfProducts(f, multiply).set(this.#products);
      this.#compare();
      // All four bits: none of the rows can reach the floor.
      f.op('i32x4.bitmask').i32(0b1111).op('i32.ne');
      f.whenTrue(() => {
        f.get(this.#found, this.#products).store();
        f.get(this.#found, first).storeI32(LANES);
        f.advance(this.#found, FOUND_BYTES).advance(count, 1);
      });
      f.advance(this.#row, ROWS_AT_ONCE * dim);
      f.advance(this.#columns, ROWS_AT_ONCE * FLOAT_BYTES);
      f.advance(this.#strangers, ROWS_AT_ONCE * FLOAT_BYTES);
      f.advance(first, ROWS_AT_ONCE);
    });
    f.get(count);
  }

  #given(name: Parameter): FunctionBuilder {
    return this.f.get(this.#parameters).loadSplat(FLOAT_BYTES * parameters.indexOf(name));
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
    const [scale, enrol, snr, offset, perZ, half, gain, shift, slope] = f.locals('v128', 9);
    const reach = f.local('v128');
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
    this.#given('share').get(this.#strangers).load(COLUMN_BYTES).op('f32x4.div').tee(half);
    this.#fixed('Gain').op('f32x4.add').set(gain);
    f.get(this.#strangers).load().get(half).op('f32x4.mul').set(shift);
    this.#given('perCosine').get(perZ, gain).op('f32x4.mul', 'f32x4.add').set(slope);
    // How far the score may be from the middle: by what was rounded away, and by the rounding of all this.
    f.get(slope).op('f32x4.abs');
    this.#column('error');
    this.#given('onError').op('f32x4.mul');
    this.#given('slack').op('f32x4.add', 'f32x4.mul');
    this.#given('sizePerZ').get(half, shift).op('f32x4.abs', 'f32x4.add', 'f32x4.mul', 'f32x4.add');
    this.#given('sizeRest').op('f32x4.add').set(reach);
    f.get(slope, this.#products).op('f32x4.convert_i32x4_s');
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

export interface ScanKernel {
  /** Writes what a block's scans need; the question of the thread's place until the next one is asked. */
  ask(question: ScanQuestion): void;
  /** Looks at the first rows of a block; answers how many groups of rows may reach the floor. */
  scan(block: number, rows: number, floor: number): number;
  /** Of a group that was found: its first row in the block, and the products. */
  first(found: number): number;
  product(found: number, row: number): number;
}

/** By dimension: to compile takes as long as to scan a hundred thousand rows, and slow code comes before the fast. */
const modules = new Map<number, KernelModule>();

function moduleFor({ dim }: ScanMemory): KernelModule {
  let module = modules.get(dim);
  if (!module) modules.set(dim, (module = compileKernel([new ScanFunction(dim, productsHere).f], true)));
  return module;
}

/** Of one thread, which has a place of its own in the memory. */
export function createScanKernel(memory: ScanMemory, place: number): ScanKernel {
  const scan = startModule(moduleFor(memory), memory.memory)('scan');
  const { buffer } = memory.memory;
  const { queryAt, parametersAt, foundAt } = memory.place(place);
  const query = productsHere.view(buffer, queryAt, memory.dim);
  const numbers = new Float32Array(buffer, parametersAt, parameters.length);
  const finds = new Int32Array(buffer, foundAt, ((FOUND_BYTES / FLOAT_BYTES) * BLOCK_ROWS) / ROWS_AT_ONCE);
  const words = FOUND_BYTES / FLOAT_BYTES;
  let strangersAt = 0;
  return {
    ask(question) {
      query.set(question.query);
      for (const [name, value] of Object.entries(parametersOf(question)))
        numbers[parameters.indexOf(name as Parameter)] = value;
      strangersAt = COLUMN_BYTES * scanColumns.indexOf(question.terms.isNarrow ? 'narrowMean' : 'wideMean');
    },
    scan(block, rows, floor) {
      // Rounded to 32 bits it must not be higher.
      numbers[parameters.indexOf('floor')] = floor - FLOAT_SLACK * (1 + Math.abs(floor));
      const blockAt = memory.blockAt(block);
      const columnsAt = memory.columnsAt(blockAt);
      const groups = Math.ceil(rows / ROWS_AT_ONCE);
      return scan(blockAt, columnsAt, columnsAt + strangersAt, queryAt, parametersAt, foundAt, groups);
    },
    first: (found) => finds[found * words + LANES / FLOAT_BYTES] as number,
    product: (found, row) => finds[found * words + row] as number,
  };
}
