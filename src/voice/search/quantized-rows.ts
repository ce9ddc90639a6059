// Vectors in dense rows, as 16-bit steps of their grid in two parts: the upper bytes, which a scan reads, and
// the lower ones, which are added for an exact product. The error of the upper bytes alone is known for each
// row, so that a scan knows how wrong it can be.
import { gridExponent } from '../scoring/template-grid.js';
import { Column, signedBytes } from './columns.js';
import type { ScanMemory } from './scan-memory.js';

/** The largest signed byte, with the same magnitude on both sides. */
export const LARGEST = 127;
const UPPER = 256;

/** Rounds to integers; returns the factor back to floats and the length of the rounding error. */
export function quantize(
  vector: Float32Array,
  into: Int8Array | Int16Array,
  largest = LARGEST,
): { scale: number; error: number } {
  let peak = 0;
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i] as number);
    if (size > peak) peak = size;
  }
  const scale = peak / largest;
  const steps = scale > 0 ? largest / peak : 0;
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
  readonly lower: Column<Int8Array>;
  readonly #memory: ScanMemory;

  constructor(memory: ScanMemory) {
    this.#memory = memory;
    this.lower = new Column(signedBytes, memory.dim);
  }

  /** Stores the vector on its grid, and whether its print has telephone bandwidth. */
  put(row: number, vector: Float32Array, isNarrow: boolean): void {
    const { upper: uppers, columns, dim } = this.#memory;
    const steps = 2 ** gridExponent(vector);
    const upper = uppers.row(row);
    const lower = this.lower.row(row);
    let lost = 0;
    for (let i = 0; i < dim; i++) {
      const step = Math.round((vector[i] as number) * steps);
      const high = (step + UPPER / 2) >> 8;
      const low = step - high * UPPER;
      upper[i] = high;
      lower[i] = low;
      lost += low * low;
    }
    columns.scale.set(row, (isNarrow ? -UPPER : UPPER) / steps);
    columns.error.set(row, Math.sqrt(lost) / steps);
  }

  isNarrow(row: number): boolean {
    return this.#memory.columns.scale.get(row) < 0;
  }

  /** The vector of a row. */
  vector(row: number): Float32Array {
    const { upper: uppers, columns, dim } = this.#memory;
    const step = Math.abs(columns.scale.get(row)) / UPPER;
    const upper = uppers.row(row);
    const lower = this.lower.row(row);
    const vector = new Float32Array(dim);
    for (let i = 0; i < dim; i++) vector[i] = ((upper[i] as number) * UPPER + (lower[i] as number)) * step;
    return vector;
  }
}
