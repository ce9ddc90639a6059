/**
 * Numbers that arrive in order and are looked up by their place in the whole. A file keeps all of them; a call that may last for
 * hours keeps the parts that somebody still needs.
 */

export interface FloatStore {
  /** How many there have been. */
  readonly length: number;
  readonly heldBytes: number;
  append(part: Float32Array): void;
  /** What lies between two places; throws where it was forgotten. */
  subarray(from: number, to: number): Float32Array;
  /** The same, good until anything is looked at, or changed, again. */
  view(from: number, to: number): Float32Array;
}

const FORGOTTEN_TOGETHER = 2000;

/** From one place up to, but without, another. */
export type Range = readonly [from: number, to: number];

/** A copy of all of them, one after another. */
export function joinedFloats(parts: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** One stretch of memory; only its beginning can be forgotten. */
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

  /** A single one: many of these come every second, and an array around each would cost more than it holds. */
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

  /** Takes back what was appended last. */
  shorten(length: number): void {
    this.length = length;
  }

  /** What lies before this was forgotten. */
  get from(): number {
    return this.#from;
  }

  /** Must not have been forgotten. */
  at(place: number): number {
    return this.#data[place - this.#from] as number;
  }

  /** Not a copy: good until the next change. */
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

  /** The same, but only now and then: to move what is kept costs as much as it is long. */
  forgetMostBefore(place: number): void {
    if (place - this.#from >= FORGOTTEN_TOGETHER) this.forgetBefore(place);
  }
}

/** Memory that calls give back is used again: to make it anew for each second of each call keeps the garbage collector busy. */
const SPARE_PIECES_MAX = 64;
const spares = new Map<number, Float32Array[]>();
let viewed = new Float32Array(32_768);

/** In pieces of one size, of which any can be forgotten. */
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

  /** Forgets every piece that none of these touches, except the one that is being filled. */
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
    // Of what was said nothing stays behind.
    if (piece && unused.length < SPARE_PIECES_MAX) unused.push(piece.fill(0));
  }
}
