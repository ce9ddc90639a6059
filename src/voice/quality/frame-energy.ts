/** Energies of the 25 ms frames that the features use, and the percentiles taken from them. */
import { GrowingFloats } from '../kept-floats.js';

const FRAME_LENGTH = 400;
/** Samples whose sums frames share: a frame is exactly five of these, and the next begins two later. */
const PIECE = 80;
const PIECES = 5;
const HOP_PIECES = 2;

/** Mean square of each frame with its own mean removed: an offset of the line is no sound. Samples at 16 kHz come in any pieces. */
export class FrameEnergies {
  readonly #energies = new GrowingFloats();
  /** Sums of the pieces of the frame that is not complete yet, oldest first. */
  #sums: number[] = [];
  #squares: number[] = [];
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
      [this.#sum, this.#square] = [sum, square];
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
    this.#sums.push(this.#sum);
    this.#squares.push(this.#square);
    this.#sum = this.#square = this.#filled = 0;
    if (this.#sums.length < PIECES) return;
    const mean = this.#sums.reduce((all, sum) => all + sum, 0) / FRAME_LENGTH;
    const square = this.#squares.reduce((all, sum) => all + sum, 0) / FRAME_LENGTH;
    this.#energies.append(Float32Array.of(Math.max(0, square - mean * mean)));
    this.#sums = this.#sums.slice(HOP_PIECES);
    this.#squares = this.#squares.slice(HOP_PIECES);
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
