// The inner loop of 1:N search, in SIMD WebAssembly, assembled for the dimension and the processor at hand
// (see scan-products.ts): integer products of the questions with four rows at a time and, from these and the
// numbers of the rows, the highest score that each row can have. Rows that cannot reach the floor are
// skipped; the rest, one group of four in many, is examined exactly. If the processor supports it, most rows
// are skipped after a coarse pass (see coarse-look.ts).
import { FunctionBuilder, type Local } from '../wasm/assembler.js';
import { compileKernel, startModule, type KernelFunction, type KernelModule } from '../wasm/runtime.js';
import {
  coarseFunctions,
  CoarseLook,
  coarseQuestion,
  HAS_COARSE_LOOK,
  type CoarseAsked,
  type CoarseQuestion,
  type RowsAt,
} from './coarse-look.js';
import { COARSE_QUESTIONS } from './coarse-products.js';
import {
  HighestScore,
  numbersOf,
  PARAMETERS,
  setFloor,
  type ComparedLocals,
  type ScanQuestion,
} from './highest-score.js';
import {
  COLUMN_BYTES,
  FLOAT_BYTES,
  FOUND_BYTES,
  LANES,
  ROWS_AT_ONCE,
  SCAN_ROWS,
  scanColumns,
  type ScanMemory,
} from './scan-memory.js';
import { productsFor, sumsOfProducts, type Products } from './scan-products.js';

export const productsHere = productsFor(process.arch);

/**
 * The parameters of a question: the positions of its strangers' columns, its voice, its numbers and its
 * findings.
 */
interface QuestionLocals extends ComparedLocals {
  query: Local;
  found: Local;
  count: Local;
}
const QUESTION_PARAMETERS = 4;
/** In addition: the positions of rows and columns, and the number of groups of rows. */
const SHARED_PARAMETERS = 3;
/** The counts of the second question are packed above those of the first. */
const COUNT_BITS = 16;

const LISTED = 'listed';
const nameOf = (questions: number): string => `scan${questions}`;

/** Scans all rows, for one or two questions. */
function scanFunction(dim: number, products: Products, questions: number): FunctionBuilder {
  const parameterCount = SHARED_PARAMETERS + QUESTION_PARAMETERS * questions;
  const f = new FunctionBuilder(nameOf(questions), Array<'i32'>(parameterCount).fill('i32'), 'i32');
  const [row, columns, groups] = f.allParameters();
  const asked = Array.from({ length: questions }, (_, index) => questionLocals(f, SHARED_PARAMETERS, index));
  const first = f.local('i32');
  const highest = new HighestScore(f, columns);
  const multiply = products.begin(f, { queriesAt: asked.map(({ query }) => query), row, dim });
  f.repeat(groups, () => {
    sumsOfProducts(
      f,
      multiply,
      asked.map((each) => each.products),
    );
    for (const each of asked) {
      note(f, highest, each, first);
      f.advance(each.strangers, ROWS_AT_ONCE * FLOAT_BYTES);
    }
    f.advance(row, ROWS_AT_ONCE * dim);
    f.advance(columns, ROWS_AT_ONCE * FLOAT_BYTES);
    f.advance(first, ROWS_AT_ONCE);
  });
  asked.forEach(({ count }, index) => {
    f.get(count).i32(COUNT_BITS * index).op('i32.shl'); // prettier-ignore
    if (index > 0) f.op('i32.add');
  });
  return f;
}

/** The same for one question, but only for the groups of rows whose first rows are listed. */
function listedFunction(dim: number, products: Products): FunctionBuilder {
  const shared = SHARED_PARAMETERS + 1;
  const f = new FunctionBuilder(LISTED, Array<'i32'>(shared + QUESTION_PARAMETERS).fill('i32'), 'i32');
  const [rows, columns, groups, list] = f.allParameters();
  const asked = questionLocals(f, shared, 0);
  const [first, row, columnsHere, strangers] = f.locals('i32', 4);
  const highest = new HighestScore(f, columnsHere);
  const multiply = products.begin(f, { queriesAt: [asked.query], row, dim });
  const at = (start: Local, bytes: number, place: Local): void => {
    f.get(first).i32(bytes).op('i32.mul').get(start).op('i32.add').set(place);
  };
  f.repeat(groups, () => {
    f.get(list).loadI32().set(first);
    at(rows, dim, row);
    at(columns, FLOAT_BYTES, columnsHere);
    at(asked.strangers, FLOAT_BYTES, strangers);
    sumsOfProducts(f, multiply, [asked.products]);
    note(f, highest, { ...asked, strangers }, first);
    f.advance(list, FLOAT_BYTES);
  });
  return f.get(asked.count);
}

/** Records the rows if one of them can reach the floor of a question. */
function note(f: FunctionBuilder, highest: HighestScore, asked: QuestionLocals, first: Local): void {
  const { found, count, products } = asked;
  highest.reaches(asked);
  f.whenTrue(() => {
    f.get(found, products).store();
    f.get(found, first).storeI32(LANES);
    f.advance(found, FOUND_BYTES).advance(count, 1);
  });
}

function questionLocals(f: FunctionBuilder, shared: number, index: number): QuestionLocals {
  const parameter = (at: number): Local => f.parameter(shared + QUESTION_PARAMETERS * index + at);
  return {
    strangers: parameter(0),
    query: parameter(1),
    parameters: parameter(2),
    found: parameter(3),
    count: f.local('i32'),
    products: f.local('v128'),
  };
}

/** A question in the kernel's own numbers, made once for all rows. */
export interface KernelQuestion {
  query: Int16Array;
  numbers: Float32Array;
  /** The columns of the strangers that a print is normalized by, relative to the first column. */
  strangersAt: number;
  coarse: CoarseQuestion;
}

export function kernelQuestion(question: ScanQuestion): KernelQuestion {
  const { query, terms } = question;
  return {
    query,
    numbers: numbersOf(question),
    strangersAt: COLUMN_BYTES * scanColumns.indexOf(terms.isNarrow ? 'narrowMean' : 'wideMean'),
    coarse: coarseQuestion(question),
  };
}

/** A group of rows of which one may reach the floor. */
export interface FoundRows {
  /** The first of them, relative to the first row of the scan. */
  first: number;
  products: ArrayLike<number>;
}

export interface ScanKernel {
  /** How many questions may be asked at once. */
  readonly questionsMax: number;
  /**
   * Scans some rows of a block, from a multiple of ROWS_AT_ONCE on and at most SCAN_ROWS; returns the groups
   * that may reach the floor of each question.
   */
  scan(
    questions: readonly KernelQuestion[],
    floors: readonly number[],
    range: { block: number; first: number; rows: number },
  ): FoundRows[][];
}

/**
 * By dimension and kind: compiling takes as long as scanning a hundred thousand rows, and slow code runs
 * before the optimized one is ready.
 */
const modules = new Map<string, KernelModule>();

function moduleFor({ dim }: ScanMemory, looksTwice: boolean): KernelModule {
  const key = `${dim}${looksTwice ? ' twice' : ''}`;
  let module = modules.get(key);
  if (!module) {
    const functions = looksTwice
      ? [listedFunction(dim, productsHere), ...coarseFunctions(dim)]
      : atOnce.map((questions) => scanFunction(dim, productsHere, questions));
    modules.set(key, (module = compileKernel(functions, true)));
  }
  return module;
}

/** The numbers of simultaneous questions for which there is a function. */
const atOnce = Array.from({ length: productsHere.questionsMax }, (_, index) => index + 1);

/** A question at its position in memory. */
interface Seat extends CoarseAsked {
  /** Voice, numbers and findings, for the functions. */
  at: readonly number[];
  numbers: Float32Array;
  finds: Int32Array;
}
const WORDS = FOUND_BYTES / FLOAT_BYTES;

function findsOf({ finds }: Seat, count: number): FoundRows[] {
  return Array.from({ length: count }, (_, group) => ({
    first: finds[group * WORDS + LANES / FLOAT_BYTES] as number,
    products: finds.subarray(group * WORDS, group * WORDS + ROWS_AT_ONCE),
  }));
}

/** Assigns questions to seats in a thread's own place; recently asked ones keep theirs. */
function seating(
  memory: ScanMemory,
  place: number,
): (questions: readonly KernelQuestion[]) => readonly Seat[] {
  const { buffer } = memory.memory;
  const seats = memory.place(place).questions.map((at) => ({
    asked: undefined as KernelQuestion | undefined,
    query: productsHere.view(buffer, at.queryAt, memory.dim),
    at: [at.queryAt, at.parametersAt, at.foundAt],
    numbers: new Float32Array(buffer, at.parametersAt, PARAMETERS),
    coarseNumbers: new Float32Array(buffer, at.coarseParametersAt, PARAMETERS),
    coarseParametersAt: at.coarseParametersAt,
    candidatesAt: at.candidatesAt,
    voicesAt: at.voicesAt,
    finds: new Int32Array(buffer, at.foundAt, (WORDS * SCAN_ROWS) / ROWS_AT_ONCE),
  }));
  let next = 0;
  /** Questions that were asked together, by the first of them. */
  const sets = new Map<KernelQuestion, { questions: readonly KernelQuestion[]; seats: readonly Seat[] }>();
  /** In rotation, so that questions that take turns keep their seats. */
  const seatFor = (together: readonly KernelQuestion[]): (typeof seats)[number] => {
    for (;;) {
      const seat = seats[next++ % seats.length] as (typeof seats)[number];
      if (!seat.asked || !together.includes(seat.asked)) return seat;
    }
  };
  const sit = (question: KernelQuestion, together: readonly KernelQuestion[]): Seat => {
    const { coarse, strangersAt } = question;
    const known = seats.find(({ asked }) => asked === question);
    const seat = known ?? seatFor(together);
    if (!known) {
      // The previous question of this seat will get another one next time.
      sets.clear();
      seat.asked = question;
      seat.query.set(question.query);
      seat.numbers.set(question.numbers);
      seat.coarseNumbers.set(coarse.numbers);
    }
    return { ...seat, coarse, strangersAt };
  };
  return (questions) => {
    const first = questions[0] as KernelQuestion;
    const last = sets.get(first);
    if (
      last?.questions.length === questions.length &&
      questions.every((each, i) => each === last.questions[i])
    )
      return last.seats;
    const seated = questions.map((question) => sit(question, questions));
    sets.set(first, { questions, seats: seated });
    return seated;
  };
}

/** For each question, the groups of rows that may reach its floor. */
type Look = (rows: RowsAt, seats: readonly Seat[], floors: readonly number[]) => FoundRows[][];

function lookAtAll(start: (name: string) => KernelFunction): Look {
  const scans = atOnce.map((questions) => start(nameOf(questions)));
  return ({ rowsAt, columnsAt, groups }, seats) => {
    const given = seats.flatMap(({ at, strangersAt }) => [columnsAt + strangersAt, ...at]);
    const counts = (scans[seats.length - 1] as KernelFunction)(rowsAt, columnsAt, groups, ...given);
    return seats.map((seat, index) =>
      findsOf(seat, (counts >>> (COUNT_BITS * index)) & (2 ** COUNT_BITS - 1)),
    );
  };
}

function lookTwice(memory: ScanMemory, place: number, start: (name: string) => KernelFunction): Look {
  const coarse = new CoarseLook(memory, place, start);
  const listed = start(LISTED);
  return (rows, seats, floors) => {
    const { rowsAt, columnsAt } = rows;
    const counts = coarse.candidates(rows, seats, floors);
    return seats.map((seat, index) => {
      const groups = counts[index] as number;
      if (groups === 0) return [];
      const strangersAt = columnsAt + seat.strangersAt;
      return findsOf(seat, listed(rowsAt, columnsAt, groups, seat.candidatesAt, strangersAt, ...seat.at));
    });
  };
}

/**
 * The kernel of one thread, which has its own place in memory. It scans in two passes if the processor
 * supports it.
 */
export function createScanKernel(
  memory: ScanMemory,
  place: number,
  looksTwice = HAS_COARSE_LOOK,
): ScanKernel {
  const start = startModule(moduleFor(memory, looksTwice), memory.memory);
  const seatsOf = seating(memory, place);
  const look = looksTwice ? lookTwice(memory, place, start) : lookAtAll(start);
  return {
    questionsMax: looksTwice ? COARSE_QUESTIONS : productsHere.questionsMax,
    scan(questions, floors, { block, first, rows }) {
      const blockAt = memory.blockAt(block);
      const seats = seatsOf(questions);
      seats.forEach(({ numbers }, index) => setFloor(numbers, floors[index] as number));
      const rowsAt = {
        rowsAt: blockAt + first * memory.dim,
        columnsAt: memory.columnsAt(blockAt) + FLOAT_BYTES * first,
        groups: Math.ceil(rows / ROWS_AT_ONCE),
      };
      return look(rowsAt, seats, floors);
    },
  };
}
