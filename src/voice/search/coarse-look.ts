// A first, coarse pass over some rows for several questions at once. What it leaves, one group of four rows
// in many, may reach the floor and is examined with finer voices. It needs instructions that not every
// processor and not every version of Node.js has (see v8-options.ts).
import { FunctionBuilder, type Local } from '../wasm/assembler.js';
import { compileKernel, type KernelFunction } from '../wasm/runtime.js';
import {
  COARSE_QUESTIONS,
  coarseBytes,
  coarseProducts,
  coarseVoice,
  raisedVoice,
  type CoarseVoice,
} from './coarse-products.js';
import {
  HighestScore,
  numbersOf,
  setFloor,
  setMinimumCosine,
  type ComparedLocals,
  type ScanQuestion,
} from './highest-score.js';
import { leastCosine, RANGE_NUMBERS, rangesFrom, rangesFunction, type RowRanges } from './row-ranges.js';
import { FLOAT_BYTES, ROWS_AT_ONCE, type ScanMemory } from './scan-memory.js';

/** A question in the form that the coarse pass uses. */
export interface CoarseQuestion {
  voice: CoarseVoice;
  numbers: Float32Array;
  terms: ScanQuestion['terms'];
}

export function coarseQuestion(question: ScanQuestion): CoarseQuestion {
  const voice = coarseVoice(question);
  const { scale, error } = voice;
  const { terms } = question;
  return { voice, numbers: numbersOf({ scale, error, terms }), terms };
}

const RANGES = 'ranges';
const nameOf = (questions: number): string => `coarse${questions}`;
const atOnce = Array.from({ length: COARSE_QUESTIONS }, (_, index) => index + 1);

/** The positions of rows, columns and voices, and the number of groups of rows. */
const SHARED_PARAMETERS = 4;
/** Per question: its strangers' columns, its numbers, and the list of groups that may reach the floor. */
const QUESTION_PARAMETERS = 3;
/** The counts of all questions are packed into one number, one above another. */
const COUNT_BITS = 10;

/**
 * Returns how many groups of rows may reach the floor of each question; the first row of each group is
 * listed.
 */
function coarseFunction(dim: number, questions: number): FunctionBuilder {
  const parameterCount = SHARED_PARAMETERS + QUESTION_PARAMETERS * questions;
  const f = new FunctionBuilder(nameOf(questions), Array<'i32'>(parameterCount).fill('i32'), 'i32');
  const [row, columns, groups, voices] = f.allParameters();
  const asked = Array.from(
    { length: questions },
    (_, index): ComparedLocals & Record<'list' | 'count', Local> => {
      const at = SHARED_PARAMETERS + QUESTION_PARAMETERS * index;
      const [strangers, parameters, list] = [f.parameter(at), f.parameter(at + 1), f.parameter(at + 2)];
      return { strangers, parameters, list, count: f.local('i32'), products: f.local('v128') };
    },
  );
  const first = f.local('i32');
  const highest = new HighestScore(f, columns);
  const multiply = coarseProducts(f, { voices, row, dim });
  f.repeat(groups, () => {
    multiply(asked.map(({ products }) => products));
    for (const each of asked) {
      highest.exceedsLeast(each);
      f.whenTrue(() => {
        highest.reaches(each);
        f.whenTrue(() => {
          f.get(each.list, first).storeI32();
          f.advance(each.list, FLOAT_BYTES).advance(each.count, 1);
        });
      });
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

export function coarseFunctions(dim: number): FunctionBuilder[] {
  return [...atOnce.map((questions) => coarseFunction(dim, questions)), rangesFunction(RANGES)];
}

/** The positions of a block's rows and of their columns. */
export interface RowsAt {
  rowsAt: number;
  columnsAt: number;
  groups: number;
}

/** One of the questions of a pass: the positions of its numbers, its findings and its strangers' columns. */
export interface CoarseAsked {
  coarse: CoarseQuestion;
  coarseNumbers: Float32Array;
  coarseParametersAt: number;
  candidatesAt: number;
  /** Space for the voices of all questions that are asked together with it, if it is the first of them. */
  voicesAt: number;
  strangersAt: number;
}

/** The coarse pass of one thread; returns the number of candidates for each question. */
export class CoarseLook {
  readonly #memory: ScanMemory;
  readonly #looks: KernelFunction[];
  readonly #ranges: KernelFunction;
  readonly #rangesAt: number;
  readonly #numbers: Float32Array;
  /** The questions whose voices are in memory, by position. */
  readonly #together = new Map<number, readonly CoarseAsked[]>();

  constructor(memory: ScanMemory, place: number, start: (name: string) => KernelFunction) {
    this.#memory = memory;
    this.#looks = atOnce.map((questions) => start(nameOf(questions)));
    this.#ranges = start(RANGES);
    const { rangesAt } = memory.place(place);
    this.#rangesAt = rangesAt;
    this.#numbers = new Float32Array(memory.memory.buffer, rangesAt, RANGE_NUMBERS);
  }

  candidates(
    { rowsAt, columnsAt, groups }: RowsAt,
    asked: readonly CoarseAsked[],
    floors: readonly number[],
  ): number[] {
    const voicesAt = this.#voicesAt(asked);
    const given: number[] = [];
    let rangesOf = -1;
    let ranges: RowRanges | undefined;
    asked.forEach((each, index) => {
      const strangersAt = columnsAt + each.strangersAt;
      if (strangersAt !== rangesOf) {
        this.#ranges(columnsAt, strangersAt, this.#rangesAt, groups);
        ranges = rangesFrom(this.#numbers);
        rangesOf = strangersAt;
      }
      this.#setLimits(each, ranges, floors[index] as number);
      given.push(strangersAt, each.coarseParametersAt, each.candidatesAt);
    });
    const look = this.#looks[asked.length - 1] as KernelFunction;
    const counts = look(rowsAt, columnsAt, groups, voicesAt, ...given);
    return asked.map((_, index) => (counts >>> (COUNT_BITS * index)) & (2 ** COUNT_BITS - 1));
  }

  /** If rows are too long for the sums, or contain NaN, all of them are examined closely. */
  #setLimits({ coarse, coarseNumbers }: CoarseAsked, ranges: RowRanges | undefined, floor: number): void {
    const { voice, terms } = coarse;
    const known = ranges && longestOf(ranges, this.#memory.dim) <= voice.longestRow ? ranges : undefined;
    setFloor(coarseNumbers, known ? floor : -Infinity);
    setMinimumCosine(coarseNumbers, known ? leastCosine(terms, known, floor, voice.error) : -Infinity);
  }

  /** The position of the questions' voices, one after another, followed by the raised voice. */
  #voicesAt(asked: readonly CoarseAsked[]): number {
    const { voicesAt } = asked[0] as CoarseAsked;
    if (this.#together.get(voicesAt) === asked) return voicesAt;
    const { dim, memory } = this.#memory;
    const voices = [...asked.map(({ coarse }) => coarse.voice.numbers), raisedVoice(dim)];
    voices.forEach((voice, index) =>
      new Uint8Array(memory.buffer, voicesAt + index * coarseBytes(dim), dim).set(voice),
    );
    this.#together.set(voicesAt, asked);
    return voicesAt;
  }
}

/** How far a voice of length 1 may be off, at most, once it is on its grid. */
const LENGTH_SLACK = 1e-3;

/** The maximum length of rows, in their own steps: rounding adds half a step in each dimension. */
function longestOf({ leastScale }: RowRanges, dim: number): number {
  return (1 + LENGTH_SLACK) / leastScale + 0.5 * Math.sqrt(dim);
}

function canCompile(): boolean {
  try {
    compileKernel(coarseFunctions(ROWS_AT_ONCE), true);
    return true;
  } catch {
    return false;
  }
}

export const HAS_COARSE_LOOK = process.arch === 'x64' && canCompile();
