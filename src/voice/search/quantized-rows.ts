// Vectors in dense rows, as 16-bit steps of their grid in two parts: the upper bytes, which the kernel scans whole, and the lower
// ones, which are added where an exact product is wanted. What the upper bytes leave out is known for each row, so that a
// scan knows how wrong it can be.
import { gridExponent } from '../scoring/template-grid.js';
import { BLOCK_ROWS, Column, Columns, floats, signedBytes } from './columns.js';
import { createScanKernel } from './scan-kernel.js';

const LARGEST = 127;
const UPPER = 256;
const EXPONENTS = 256;
const CAPACITY_MIN = 256;
const GROWTH = 1.25;
/** What one of the upper steps is worth, by the exponent of the grid as an unsigned byte. */
export const upperSteps = Float64Array.from(
  { length: EXPONENTS },
  (_, byte) => UPPER * 2 ** -(byte < EXPONENTS / 2 ? byte : byte - EXPONENTS),
);

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
  readonly kernel;
  readonly #lower: Column<Int8Array>;
  readonly #exponents = new Column(signedBytes);
  readonly #errors = new Column(floats);
  readonly #columns: Columns;
  #capacity = 0;

  constructor(dim: number) {
    this.dim = dim;
    this.kernel = createScanKernel(dim, BLOCK_ROWS);
    this.#lower = new Column(signedBytes, dim);
    this.#columns = new Columns([this.#lower, this.#exponents, this.#errors]);
  }

  /** The vector as its grid has it. */
  put(row: number, vector: Float32Array): void {
    if (row >= this.#capacity) this.#reserve(Math.max(CAPACITY_MIN, Math.ceil(row * GROWTH)));
    const exponent = gridExponent(vector);
    const steps = 2 ** exponent;
    const upper = this.kernel.row(row);
    const lower = this.#lower.row(row);
    let lost = 0;
    for (let i = 0; i < this.dim; i++) {
      const step = Math.round((vector[i] as number) * steps);
      const high = (step + UPPER / 2) >> 8;
      const low = step - high * UPPER;
      upper[i] = high;
      lower[i] = low;
      lost += low * low;
    }
    this.#exponents.set(row, exponent);
    this.#errors.set(row, Math.sqrt(lost) / steps);
  }

  /** The vector of a row. */
  vector(row: number): Float32Array {
    const step = 2 ** -this.#exponents.get(row);
    const upper = this.kernel.row(row);
    const lower = this.#lower.row(row);
    const vector = new Float32Array(this.dim);
    for (let i = 0; i < this.dim; i++)
      vector[i] = ((upper[i] as number) * UPPER + (lower[i] as number)) * step;
    return vector;
  }

  copyRow(from: number, to: number): void {
    this.kernel.row(to).set(this.kernel.row(from));
    this.#columns.copyRow(from, to);
  }

  /** Of a block of rows: what its upper bytes leave out, and the grids, to be looked up in `upperSteps`. */
  block(first: number): { errors: Float32Array; grids: Uint8Array } {
    const { buffer } = this.#exponents.block(first);
    return { errors: this.#errors.block(first), grids: new Uint8Array(buffer) };
  }

  #reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    this.#capacity = rows;
    this.kernel.reserve(rows);
  }

  /** Rows as bytes, one part after another. */
  read(first: number, count: number): Uint8Array[] {
    return [this.kernel.rows(first, count).slice(), ...this.#columns.read(first, count)];
  }

  /** Takes what `read` gave; answers what follows it. */
  write(first: number, count: number, from: Uint8Array): Uint8Array {
    this.#reserve(first + count);
    const upper = this.kernel.rows(first, count);
    if (from.length < upper.length) throw new RangeError('rows that end early');
    upper.set(from.subarray(0, upper.length));
    return this.#columns.write(first, count, from.subarray(upper.length));
  }

  memoryBytes(): number {
    return this.kernel.bytes() + this.#columns.heldBytes;
  }
}
