/** Energies of the 25 ms frames that the features use, and the percentiles taken from them. */
import { GrowingFloats } from '../float-buffers.js';

const FRAME_LENGTH = 400;
/**
 * Samples per partial sum that frames share: a frame is exactly five of these, and the next begins two later.
 */
const PIECE = 80;
const PIECES = 5;
const HOP_PIECES = 2;

/**
 * Mean square of each frame with its own mean removed: a DC offset is not sound. Samples at 16 kHz come in
 * any pieces.
 */
export class FrameEnergies {
  readonly #energies = new GrowingFloats();
  /** Sums of the newest pieces, each at its number modulo five. */
  readonly #sums = new Float64Array(PIECES);
  readonly #squares = new Float64Array(PIECES);
  #pieces = 0;
  #sum = 0;
  #square = 0;
  #filled = 0;

  get heldBytes(): number {
    return this.#energies.heldBytes;
  }

  push(samples16k: Float32Array): void {
    for (let done = 0; done < samples16k.length;) {
      const end = Math.min(samples16k.length, done + PIECE - this.#filled);
      let sum = this.#sum;
      let square = this.#square;
      for (let i = done; i < end; i++) {
        const value = samples16k[i] as number;
        sum += value;
        square += value * value;
      }
      this.#sum = sum;
      this.#square = square;
      this.#filled += end - done;
      done = end;
      if (this.#filled === PIECE) this.#endPiece();
    }
  }

  between(from: number, to: number): Float32Array {
    return this.#energies.subarray(from, to);
  }

  forgetBefore(frame: number): void {
    this.#energies.forgetMostBefore(frame);
  }

  #endPiece(): void {
    this.#sums[this.#pieces % PIECES] = this.#sum;
    this.#squares[this.#pieces % PIECES] = this.#square;
    this.#sum = this.#square = this.#filled = 0;
    this.#pieces++;
    if (this.#pieces < PIECES || (this.#pieces - PIECES) % HOP_PIECES !== 0) return;
    let sum = 0;
    let square = 0;
    // Oldest first, so that the result is identical to the last bit wherever the ring begins.
    for (let i = 0; i < PIECES; i++) {
      sum += this.#sums[(this.#pieces + i) % PIECES] as number;
      square += this.#squares[(this.#pieces + i) % PIECES] as number;
    }
    const mean = sum / FRAME_LENGTH;
    this.#energies.push(Math.max(0, square / FRAME_LENGTH - mean * mean));
  }
}

/** Percentile of sorted values, with linear interpolation between neighbors. */
export function percentile(sorted: ArrayLike<number>, fraction: number): number {
  if (sorted.length === 0) return 0;
  const at = fraction * (sorted.length - 1);
  const low = Math.floor(at);
  const a = sorted[low] as number;
  const b = sorted[Math.min(sorted.length - 1, low + 1)] as number;
  return a + (b - a) * (at - low);
}

export function toDb(power: number): number {
  return 10 * Math.log10(Math.max(power, 1e-12));
}
