/**
 * Bits of a Vorbis packet, lowest bit of each byte first. Beyond the end it returns zeros and sets `ended`:
 * by the format, that is an ordinary way for a packet to stop.
 */
export class VorbisBits {
  readonly #bytes: Uint8Array;
  #bit = 0;

  constructor(bytes: Uint8Array, startByte = 0) {
    this.#bytes = bytes;
    this.#bit = 8 * startByte;
  }

  /** More bits were read than there are. */
  get ended(): boolean {
    return this.#bit > 8 * this.#bytes.length;
  }

  one(): 0 | 1 {
    const byte = this.#bytes[this.#bit >> 3] ?? 0;
    const bit = (byte >> (this.#bit & 7)) & 1;
    this.#bit++;
    return bit as 0 | 1;
  }

  /** Up to 32 bits, unsigned. */
  read(count: number): number {
    let value = 0;
    for (let done = 0; done < count;) {
      const within = this.#bit & 7;
      const take = Math.min(8 - within, count - done);
      const byte = this.#bytes[this.#bit >> 3] ?? 0;
      value += ((byte >> within) & ((1 << take) - 1)) * 2 ** done;
      this.#bit += take;
      done += take;
    }
    return value;
  }
}

/** Bits needed to write a number: 0 for 0. */
export const bitsOf = (value: number): number => (value <= 0 ? 0 : 32 - Math.clz32(value));
