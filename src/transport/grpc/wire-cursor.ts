// The wire types of protobuf; a place in the bytes of a request, and how values are read from there on. Every
// read ends inside the bytes or throws; nothing is copied but text.
import { isUtf8 } from 'node:buffer';

export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
const START_GROUP = 3;
const END_GROUP = 4;
export const FIXED32 = 5;

/** Text up to this length is looked at byte by byte: nearly all of it is ASCII, which needs no decoder. */
const SHORT_TEXT = 64;

export class WireCursor {
  readonly #bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Field number and wire type in one number, as they stand in the bytes. */
  tag(): number {
    const from = this.at;
    const tag = this.uint32();
    const length = this.at - from;
    if (length > 5 || (length === 5 && (this.#bytes[this.at - 1] as number) > 0x0f))
      throw new Error('a field number is out of range');
    if (tag >>> 3 === 0) throw new Error('a field has the number 0');
    if ((tag & 7) > FIXED32) throw new Error(`a value has the unknown wire type ${tag & 7}`);
    return tag;
  }

  /** Where a length-delimited value ends that begins here; its content may not reach beyond the bytes. */
  end(): number {
    const length = this.uint32();
    const end = this.at + length;
    if (end > this.#bytes.length) throw cutShort();
    return end;
  }

  /** 32 bits; what is wider is cut down, as the format asks for. */
  uint32(): number {
    const bytes = this.#bytes;
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[this.at++];
      if (byte === undefined) throw cutShort();
      if (shift < 28) value |= (byte & 0x7f) << shift;
      else if (shift === 28) value |= (byte & 0x0f) << 28;
      if (byte < 0x80) return value >>> 0;
    }
    throw new Error('a number has more than ten bytes');
  }

  int32(): number {
    return this.uint32() | 0;
  }

  sint32(): number {
    const value = this.uint32();
    return (value >>> 1) ^ -(value & 1);
  }

  uint64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.at++];
      if (byte === undefined) throw cutShort();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new Error('a number has more than ten bytes');
  }

  int64(): bigint {
    return BigInt.asIntN(64, this.uint64());
  }

  sint64(): bigint {
    const value = this.uint64();
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
  }

  bool(): boolean {
    const byte = this.#bytes[this.at];
    if (byte !== undefined && byte < 0x80) {
      this.at += 1;
      return byte !== 0;
    }
    return this.uint64() !== 0n;
  }

  fixed32(): number {
    return this.#bytes.readUInt32LE(this.#advance(4));
  }

  sfixed32(): number {
    return this.#bytes.readInt32LE(this.#advance(4));
  }

  float(): number {
    return this.#bytes.readFloatLE(this.#advance(4));
  }

  fixed64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#advance(8));
  }

  sfixed64(): bigint {
    return this.#bytes.readBigInt64LE(this.#advance(8));
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#advance(8));
  }

  /** A view, not a copy: the bytes of a request belong to it alone. */
  binary(): Uint8Array {
    const end = this.end();
    const value = this.#bytes.subarray(this.at, end);
    this.at = end;
    return value;
  }

  text(): string {
    const end = this.end();
    const from = this.at;
    this.at = end;
    if (end - from <= SHORT_TEXT) {
      let at = from;
      while (at < end && (this.#bytes[at] as number) < 0x80) at += 1;
      if (at === end) return this.#bytes.toString('latin1', from, end);
    }
    if (!isUtf8(this.#bytes.subarray(from, end))) throw new Error('text is not valid UTF-8');
    return this.#bytes.toString('utf8', from, end);
  }

  /** Passes over a value of a field that nobody knows. */
  skip(tag: number, depthLeft: number): void {
    switch (tag & 7) {
      case VARINT:
        this.#skipVarint();
        return;
      case FIXED64:
        this.#advance(8);
        return;
      case LENGTH_DELIMITED:
        this.at = this.end();
        return;
      case START_GROUP:
        this.#skipGroup(tag >>> 3, depthLeft);
        return;
      case FIXED32:
        this.#advance(4);
        return;
      default:
        throw new Error('a group ends that did not begin');
    }
  }

  #skipVarint(): void {
    for (;;) {
      const byte = this.#bytes[this.at++];
      if (byte === undefined) throw cutShort();
      if (byte < 0x80) return;
    }
  }

  #skipGroup(number: number, depthLeft: number): void {
    if (depthLeft <= 0) throw new Error('groups are nested too deeply');
    for (;;) {
      const tag = this.tag();
      if ((tag & 7) !== END_GROUP) {
        this.skip(tag, depthLeft - 1);
        continue;
      }
      if (tag >>> 3 !== number) throw new Error('a group ends that did not begin');
      return;
    }
  }

  #advance(bytes: number): number {
    const from = this.at;
    this.at += bytes;
    if (this.at > this.#bytes.length) throw cutShort();
    return from;
  }
}

function cutShort(): Error {
  return new Error('the message is cut short');
}
