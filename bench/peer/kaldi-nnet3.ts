// Reads binary Kaldi files: the components of an nnet3 network with their numbers, matrices and text vectors. Only
// what a bench needs: layer weights and normalization, not the training state around them.

export interface Matrix {
  rows: number;
  columns: number;
  data: Float32Array;
}

export type Component = Map<string, Float32Array | Matrix | number>;

class Cursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = at;
  }

  #text(from: number, to: number): string {
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + from, to - from).toString('latin1');
  }

  token(): string {
    const from = this.#at;
    while (this.#at < this.#bytes.length && this.#bytes[this.#at] !== 32 && this.#bytes[this.#at] !== 10)
      this.#at++;
    return this.#text(from, this.#at++);
  }

  line(): string {
    const end = this.#bytes.indexOf(10, this.#at);
    if (end < 0) throw new Error('the network file is cut short');
    const text = this.#text(this.#at, end);
    this.#at = end + 1;
    return text;
  }

  integer(): number {
    if (this.#bytes[this.#at] !== 4) throw new Error('no integer where one belongs');
    const value = this.#view.getInt32(this.#at + 1, true);
    this.#at += 5;
    return value;
  }

  #floats(count: number, wide: boolean): Float32Array {
    const size = wide ? 8 : 4;
    const out = new Float32Array(count);
    for (let i = 0; i < count; i++)
      out[i] = wide
        ? this.#view.getFloat64(this.#at + size * i, true)
        : this.#view.getFloat32(this.#at + size * i, true);
    this.#at += size * count;
    return out;
  }

  /** A vector, a matrix, a number or a flag, told apart by how it begins; undefined where another token follows. */
  value(): Float32Array | Matrix | number | undefined {
    const head = this.#text(this.#at, this.#at + 3);
    if (head === 'FV ' || head === 'DV ') {
      this.#at += 3;
      return this.#floats(this.integer(), head === 'DV ');
    }
    if (head === 'FM ' || head === 'DM ') {
      this.#at += 3;
      const rows = this.integer();
      const columns = this.integer();
      return { rows, columns, data: this.#floats(rows * columns, head === 'DM ') };
    }
    const first = this.#bytes[this.#at];
    // Four bytes may be an integer or a float; what the bench reads of these (a small constant) is a float.
    if (first === 4 || first === 8) {
      const at = this.#at + 1;
      this.#at = at + first;
      return first === 4 ? this.#view.getFloat32(at, true) : this.#view.getFloat64(at, true);
    }
    if ((head[0] === 'T' || head[0] === 'F') && head[1] === '<') {
      this.#at += 1;
      return head[0] === 'T' ? 1 : 0;
    }
    if (head[0] === '<') return undefined;
    throw new Error('a value of an unknown kind in the network file');
  }
}

const isBinary = (bytes: Uint8Array): boolean => bytes[0] === 0 && bytes[1] === 66;

/** The components by name. */
export function readNetwork(bytes: Uint8Array): Map<string, Component> {
  if (!isBinary(bytes)) throw new Error('not a binary Kaldi file');
  const cursor = new Cursor(bytes, 2);
  if (cursor.token() !== '<Nnet3>') throw new Error('not an nnet3 network');
  cursor.line();
  while (cursor.line().trim() !== '');
  if (cursor.token() !== '<NumComponents>') throw new Error('the network file has another shape');
  const components = new Map<string, Component>();
  for (let left = cursor.integer(); left > 0; left--) {
    if (cursor.token() !== '<ComponentName>') throw new Error('the network file has another shape');
    const name = cursor.token();
    const end = `</${cursor.token().slice(1)}`;
    const component: Component = new Map();
    for (let token = cursor.token(); token !== end; token = cursor.token()) {
      const value = cursor.value();
      if (value !== undefined) component.set(token, value);
    }
    components.set(name, component);
  }
  return components;
}

export function readMatrix(bytes: Uint8Array): Matrix {
  const value = isBinary(bytes) ? new Cursor(bytes, 2).value() : undefined;
  if (!value || typeof value !== 'object' || !('rows' in value)) throw new Error('not a binary Kaldi matrix');
  return value;
}

/** `[ 1 2 3 ]` */
export function readTextVector(text: string): Float32Array {
  return Float32Array.from(text.replace(/[[\]]/g, ' ').trim().split(/\s+/), Number);
}
