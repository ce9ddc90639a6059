/**
 * Numbers that arrive in order and are looked up by their position in the whole. A file keeps all of them; a
 * call, which may last for hours, keeps the parts that are still needed.
 */

export interface FloatStore {
  /** How many have been appended so far. */
  readonly length: number;
  readonly heldBytes: number;
  append(part: Float32Array): void;
  /** The values between two positions; throws if they were discarded. */
  subarray(from: number, to: number): Float32Array;
  /** The same, but only valid until the next access or change. */
  view(from: number, to: number): Float32Array;
}

const FORGOTTEN_TOGETHER = 2000;

/** From one position up to, but not including, another. */
export type Range = readonly [from: number, to: number];

/** A copy of all of them, concatenated. */
export function joinedFloats(parts: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** One contiguous block of memory; only its beginning can be discarded. */
export class GrowingFloats implements FloatStore {
  #data: Float32Array;
  #from = 0;
  length = 0;

  constructor(room = 256) {
    this.#data = new Float32Array(room);
  }

  get heldBytes(): number {
    return this.#data.byteLength;
  }

  append(part: Float32Array): void {
    this.#makeRoom(part.length);
    this.#data.set(part, this.length - this.#from);
    this.length += part.length;
  }

  /** Appends one value: many come every second, and an array around each would cost more than it holds. */
  push(value: number): void {
    this.#makeRoom(1);
    this.#data[this.length++ - this.#from] = value;
  }

  #makeRoom(count: number): void {
    const kept = this.length - this.#from;
    if (kept + count <= this.#data.length) return;
    const larger = new Float32Array(Math.max(kept + count, Math.ceil(1.5 * this.#data.length)));
    larger.set(this.#data.subarray(0, kept));
    this.#data = larger;
  }

  /** Removes the values that were appended last. */
  shorten(length: number): void {
    this.length = length;
  }

  /** Values before this position were discarded. */
  get from(): number {
    return this.#from;
  }

  /** The value must not have been discarded. */
  at(place: number): number {
    return this.#data[place - this.#from] as number;
  }

  /** Not a copy: valid until the next change. */
  subarray(from: number, to: number): Float32Array {
    if (from < this.#from) throw new RangeError(`what lies at ${from} was forgotten`);
    return this.#data.subarray(from - this.#from, Math.min(to, this.length) - this.#from);
  }

  view(from: number, to: number): Float32Array {
    return this.subarray(from, to);
  }

  forgetBefore(place: number): void {
    const to = Math.min(place, this.length);
    if (to <= this.#from) return;
    this.#data.copyWithin(0, to - this.#from, this.length - this.#from);
    this.#from = to;
  }

  /** The same, but only now and then: moving the kept values costs in proportion to their number. */
  forgetMostBefore(place: number): void {
    if (place - this.#from >= FORGOTTEN_TOGETHER) this.forgetBefore(place);
  }
}

/**
 * Memory freed by calls is reused: allocating it again for each second of each call would keep the garbage
 * collector busy.
 */
const SPARE_PIECES_MAX = 64;
const spares = new Map<number, Float32Array[]>();
let viewed = new Float32Array(32_768);

/** In pieces of one size, any of which can be discarded. */
export class FloatPieces implements FloatStore {
  readonly #pieceLength: number;
  readonly #pieces = new Map<number, Float32Array>();
  length = 0;

  constructor(pieceLength: number) {
    this.#pieceLength = pieceLength;
  }

  get heldBytes(): number {
    return 4 * this.#pieceLength * this.#pieces.size;
  }

  append(part: Float32Array): void {
    for (let done = 0; done < part.length;) {
      const number = Math.floor(this.length / this.#pieceLength);
      const within = this.length - number * this.#pieceLength;
      const piece =
        this.#pieces.get(number) ??
        spares.get(this.#pieceLength)?.pop() ??
        new Float32Array(this.#pieceLength);
      this.#pieces.set(number, piece);
      const count = Math.min(this.#pieceLength - within, part.length - done);
      piece.set(part.subarray(done, done + count), within);
      this.length += count;
      done += count;
    }
  }

  /** A copy. */
  subarray(from: number, to: number): Float32Array {
    return this.#copy(from, to, new Float32Array(Math.max(0, Math.min(to, this.length) - from)));
  }

  view(from: number, to: number): Float32Array {
    const count = Math.max(0, Math.min(to, this.length) - from);
    if (count > viewed.length) viewed = new Float32Array(2 * count);
    return this.#copy(from, to, viewed.subarray(0, count));
  }

  #copy(from: number, to: number, out: Float32Array): Float32Array {
    const end = Math.min(to, this.length);
    for (let at = from; at < end;) {
      const number = Math.floor(at / this.#pieceLength);
      const piece = this.#pieces.get(number);
      if (!piece) throw new RangeError(`what lies at ${at} was forgotten`);
      const pieceFrom = number * this.#pieceLength;
      const stop = Math.min(end, pieceFrom + this.#pieceLength);
      out.set(piece.subarray(at - pieceFrom, stop - pieceFrom), at - from);
      at = stop;
    }
    return out;
  }

  /** Discards every piece that none of these ranges touches, except the one that is being filled. */
  keepOnly(needed: readonly Range[]): void {
    for (const number of this.#pieces.keys()) {
      const from = number * this.#pieceLength;
      const to = from + this.#pieceLength;
      if (to <= this.length && !needed.some((range) => range[0] < to && range[1] > from))
        this.#giveBack(number);
    }
  }

  #giveBack(number: number): void {
    const piece = this.#pieces.get(number);
    this.#pieces.delete(number);
    const unused = spares.get(this.#pieceLength) ?? [];
    spares.set(this.#pieceLength, unused);
    // Zeroed, so that no speech is left behind.
    if (piece && unused.length < SPARE_PIECES_MAX) unused.push(piece.fill(0));
  }
}
