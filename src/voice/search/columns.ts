// Numbers about many rows, in blocks of rows: a column grows without copying its contents, and is read and
// written in whole blocks. All columns of a table have the same row numbers.

export const BLOCK_ROWS = 4096;

/** Bytes in pieces, consumed from the front: joining them first would cost as much as reading them. */
export class Pieces {
  readonly #pieces: readonly Uint8Array[];
  #next = 0;
  /** How much of the next piece has been consumed. */
  #taken = 0;
  #left: number;

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
    this.#left = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  get left(): number {
    return this.#left;
  }

  /** Fills the target with the next bytes. */
  fill(target: Uint8Array): void {
    if (target.length > this.#left) throw new RangeError('bytes that end early');
    for (let at = 0; at < target.length;) {
      const piece = this.#pieces[this.#next] as Uint8Array;
      const part = piece.subarray(this.#taken, this.#taken + target.length - at);
      target.set(part, at);
      at += part.length;
      this.#taken += part.length;
      if (this.#taken < piece.length) continue;
      this.#next += 1;
      this.#taken = 0;
    }
    this.#left -= target.length;
  }
}

type Numbers = Float32Array | Int8Array | Uint8Array | Uint32Array;

export class Column<A extends Numbers> {
  readonly width: number;
  readonly #make: (length: number, index: number) => A;
  readonly #blocks: A[] = [];

  /** `width` numbers for each row; blocks are made one after another. */
  constructor(make: (length: number, index: number) => A, width = 1) {
    this.width = width;
    this.#make = make;
  }

  /** The rows from a multiple of BLOCK_ROWS on. */
  block(firstRow: number): A {
    const index = Math.floor(firstRow / BLOCK_ROWS);
    while (this.#blocks.length <= index)
      this.#blocks.push(this.#make(BLOCK_ROWS * this.width, this.#blocks.length));
    return this.#blocks[index] as A;
  }

  get(row: number): number {
    return this.block(row)[(row % BLOCK_ROWS) * this.width] as number;
  }

  /** One of several numbers of a row. */
  at(row: number, index: number): number {
    return this.block(row)[(row % BLOCK_ROWS) * this.width + index] as number;
  }

  set(row: number, value: number): void {
    this.block(row)[(row % BLOCK_ROWS) * this.width] = value;
  }

  /** The numbers of one row, not a copy. */
  row(row: number): A {
    const at = (row % BLOCK_ROWS) * this.width;
    return this.block(row).subarray(at, at + this.width) as A;
  }

  copyRow(from: number, to: number): void {
    const [source, target] = [this.block(from), this.block(to)];
    const { width } = this;
    let at = (to % BLOCK_ROWS) * width;
    const first = (from % BLOCK_ROWS) * width;
    for (let i = first; i < first + width; i++) target[at++] = source[i] as number;
  }

  /** Rows as bytes, a copy. */
  read(first: number, count: number): Uint8Array {
    const rowBytes = this.#rowBytes;
    const out = new Uint8Array(count * rowBytes);
    for (const { bytes, at } of this.#stretches(first, count)) out.set(bytes, at);
    return out;
  }

  write(first: number, count: number, from: Pieces): void {
    for (const { bytes } of this.#stretches(first, count)) from.fill(bytes);
  }

  bytesOf(count: number): number {
    return count * this.#rowBytes;
  }

  get heldBytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.byteLength, 0);
  }

  get #rowBytes(): number {
    return this.block(0).BYTES_PER_ELEMENT * this.width;
  }

  *#stretches(first: number, count: number): Generator<{ bytes: Uint8Array; at: number }> {
    const rowBytes = this.#rowBytes;
    for (let row = first; row < first + count;) {
      const within = row % BLOCK_ROWS;
      const rows = Math.min(BLOCK_ROWS - within, first + count - row);
      const block = this.block(row);
      const bytes = new Uint8Array(block.buffer, block.byteOffset + within * rowBytes, rows * rowBytes);
      yield { bytes, at: (row - first) * rowBytes };
      row += rows;
    }
  }
}

/** Columns that belong together: an operation on a row applies to all of them. */
export class Columns {
  readonly #columns: readonly Column<Numbers>[];

  constructor(columns: readonly Column<Numbers>[]) {
    this.#columns = columns;
  }

  copyRow(from: number, to: number): void {
    for (const column of this.#columns) column.copyRow(from, to);
  }

  read(first: number, count: number): Uint8Array[] {
    return this.#columns.map((column) => column.read(first, count));
  }

  /** Writes the output of `read`. */
  write(first: number, count: number, from: Pieces): void {
    for (const column of this.#columns) {
      if (from.left < column.bytesOf(count)) throw new RangeError('rows that end early');
      column.write(first, count, from);
    }
  }

  get heldBytes(): number {
    return this.#columns.reduce((sum, column) => sum + column.heldBytes, 0);
  }
}

export const floats = (length: number): Float32Array => new Float32Array(length);
export const signedBytes = (length: number): Int8Array => new Int8Array(length);
export const integers = (length: number): Uint32Array => new Uint32Array(length);
