// Where the scanned part of a gallery lies: WebAssembly memory that threads share, a block of rows after another. A block has
// the upper bytes of its rows' voices and, column by column, the numbers that their scores need, so that a kernel takes four rows at
// once. Before the blocks, each thread has a place of its own for the questions that it asks and what it finds.
import { createSharedMemory, PAGE_BYTES, type SharedWasmMemory } from '../wasm/runtime.js';
import { BLOCK_ROWS, Column } from './columns.js';

export const LANES = 16;
export const FLOAT_BYTES = 4;
/** Threads that may scan at the same time, the main one included. */
export const SCAN_PLACES = 5;
/** Questions that a thread has room for: those that take turns stay where they are. */
const QUESTIONS_KEPT = 8;
export const ROWS_AT_ONCE = 4;
/** Rows that one question after another looks at: few enough to stay in the second cache of a core, 256 kB. */
export const SCAN_ROWS = 1024;
/** What a kernel writes for some rows that may be among the best: their products, and the number of the first. */
export const FOUND_BYTES = 32;
export const COLUMN_BYTES = FLOAT_BYTES * BLOCK_ROWS;
const FOUND_MAX_BYTES = (FOUND_BYTES * SCAN_ROWS) / ROWS_AT_ONCE;
/** The first rows of what may be found, after a first look. */
const CANDIDATES_BYTES = (FLOAT_BYTES * SCAN_ROWS) / ROWS_AT_ONCE;
/** Numbers of a question beside its voice, no more than 32. */
const PARAMETERS_BYTES = FLOAT_BYTES * 32;
/** The voices of a first look: those of three questions at once, and one that all have in common. */
const COARSE_VOICES = 4;
/** Least and largest numbers of some rows, four of each kind, no more than 16 kinds. */
const RANGES_BYTES = LANES * 16;

/** The columns of floats, in the order in which they lie. */
export const scanColumns = [
  /** What one of the upper steps is worth; negative for a print of the telephone's bandwidth. */
  'scale',
  /** Length of what the upper bytes leave out. */
  'error',
  'narrowMean',
  'narrowSd',
  'wideMean',
  'wideSd',
  'snrDb',
  'logNetSeconds',
] as const;
export type ScanColumn = (typeof scanColumns)[number];

interface Place {
  rangesAt: number;
  /** The voice of each question, those of a first look, its numbers, those of a first look, what is found, and what may be. */
  questions: {
    queryAt: number;
    voicesAt: number;
    parametersAt: number;
    coarseParametersAt: number;
    foundAt: number;
    candidatesAt: number;
  }[];
}

let made = 0;

export class ScanMemory {
  /** Numbers of a voice, and bytes of a row: rows lie close together. */
  readonly dim: number;
  readonly memory: SharedWasmMemory;
  readonly upper: Column<Int8Array>;
  readonly columns: Record<ScanColumn, Column<Float32Array>>;
  /** A number of its own, by which other threads tell galleries apart. */
  readonly id = ++made;
  /**
   * As much as is in use, for the garbage collector: it does not count what threads share, so that memory of galleries that are
   * gone would stay. Never touched, these take no memory.
   */
  readonly #counted: ArrayBuffer[] = [];
  /** Of one question, and of one thread. */
  readonly #askedBytes: number;
  readonly #placeBytes: number;
  readonly #blocksAt: number;
  readonly #blockBytes: number;

  /** A new memory, or the view of another thread's. */
  constructor(dim: number, memory?: SharedWasmMemory) {
    this.dim = dim;
    this.#askedBytes =
      this.#queryBytes + this.#voicesBytes + 2 * PARAMETERS_BYTES + FOUND_MAX_BYTES + CANDIDATES_BYTES;
    this.#placeBytes = RANGES_BYTES + QUESTIONS_KEPT * this.#askedBytes;
    this.#blocksAt = LANES + SCAN_PLACES * this.#placeBytes;
    this.#blockBytes = BLOCK_ROWS * dim + scanColumns.length * COLUMN_BYTES;
    this.memory = memory ?? createSharedMemory(this.#blocksAt);
    this.upper = new Column(
      (length, index) => new Int8Array(this.#reserved(index), this.blockAt(index), length),
      dim,
    );
    this.columns = Object.fromEntries(
      scanColumns.map((name, column) => [
        name,
        new Column(
          (length, index) =>
            new Float32Array(
              this.#reserved(index),
              this.columnsAt(this.blockAt(index)) + column * COLUMN_BYTES,
              length,
            ),
        ),
      ]),
    ) as Record<ScanColumn, Column<Float32Array>>;
  }

  /** Where a block begins; its columns follow its rows. */
  blockAt(index: number): number {
    return this.#blocksAt + index * this.#blockBytes;
  }

  columnsAt(blockAt: number): number {
    return blockAt + BLOCK_ROWS * this.dim;
  }

  /** What a thread has in its own place, for all its questions together and for each of them. */
  place(place: number): Place {
    if (place >= SCAN_PLACES) throw new RangeError(`there are ${SCAN_PLACES} places to scan from`);
    const rangesAt = LANES + place * this.#placeBytes;
    const questions = Array.from({ length: QUESTIONS_KEPT }, (_, question) => {
      const queryAt = rangesAt + RANGES_BYTES + question * this.#askedBytes;
      const voicesAt = queryAt + this.#queryBytes;
      const parametersAt = voicesAt + this.#voicesBytes;
      const coarseParametersAt = parametersAt + PARAMETERS_BYTES;
      const foundAt = coarseParametersAt + PARAMETERS_BYTES;
      const candidatesAt = foundAt + FOUND_MAX_BYTES;
      return { queryAt, voicesAt, parametersAt, coarseParametersAt, foundAt, candidatesAt };
    });
    return { rangesAt, questions };
  }

  /** Voices of one byte for each number, with zeros to the end of a register. */
  get #voicesBytes(): number {
    return COARSE_VOICES * Math.ceil(this.dim / LANES) * LANES;
  }

  /** Two bytes for each number, and zeros to the end of a register: a kernel reads on there into the next row, or the columns. */
  get #queryBytes(): number {
    return 2 * Math.ceil(this.dim / LANES) * LANES;
  }

  /** The memory, with room for this block. */
  #reserved(index: number): SharedArrayBuffer {
    const missing = this.blockAt(index + 1) - this.memory.buffer.byteLength;
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / PAGE_BYTES));
      this.#counted.push(new ArrayBuffer(missing));
    }
    return this.memory.buffer;
  }

  heldBytes(): number {
    return this.memory.buffer.byteLength;
  }
}
