// Exact nearest prints among up to a million. Every print is held twice: as 8-bit integers, which are
// scanned whole for each query, and as floats, which decide. The rounding error of a row is known, so
// every row that could belong to the answer is rescored and the result equals a full float search.
// Memory per print at 192 dimensions: 192 B of integers, 768 B of floats, 8 B of scale and error, plus its id.
import { dot, normalized } from '../src/voice/embedding/vector.js';
import { Best } from '../src/voice/search/best.js';
import { BLOCK_ROWS, QuantizedRows, quantize } from '../src/voice/search/quantized-rows.js';

export interface Neighbor {
  id: string;
  cosine: number;
}

export class PrintIndex {
  readonly dim: number;
  readonly #rows: QuantizedRows;

  constructor(dim: number) {
    this.dim = dim;
    if (!Number.isInteger(dim) || dim < 1 || dim > 1024)
      throw new RangeError('embeddings have 1 to 1024 dimensions');
    this.#rows = new QuantizedRows(dim, 1024);
  }

  get size(): number {
    return this.#rows.size;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  /** Adds a print, or replaces the one of the same id. */
  add(id: string, embedding: Float32Array): void {
    if (embedding.length !== this.dim)
      throw new RangeError(`embedding has ${embedding.length} dimensions, not ${this.dim}`);
    this.#rows.put(id, normalized(embedding));
  }

  remove(id: string): boolean {
    return this.#rows.remove(id) !== undefined;
  }

  /** The `limit` nearest prints by cosine, best first. */
  search(query: Float32Array, limit: number): Neighbor[] {
    if (query.length !== this.dim)
      throw new RangeError(`query has ${query.length} dimensions, not ${this.dim}`);
    if (this.size === 0 || limit < 1) return [];
    const unit = normalized(query);
    const asked = quantize(unit, this.#rows.kernel.query);
    const best = new Best(limit);
    for (const row of this.#candidates(asked.scale, asked.error, limit))
      best.offer(dot(unit, this.#rows.float(row)), row);
    return best.rows.map((row, i) => ({
      id: this.#rows.ids[row] as string,
      cosine: best.values[i] as number,
    }));
  }

  /** Bytes of vectors and their bookkeeping; the ids themselves are not counted. */
  memoryBytes(): number {
    return this.#rows.memoryBytes();
  }

  /** Rows whose true cosine may reach the answer: |q.r - q'.r'| <= |r - r'| + |q - q'| |r'|. */
  #candidates(queryScale: number, queryError: number, limit: number): number[] {
    const sure = new Best(limit);
    let floor = -Infinity;
    // The floor only rises: what cannot reach it now never will, what still can is looked at again in the end.
    const rows: number[] = [];
    const highest: number[] = [];
    const { scales, errors, kernel } = this.#rows;
    for (let first = 0; first < this.size; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, this.size - first);
      const products = kernel.scan(first, count);
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
}
