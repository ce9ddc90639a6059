// Exact nearest prints among up to a million. Every print is held twice: as 8-bit integers, which are
// scanned whole for each query, and as floats, which decide. The rounding error of a row is known, so
// every row that could belong to the answer is rescored and the result equals a full float search.
// Memory per print at 192 dimensions: 192 B of integers, 768 B of floats, 8 B of scale and error, plus its id.
import { dot, normalised } from '../embedding/vector.js';
import { createScanKernel } from './scan-kernel.js';

const BLOCK_ROWS = 4096;
const LARGEST = 127;

export interface Neighbour {
  id: string;
  cosine: number;
}

/** Rounds to integers; returns the scale back to floats and the length of what was lost. */
export function quantise(vector: Float32Array, into: Int8Array): { scale: number; error: number } {
  let peak = 0;
  for (let i = 0; i < vector.length; i++) peak = Math.max(peak, Math.abs(vector[i] as number));
  const scale = peak / LARGEST;
  let lost = 0;
  for (let i = 0; i < vector.length; i++) {
    const rounded = scale > 0 ? Math.round((vector[i] as number) / scale) : 0;
    into[i] = rounded;
    lost += ((vector[i] as number) - rounded * scale) ** 2;
  }
  return { scale, error: Math.sqrt(lost) };
}

/** The best few of many, kept in falling order. */
export class Best {
  readonly values: number[] = [];
  readonly rows: number[] = [];
  constructor(readonly limit: number) {}
  get worst(): number {
    return this.values.length < this.limit ? -Infinity : (this.values[this.values.length - 1] as number);
  }
  offer(value: number, row: number): void {
    if (value <= this.worst) return;
    let low = 0;
    let high = this.values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.values[middle] as number) >= value) low = middle + 1;
      else high = middle;
    }
    this.values.splice(low, 0, value);
    this.rows.splice(low, 0, row);
    if (this.values.length > this.limit) {
      this.values.pop();
      this.rows.pop();
    }
  }
}

export class PrintIndex {
  readonly #kernel;
  readonly #ids: string[] = [];
  readonly #rowOf = new Map<string, number>();
  readonly #floats: Float32Array[] = [];
  #scales = new Float32Array(0);
  #errors = new Float32Array(0);

  constructor(readonly dim: number) {
    if (!Number.isInteger(dim) || dim < 1 || dim > 1024)
      throw new RangeError('embeddings have 1 to 1024 dimensions');
    this.#kernel = createScanKernel(dim, BLOCK_ROWS);
  }

  get size(): number {
    return this.#ids.length;
  }

  has(id: string): boolean {
    return this.#rowOf.has(id);
  }

  /** Adds a print, or replaces the one of the same id. */
  add(id: string, embedding: Float32Array): void {
    if (embedding.length !== this.dim)
      throw new RangeError(`embedding has ${embedding.length} dimensions, not ${this.dim}`);
    let row = this.#rowOf.get(id);
    if (row === undefined) {
      row = this.#ids.length;
      this.#grow(row + 1);
      this.#ids.push(id);
      this.#rowOf.set(id, row);
    }
    const unit = normalised(embedding);
    const { scale, error } = quantise(unit, this.#kernel.row(row));
    this.#scales[row] = scale;
    this.#errors[row] = error;
    this.#float(row).set(unit);
  }

  /** The last print takes the freed place, so the array stays dense. */
  remove(id: string): boolean {
    const row = this.#rowOf.get(id);
    if (row === undefined) return false;
    const last = this.#ids.length - 1;
    const lastId = this.#ids[last] as string;
    if (row !== last) {
      this.#kernel.row(row).set(this.#kernel.row(last));
      this.#float(row).set(this.#float(last));
      this.#scales[row] = this.#scales[last] as number;
      this.#errors[row] = this.#errors[last] as number;
      this.#ids[row] = lastId;
      this.#rowOf.set(lastId, row);
    }
    this.#ids.pop();
    this.#rowOf.delete(id);
    return true;
  }

  /** The `limit` nearest prints by cosine, best first. */
  search(query: Float32Array, limit: number): Neighbour[] {
    if (query.length !== this.dim)
      throw new RangeError(`query has ${query.length} dimensions, not ${this.dim}`);
    if (this.size === 0 || limit < 1) return [];
    const unit = normalised(query);
    const asked = quantise(unit, this.#kernel.query);
    const best = new Best(limit);
    for (const row of this.#candidates(asked.scale, asked.error, limit))
      best.offer(dot(unit, this.#float(row)), row);
    return best.rows.map((row, i) => ({ id: this.#ids[row] as string, cosine: best.values[i] as number }));
  }

  /** Bytes of vectors and their bookkeeping; the ids themselves are not counted. */
  memoryBytes(): number {
    const floats = this.#floats.reduce((sum, block) => sum + block.byteLength, 0);
    return this.#kernel.bytes() + floats + this.#scales.byteLength + this.#errors.byteLength;
  }

  /** Rows whose true cosine may reach the answer: |q.r - q'.r'| <= |r - r'| + |q - q'| |r'|. */
  #candidates(queryScale: number, queryError: number, limit: number): number[] {
    const sure = new Best(limit);
    let floor = -Infinity;
    // The floor only rises: what cannot reach it now never will, what still can is looked at again in the end.
    const rows: number[] = [];
    const highest: number[] = [];
    const [scales, errors] = [this.#scales, this.#errors];
    for (let first = 0; first < this.size; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, this.size - first);
      const products = this.#kernel.scan(first, count);
      for (let i = 0; i < count; i++) {
        const error = errors[first + i] as number;
        const middle = (products[i] as number) * queryScale * (scales[first + i] as number);
        const slack = error + queryError * (1 + error) + 1e-6;
        if (middle + slack < floor) continue;
        rows.push(first + i);
        highest.push(middle + slack);
        sure.offer(middle - slack, first + i);
        floor = sure.worst;
      }
    }
    return rows.filter((_, i) => (highest[i] as number) >= floor);
  }

  #float(row: number): Float32Array {
    const block = this.#floats[Math.floor(row / BLOCK_ROWS)] as Float32Array;
    const at = (row % BLOCK_ROWS) * this.dim;
    return block.subarray(at, at + this.dim);
  }

  #grow(rows: number): void {
    if (rows > this.#floats.length * BLOCK_ROWS) this.#floats.push(new Float32Array(BLOCK_ROWS * this.dim));
    if (rows <= this.#scales.length) return;
    const capacity = Math.max(1024, Math.ceil(rows * 1.25));
    this.#kernel.reserve(capacity);
    const larger = (old: Float32Array): Float32Array<ArrayBuffer> => {
      const fresh = new Float32Array(capacity);
      fresh.set(old);
      return fresh;
    };
    this.#scales = larger(this.#scales);
    this.#errors = larger(this.#errors);
  }
}
