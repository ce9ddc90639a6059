// Short-time spectra of real signals and their inverse, for the attack makers and the bench's peer. Small
// rather than fast: nothing that serves calls uses it.

/** The transform of one length, a power of two. */
export class Fourier {
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;

  constructor(size: number) {
    const angle = (2 * Math.PI) / size;
    this.#cos = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos(angle * k));
    this.#sin = Float64Array.from({ length: size / 2 }, (_, k) => Math.sin(angle * k));
  }

  /** In place, forward (`sign` -1) or backward (1, not scaled). */
  transform(re: Float64Array, im: Float64Array, sign: 1 | -1): void {
    const n = re.length;
    for (let i = 1, j = 0; i < n; i++) {
      let bit = n >> 1;
      for (; j & bit; bit >>= 1) j ^= bit;
      j ^= bit;
      if (i < j) {
        const [a, b] = [re[i] as number, im[i] as number];
        re[i] = re[j] as number;
        im[i] = im[j] as number;
        re[j] = a;
        im[j] = b;
      }
    }
    for (let half = 1; half < n; half *= 2) this.#pass(re, im, half, sign);
  }

  /** Butterflies of one size. */
  #pass(re: Float64Array, im: Float64Array, half: number, sign: number): void {
    const n = re.length;
    const step = n / (2 * half);
    for (let k = 0; k < half; k++) {
      const c = this.#cos[k * step] as number;
      const s = sign * (this.#sin[k * step] as number);
      for (let at = k; at < n; at += 2 * half) {
        const a = re[at + half] as number;
        const b = im[at + half] as number;
        const x = a * c - b * s;
        const y = a * s + b * c;
        re[at + half] = (re[at] as number) - x;
        im[at + half] = (im[at] as number) - y;
        re[at] = (re[at] as number) + x;
        im[at] = (im[at] as number) + y;
      }
    }
  }
}

export interface Frames {
  /** One frame after another, `size` values each. */
  re: Float64Array;
  im: Float64Array;
  count: number;
}

/** Overlapping frames under a window whose overlapping squares add up to a constant. */
export class ShortTime {
  readonly size: number;
  readonly hop: number;
  readonly #window: Float64Array;
  readonly #fourier: Fourier;

  constructor(size: number, hop: number) {
    this.size = size;
    this.hop = hop;
    this.#fourier = new Fourier(size);
    this.#window = Float64Array.from({ length: size }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / size) ** 2);
  }

  forward(samples: Float32Array): Frames {
    const { size, hop } = this;
    const count = Math.max(1, Math.ceil((samples.length - size) / hop) + 1);
    const frames: Frames = { re: new Float64Array(count * size), im: new Float64Array(count * size), count };
    for (let frame = 0; frame < count; frame++) {
      const re = frames.re.subarray(frame * size, (frame + 1) * size);
      for (let i = 0; i < size; i++) re[i] = (samples[frame * hop + i] ?? 0) * (this.#window[i] as number);
      this.#fourier.transform(re, frames.im.subarray(frame * size, (frame + 1) * size), -1);
    }
    return frames;
  }

  /** Least-squares inverse, which also works for spectra that no signal has. Overwrites the frames. */
  backward(frames: Frames, length: number): Float32Array {
    const { size, hop } = this;
    const sum = new Float64Array(frames.count * hop + size);
    const weight = new Float64Array(sum.length);
    for (let frame = 0; frame < frames.count; frame++) {
      const re = frames.re.subarray(frame * size, (frame + 1) * size);
      this.#fourier.transform(re, frames.im.subarray(frame * size, (frame + 1) * size), 1);
      for (let i = 0; i < size; i++) {
        const w = this.#window[i] as number;
        const at = frame * hop + i;
        sum[at] = (sum[at] as number) + ((re[i] as number) / size) * w;
        weight[at] = (weight[at] as number) + w * w;
      }
    }
    // At the ends no window reaches its full weight, and dividing by next to nothing would make clicks.
    const least = 0.1 * weight.reduce((most, value) => Math.max(most, value), 0);
    return Float32Array.from({ length }, (_, i) => (sum[i] ?? 0) / Math.max(weight[i] ?? 0, least));
  }
}
