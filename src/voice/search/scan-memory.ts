// The memory of the scanned part of a gallery: WebAssembly memory shared between threads, one block of rows
// after another. A block has the upper bytes of its rows' voices and, column by column, the numbers that
// their scores need, so that a kernel reads four rows at once. Before the blocks, each thread has its own
// place for its questions and findings.
import { createSharedMemory, PAGE_BYTES, type SharedWasmMemory } from '../wasm/runtime.js';
import { BLOCK_ROWS, Column } from './columns.js';

export const LANES = 16;
export const FLOAT_BYTES = 4;
/** Threads that may scan at the same time, including the main one. */
export const SCAN_PLACES = 5;
/** Questions that a thread has space for: those that take turns keep their positions. */
const QUESTIONS_KEPT = 8;
export const ROWS_AT_ONCE = 4;
/** Rows that one question after another scans: few enough to stay in a core's second-level cache, 256 kB. */
export const SCAN_ROWS = 1024;
/** What a kernel writes for rows that may be among the best: their products, and the number of the first. */
export const FOUND_BYTES = 32;
export const COLUMN_BYTES = FLOAT_BYTES * BLOCK_ROWS;
const FOUND_MAX_BYTES = (FOUND_BYTES * SCAN_ROWS) / ROWS_AT_ONCE;
/** The first rows of groups that remain after a coarse pass. */
const CANDIDATES_BYTES = (FLOAT_BYTES * SCAN_ROWS) / ROWS_AT_ONCE;
/** Numbers of a question besides its voice, at most 32. */
const PARAMETERS_BYTES = FLOAT_BYTES * 32;
/** The voices of a coarse pass: those of three questions at once, and a common one. */
const COARSE_VOICES = 4;
/** Smallest and largest numbers of some rows, four lanes of each kind, at most 16 kinds. */
const RANGES_BYTES = LANES * 16;

/** The columns of floats, in memory order. */
export const scanColumns = [
  /** The value of one upper step; negative for a print of telephone bandwidth. */
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
  /** Positions of each question's voice, coarse voices, numbers, coarse numbers, findings and candidates. */
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
  /** Numbers per voice, and bytes per row: rows have no gaps. */
  readonly dim: number;
  readonly memory: SharedWasmMemory;
  readonly upper: Column<Int8Array>;
  readonly columns: Record<ScanColumn, Column<Float32Array>>;
  /** A unique number, by which other threads tell galleries apart. */
  readonly id = ++made;
  /**
   * As large as the memory in use, for the garbage collector: it does not count memory that threads share, so
   * that memory of discarded galleries would stay. These buffers are never touched and take no real memory.
   */
  readonly #counted: ArrayBuffer[] = [];
  /** Sizes for one question, and for one thread. */
  readonly #askedBytes: number;
  readonly #placeBytes: number;
  readonly #blocksAt: number;
  readonly #blockBytes: number;

  /** Makes a new memory, or a view of another thread's. */
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

  /** The position of a block; its columns follow its rows. */
  blockAt(index: number): number {
    return this.#blocksAt + index * this.#blockBytes;
  }

  columnsAt(blockAt: number): number {
    return blockAt + BLOCK_ROWS * this.dim;
  }

  /** The positions in a thread's own place, for all its questions together and for each of them. */
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

  /** Voices with one byte per number, padded with zeros to a full register. */
  get #voicesBytes(): number {
    return COARSE_VOICES * Math.ceil(this.dim / LANES) * LANES;
  }

  /**
   * Two bytes per number, padded with zeros to a full register: there a kernel reads on into the next row, or
   * the columns.
   */
  get #queryBytes(): number {
    return 2 * Math.ceil(this.dim / LANES) * LANES;
  }

  /** The memory, grown to have space for this block. */
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
