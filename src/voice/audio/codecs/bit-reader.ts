/** Big-endian bit reader for FLAC. Reading past the end throws, so a truncated frame cannot loop on imaginary zeros. */
import { DecodeFault } from '../types.js';

export class BitReader {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;
  #word = 0;
  #left = 0;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
  }

  /** Position of the next unread byte; only meaningful on a byte boundary. */
  get byteOffset(): number {
    return this.#at - (this.#left >> 3);
  }

  align(): void {
    this.#left -= this.#left & 7;
    this.#word &= this.#left === 0 ? 0 : 2 ** this.#left - 1;
  }

  #fill(): void {
    if (this.#at >= this.#end)
      throw new DecodeFault('CORRUPT', 'The compressed audio ends in the middle of a frame.');
    this.#word = ((this.#word << 8) | (this.#bytes[this.#at++] as number)) & 0x7fffffff;
    this.#left += 8;
  }

  /** Up to 24 bits, unsigned. */
  small(bits: number): number {
    if (bits === 0) return 0;
    while (this.#left < bits) this.#fill();
    this.#left -= bits;
    const value = (this.#word >>> this.#left) & ((1 << bits) - 1);
    this.#word &= this.#left === 0 ? 0 : (1 << this.#left) - 1;
    return value;
  }

  /** Up to 40 bits, unsigned. */
  unsigned(bits: number): number {
    if (bits <= 16) return this.small(bits);
    const high = this.unsigned(bits - 16);
    return high * 65536 + this.small(16);
  }

  signed(bits: number): number {
    if (bits === 0) return 0;
    const v = this.unsigned(bits);
    const half = 2 ** (bits - 1);
    return v >= half ? v - 2 * half : v;
  }

  /** Number of zero bits before the next one bit. */
  unary(): number {
    let n = 0;
    for (;;) {
      if (this.#left === 0) this.#fill();
      if (this.#word === 0) {
        n += this.#left;
        this.#left = 0;
        continue;
      }
      const zeros = Math.clz32(this.#word) - (32 - this.#left);
      this.#left -= zeros + 1;
      this.#word &= this.#left === 0 ? 0 : (1 << this.#left) - 1;
      return n + zeros;
    }
  }
}
