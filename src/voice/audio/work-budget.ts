/**
 * A limit on work that yields no audio. Searching, checksums of pages that turn out wrong, and frames that
 * fail in the end cost time without filling the length limit, so a crafted file could go on with them for
 * hours. Useful work needs no limit here: each format costs a fixed amount per second of audio, and the
 * length is limited.
 */
import { DecodeFault } from './types.js';

/** Bytes examined, or samples decoded, in vain: a base amount, and an amount per byte of the file. */
const WASTED_UNITS_BASE = 4_000_000;
const WASTED_UNITS_PER_BYTE = 4;

export class WorkBudget {
  #left: number;

  constructor(fileBytes: number) {
    this.#left = WASTED_UNITS_BASE + WASTED_UNITS_PER_BYTE * fileBytes;
  }

  /** Counts work that led to nothing. */
  waste(units: number): void {
    this.#left -= units;
    if (this.#left < 0)
      throw new DecodeFault('CORRUPT', 'The file is so damaged that reading it would take too long.');
  }
}
