/**
 * The sound of a recording in bits that survive a change of rate, codec, level or length: between which
 * neighboring bands, within those of a telephone, the energy moved up or down. It tells whether two
 * recordings are of the same moment, not who speaks, and depends on no model. Computed while the sound passes
 * by.
 */
import { GrowingFloats } from '../float-buffers.js';

/** One word per 40 ms: 15 bits of shape; the highest bit says that there is speech. */
export type Fingerprint = Uint16Array;

export const SHAPE_BITS = 15;
export const SPEECH_BIT = 1 << SHAPE_BITS;
export const STEP_MS = 40;

const BINS = 80;
const STEP_FRAMES = 4;
/** From 270 to 3,400 Hz. */
const FIRST_BIN = 9;
const BINS_PER_BAND = 3;
const BANDS = SHAPE_BITS + 1;
/** A word compares the 80 ms up to its step with the 80 ms before, this many steps back. */
const STEPS_PER_SIDE = 2;
const STEPS_PER_WORD = 2 * STEPS_PER_SIDE;
/** Three minutes: far more than the speech that becomes a print. Later sound is ignored. */
const STEPS_MAX = 4500;

export class FingerprintMaker {
  /** Energies of the bands, step by step. */
  readonly #bands = new GrowingFloats(BANDS * STEPS_PER_WORD);
  readonly #step = new Float32Array(BANDS);
  readonly #words = new GrowingFloats();
  #frames = 0;

  get heldBytes(): number {
    return this.#bands.heldBytes + this.#words.heldBytes;
  }

  /** Takes log-mel rows, in order. */
  rows(logmel: Float32Array): void {
    const step = this.#step;
    for (let row = 0; row < logmel.length && this.#words.length < STEPS_MAX; row += BINS) {
      for (let band = 0, bin = row + FIRST_BIN; band < BANDS; band++, bin += BINS_PER_BAND)
        step[band] =
          (step[band] as number) +
          ((logmel[bin] as number) + (logmel[bin + 1] as number) + (logmel[bin + 2] as number));
      this.#frames++;
      if (this.#frames % STEP_FRAMES === 0) this.#endStep();
    }
  }

  #endStep(): void {
    this.#bands.append(this.#step);
    this.#step.fill(0);
    const steps = this.#bands.length / BANDS;
    this.#words.push(steps < STEPS_PER_WORD ? 0 : this.#word(steps));
    this.#bands.forgetBefore((steps - STEPS_PER_WORD + 1) * BANDS);
  }

  #word(steps: number): number {
    const moved = (band: number): number => {
      let sum = 0;
      for (let back = 1; back <= STEPS_PER_WORD; back++) {
        const energy = this.#bands.at((steps - back) * BANDS + band);
        sum += back <= STEPS_PER_SIDE ? energy : -energy;
      }
      return sum;
    };
    let word = 0;
    let below = moved(0);
    for (let bit = 0; bit < SHAPE_BITS; bit++) {
      const above = moved(bit + 1);
      if (above > below) word |= 1 << bit;
      below = above;
    }
    return word;
  }

  /** `mask`: one entry per frame so far, 1 is speech. Frames beyond it are left out. */
  fingerprint(mask: Uint8Array): Fingerprint {
    const words = Uint16Array.from(this.#words.subarray(0, Math.floor(mask.length / STEP_FRAMES)));
    for (let step = STEPS_PER_WORD - 1; step < words.length; step++)
      // The middle of the sound that the word compares.
      if (mask[(step + 1 - STEPS_PER_SIDE) * STEP_FRAMES] === 1)
        words[step] = (words[step] as number) | SPEECH_BIT;
    return words;
  }
}

/** A copy of the part up to a time. */
export const endingAt = (words: Fingerprint, ms: number): Fingerprint =>
  words.slice(0, Math.ceil(ms / STEP_MS));

const VERSION = 1;

/** For storage: a version, then the words, little endian. */
export function encodeFingerprint(words: Fingerprint): Uint8Array {
  const bytes = new Uint8Array(1 + 2 * words.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = VERSION;
  words.forEach((word, index) => view.setUint16(1 + 2 * index, word, true));
  return bytes;
}

export function decodeFingerprint(bytes: Uint8Array): Fingerprint {
  if (bytes[0] !== VERSION || bytes.length % 2 !== 1)
    throw new RangeError('not a fingerprint of this version');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint16Array.from({ length: (bytes.length - 1) / 2 }, (_, index) =>
    view.getUint16(1 + 2 * index, true),
  );
}
