/** The inverse transform of Vorbis: a DCT-IV by a complex FFT of a quarter of the block, unfolded to the whole block. */
export class InverseMdct {
  /** Samples per block. */
  readonly size: number;
  readonly #quarter: number;
  readonly #twist: Float64Array;
  readonly #roots: Float64Array;
  readonly #order: Uint32Array;
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #dct: Float64Array;

  /** `size` is a power of two, at least 8. */
  constructor(size: number) {
    this.size = size;
    const quarter = size / 4;
    const half = size / 2;
    this.#quarter = quarter;
    this.#twist = Float64Array.from({ length: size / 2 }, (_, i) => {
      const angle = (-Math.PI * ((i >> 1) + 0.25)) / half;
      return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
    });
    this.#roots = Float64Array.from({ length: quarter }, (_, i) => {
      const angle = (-2 * Math.PI * (i >> 1)) / quarter;
      return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
    });
    const bits = Math.log2(quarter);
    this.#order = Uint32Array.from({ length: quarter }, (_, i) => {
      let turned = 0;
      for (let b = 0; b < bits; b++) turned |= ((i >> b) & 1) << (bits - 1 - b);
      return turned;
    });
    this.#re = new Float64Array(quarter);
    this.#im = new Float64Array(quarter);
    this.#dct = new Float64Array(half);
  }

  /** From `size / 2` lines of the spectrum to `size` samples. */
  run(spectrum: Float32Array, out: Float32Array): void {
    const half = this.size / 2;
    const quarter = this.#quarter;
    const re = this.#re;
    const im = this.#im;
    const twist = this.#twist;
    const dct = this.#dct;
    for (let i = 0; i < quarter; i++) {
      const a = spectrum[2 * i] as number;
      const b = spectrum[half - 1 - 2 * i] as number;
      const c = twist[2 * i] as number;
      const s = twist[2 * i + 1] as number;
      const at = this.#order[i] as number;
      re[at] = a * c - b * s;
      im[at] = a * s + b * c;
    }
    this.#fft();
    for (let i = 0; i < quarter; i++) {
      const a = re[i] as number;
      const b = im[i] as number;
      const c = twist[2 * i] as number;
      const s = twist[2 * i + 1] as number;
      dct[2 * i] = a * c - b * s;
      dct[half - 1 - 2 * i] = -(a * s + b * c);
    }
    for (let i = 0; i < quarter; i++) {
      out[i] = dct[i + quarter] as number;
      out[half - 1 - i] = -(dct[i + quarter] as number);
      out[half + i] = -(dct[quarter - 1 - i] as number);
      out[2 * half - 1 - i] = -(dct[quarter - 1 - i] as number);
    }
  }

  /** In place; the input is in bit-reversed order. */
  #fft(): void {
    const re = this.#re;
    const im = this.#im;
    const roots = this.#roots;
    const n = this.#quarter;
    for (let span = 1; span < n; span *= 2) {
      const stride = n / (2 * span);
      for (let start = 0; start < n; start += 2 * span) {
        for (let k = 0; k < span; k++) {
          const c = roots[2 * k * stride] as number;
          const s = roots[2 * k * stride + 1] as number;
          const i = start + k;
          const j = start + k + span;
          const br = re[j] as number;
          const bi = im[j] as number;
          const tr = br * c - bi * s;
          const ti = br * s + bi * c;
          re[j] = (re[i] as number) - tr;
          im[j] = (im[i] as number) - ti;
          re[i] = (re[i] as number) + tr;
          im[i] = (im[i] as number) + ti;
        }
      }
    }
  }
}
