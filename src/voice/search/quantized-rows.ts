// Vectors by id in dense rows, each held twice: as 8-bit integers, which the kernel scans whole, and as floats,
// which decide. What rounding lost of a row is kept beside it, so that a scan knows how wrong it can be.
// What else is kept about a vector is the owner's, in arrays of its own with the same row numbers.
import { createScanKernel } from './scan-kernel.js';

export const BLOCK_ROWS = 4096;
const LARGEST = 127;

/** Rounds to integers; returns the scale back to floats and the length of what was lost. */
export function quantize(vector: Float32Array, into: Int8Array): { scale: number; error: number } {
  let peak = 0;
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i] as number);
    if (size > peak) peak = size;
  }
  const scale = peak / LARGEST;
  const steps = scale > 0 ? LARGEST / peak : 0;
  let lost = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] as number;
    const rounded = Math.round(value * steps);
    into[i] = rounded;
    const off = value - rounded * scale;
    lost += off * off;
  }
  return { scale, error: Math.sqrt(lost) };
}

export class QuantizedRows {
  readonly dim: number;
  readonly #capacityMin: number;
  readonly #onCapacity: (rows: number) => void;
  readonly kernel;
  readonly ids: string[] = [];
  scales = new Float32Array(0);
  errors = new Float32Array(0);
  readonly #rowOf = new Map<string, number>();
  readonly #floats: Float32Array[] = [];

  /** `onCapacity`: told how many rows there is room for now, so that the owner's arrays grow along. */
  constructor(dim: number, capacityMin: number, onCapacity: (rows: number) => void = () => {}) {
    this.dim = dim;
    this.#capacityMin = capacityMin;
    this.#onCapacity = onCapacity;
    this.kernel = createScanKernel(dim, BLOCK_ROWS);
  }

  get size(): number {
    return this.ids.length;
  }

  has(id: string): boolean {
    return this.#rowOf.has(id);
  }

  /** Stores a vector, in the place of the one of the same id where there is one; returns its row. */
  put(id: string, vector: Float32Array): number {
    let row = this.#rowOf.get(id);
    if (row === undefined) {
      row = this.ids.length;
      this.#grow(row + 1);
      this.ids.push(id);
      this.#rowOf.set(id, row);
    }
    const { scale, error } = quantize(vector, this.kernel.row(row));
    this.scales[row] = scale;
    this.errors[row] = error;
    this.float(row).set(vector);
    return row;
  }

  /** The last row takes the freed place, so the rows stay dense; undefined when the id is unknown. */
  remove(id: string): { row: number; last: number } | undefined {
    const row = this.#rowOf.get(id);
    if (row === undefined) return undefined;
    const last = this.ids.length - 1;
    if (row !== last) {
      const lastId = this.ids[last] as string;
      this.kernel.row(row).set(this.kernel.row(last));
      this.float(row).set(this.float(last));
      this.scales[row] = this.scales[last] as number;
      this.errors[row] = this.errors[last] as number;
      this.ids[row] = lastId;
      this.#rowOf.set(lastId, row);
    }
    this.ids.pop();
    this.#rowOf.delete(id);
    return { row, last };
  }

  float(row: number): Float32Array {
    const block = this.#floats[Math.floor(row / BLOCK_ROWS)] as Float32Array;
    const at = (row % BLOCK_ROWS) * this.dim;
    return block.subarray(at, at + this.dim);
  }

  /** Bytes of vectors and their bookkeeping; ids are not counted. */
  memoryBytes(): number {
    const floats = this.#floats.reduce((sum, block) => sum + block.byteLength, 0);
    return this.kernel.bytes() + floats + this.scales.byteLength + this.errors.byteLength;
  }

  #grow(rows: number): void {
    if (rows > this.#floats.length * BLOCK_ROWS) this.#floats.push(new Float32Array(BLOCK_ROWS * this.dim));
    if (rows <= this.scales.length) return;
    const capacity = Math.max(this.#capacityMin, Math.ceil(rows * 1.25));
    this.kernel.reserve(capacity);
    this.scales = larger(this.scales, new Float32Array(capacity));
    this.errors = larger(this.errors, new Float32Array(capacity));
    this.#onCapacity(capacity);
  }
}

/** What an array holds, in one with more room. */
export function larger<A extends { set(from: A): void }>(old: A, fresh: A): A {
  fresh.set(old);
  return fresh;
}
