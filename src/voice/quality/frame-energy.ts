/** Energies of the 25 ms frames that the features use, and the percentiles taken from them. */

const FRAME_LENGTH = 400;
const HOP = 160;

/** Mean square of each frame with its own mean removed: an offset of the line is no sound. */
export function frameEnergies(samples16k: Float32Array): Float32Array {
  const frames =
    samples16k.length < FRAME_LENGTH ? 0 : 1 + Math.floor((samples16k.length - FRAME_LENGTH) / HOP);
  // Sums over pieces of 80 samples: every frame is exactly five of them.
  const piece = 80;
  const pieces = frames === 0 ? 0 : 2 * (frames - 1) + 5;
  const sum = new Float64Array(pieces);
  const square = new Float64Array(pieces);
  for (let p = 0, at = 0; p < pieces; p++) {
    let s = 0;
    let q = 0;
    for (let k = 0; k < piece; k++) {
      const v = samples16k[at++] as number;
      s += v;
      q += v * v;
    }
    sum[p] = s;
    square[p] = q;
  }
  const out = new Float32Array(frames);
  for (let f = 0; f < frames; f++) {
    let s = 0;
    let q = 0;
    for (let k = 0; k < 5; k++) {
      s += sum[2 * f + k] as number;
      q += square[2 * f + k] as number;
    }
    const mean = s / FRAME_LENGTH;
    out[f] = Math.max(0, q / FRAME_LENGTH - mean * mean);
  }
  return out;
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
