// The wire format of protocol buffers, as far as ONNX files need it.

/** One field of a message: a number for varints, bytes for everything else. */
export interface Field {
  number: number;
  wire: number;
  value: number;
  bytes: Uint8Array;
}

const none = new Uint8Array(0);
const decoder = new TextDecoder();
const damaged = (): Error => new Error('the file is damaged');

/** Reads a varint; `[value, next position]`. Numbers beyond 2^53 are refused: nothing here needs them. */
function varint(bytes: Uint8Array, from: number): [value: number, next: number] {
  const [first = 128, second = 128] = [bytes[from], bytes[from + 1]];
  // Nearly all are small.
  if (first < 128) return [first, from + 1];
  if (second < 128) return [(first & 127) | (second << 7), from + 2];
  let value = 0n;
  for (let at = from, shift = 0n; shift < 70n; at++, shift += 7n) {
    const byte = bytes[at];
    if (byte === undefined) break;
    value |= BigInt(byte & 127) << shift;
    if (byte > 127) continue;
    const number = Number(BigInt.asIntN(64, value));
    if (!Number.isSafeInteger(number)) break;
    return [number, at + 1];
  }
  throw damaged();
}

export function fields(source: Uint8Array): Field[] {
  // Plain bytes, also of a Buffer, whose parts would be Buffers too.
  const message = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const out: Field[] = [];
  for (let at = 0; at < message.length;) {
    const [tag, start] = varint(message, at);
    const [number, wire] = [tag >>> 3, tag & 7];
    if (wire === 0) {
      const [value, next] = varint(message, start);
      out.push({ number, wire, value, bytes: none });
      at = next;
      continue;
    }
    let [length, from] = [wire === 1 ? 8 : 4, start];
    if (wire === 2) [length, from] = varint(message, start);
    else if (wire !== 1 && wire !== 5) throw damaged();
    if (length < 0 || from + length > message.length) throw damaged();
    out.push({ number, wire, value: 0, bytes: message.subarray(from, from + length) });
    at = from + length;
  }
  return out;
}

export const textOf = (field: Field | undefined): string => decoder.decode(field?.bytes);

/** Repeated integers may come one by one or packed. */
export function integersOf(field: Field): number[] {
  if (field.wire === 0) return [field.value];
  const out: number[] = [];
  for (let at = 0; at < field.bytes.length;) {
    const [value, next] = varint(field.bytes, at);
    out.push(value);
    at = next;
  }
  return out;
}

/** A message being written. Large values are kept as they are and copied once, at the end. */
export class Message {
  readonly #pieces: Uint8Array[] = [];
  #small: number[] = [];
  #length = 0;

  #varint(value: number): void {
    let rest = value;
    if (rest < 0 || rest > 0x7fffffff) {
      let large = BigInt.asUintN(64, BigInt(value));
      for (; large > 127n; large >>= 7n) this.#small.push(Number(large & 127n) | 128);
      this.#small.push(Number(large));
      return;
    }
    for (; rest > 127; rest >>>= 7) this.#small.push((rest & 127) | 128);
    this.#small.push(rest);
  }

  #flush(): void {
    if (this.#small.length === 0) return;
    this.#length += this.#small.length;
    this.#pieces.push(new Uint8Array(this.#small));
    this.#small = [];
  }

  #raw(bytes: Uint8Array): void {
    if (bytes.length < 64) {
      for (const byte of bytes) this.#small.push(byte);
      return;
    }
    this.#flush();
    this.#length += bytes.length;
    this.#pieces.push(bytes);
  }

  integer(number: number, value: number): this {
    this.#varint(number << 3);
    this.#varint(value);
    return this;
  }

  float(number: number, value: number): this {
    this.#varint((number << 3) | 5);
    this.#raw(new Uint8Array(Float32Array.of(value).buffer));
    return this;
  }

  bytes(number: number, value: Uint8Array): this {
    this.#varint((number << 3) | 2);
    this.#varint(value.length);
    this.#raw(value);
    return this;
  }

  text(number: number, value: string): this {
    return this.bytes(number, Buffer.from(value));
  }

  /** A message within this one. */
  message(number: number, value: Message): this {
    value.#flush();
    this.#varint((number << 3) | 2);
    this.#varint(value.#length);
    for (const piece of value.#pieces) this.#raw(piece);
    return this;
  }

  /** A field as it was read. */
  copy({ number, wire, value, bytes }: Field): this {
    if (wire === 0) return this.integer(number, value);
    if (wire === 2) return this.bytes(number, bytes);
    this.#varint((number << 3) | wire);
    this.#raw(bytes);
    return this;
  }

  finish(): Uint8Array {
    this.#flush();
    const out = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      out.set(piece, at);
      at += piece.length;
    }
    return out;
  }
}
