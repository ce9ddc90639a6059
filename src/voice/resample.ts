/**
 * Sampling-rate conversion by a polyphase windowed-sinc filter. The filter is a Kaiser-windowed low-pass at
 * the lower of the two Nyquist frequencies: flat to 92 % of it, more than 70 dB down from 104 % on. The
 * little that can alias is above 96 % of the band, beyond the highest mel filter (7600 of 8000 Hz).
 */
import { kernelFloats, kernels } from './kernels/kernels.js';

const PASS_EDGE = 0.92;
const STOP_EDGE = 1.04;
const STOPBAND_DB = 75;
/** Above this many phases (odd rates such as 11,999 Hz) neighboring phases of a finer-grained table are interpolated. */
const PHASES_MAX = 640;

function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 60; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
    if (term < sum * 1e-16) break;
  }
  return sum;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

interface Filter {
  /** Rows of `taps` coefficients, one row per phase (plus one more for interpolation). */
  rows: Float32Array;
  taps: number;
  phases: number;
  exact: boolean;
  up: number;
  down: number;
}

const filters = new Map<string, Filter>();

function design(fromHz: number, toHz: number): Filter {
  const divisor = gcd(fromHz, toHz);
  const up = toHz / divisor;
  const down = fromHz / divisor;
  const exact = up <= PHASES_MAX;
  const phases = exact ? up : 512;
  const nyquist = Math.min(1, toHz / fromHz); // in units of the input's Nyquist frequency
  const cutoff = ((PASS_EDGE + STOP_EDGE) / 2) * nyquist;
  const width = (STOP_EDGE - PASS_EDGE) * nyquist * Math.PI;
  const half = Math.ceil((STOPBAND_DB - 8) / (2.285 * width) / 2) + 1;
  const taps = 4 * Math.ceil((2 * half) / 4);
  const beta = 0.1102 * (STOPBAND_DB - 8.7);
  const norm = besselI0(beta);
  const rowCount = exact ? phases : phases + 1;
  const rows = new Float32Array(rowCount * taps);
  for (let p = 0; p < rowCount; p++) {
    const row = new Float64Array(taps);
    let sum = 0;
    for (let k = 0; k < taps; k++) {
      // Distance, in input samples, from the output instant to input sample k of this row.
      const x = k - (taps / 2 - 1) - p / phases;
      const w = Math.abs(x) >= taps / 2 ? 0 : besselI0(beta * Math.sqrt(1 - (x / (taps / 2)) ** 2)) / norm;
      const v = (x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x)) * w;
      row[k] = v;
      sum += v;
    }
    // Each phase passes a constant unchanged, so silence with an offset stays silence.
    for (let k = 0; k < taps; k++) rows[p * taps + k] = (row[k] as number) / sum;
  }
  return { rows, taps, phases, exact, up, down };
}

function filterFor(fromHz: number, toHz: number): Filter {
  const key = `${fromHz}:${toHz}`;
  let filter = filters.get(key);
  if (filter === undefined) {
    if (filters.size >= 16) filters.clear();
    filter = design(fromHz, toHz);
    filters.set(key, filter);
  }
  return filter;
}

/**
 * For odd rates: each output falls between two rows of the table. Such files are rare, so this stays plain
 * code.
 */
function runBetween(
  filter: Filter,
  input: Float32Array,
  inputAt: number,
  out: Float32Array,
  firstOutput: number,
): void {
  const { rows, taps, phases, up, down } = filter;
  const lead = taps / 2 - 1;
  for (let n = 0; n < out.length; n++) {
    const position = (firstOutput + n) * down;
    const whole = Math.floor(position / up);
    const fine = ((position - whole * up) / up) * phases;
    const row = Math.floor(fine);
    const base = whole - lead - inputAt;
    let at = row * taps;
    let a = 0;
    let b = 0;
    for (let k = 0; k < taps; k++, at++) {
      const v = input[base + k] as number;
      a += (rows[at] as number) * v;
      b += (rows[at + taps] as number) * v;
    }
    out[n] = a + (b - a) * (fine - row);
  }
}

/** Doubles the rate, as telephone audio needs it. The kernel begins at a whole input, so `skip` is 0 or 1. */
function runDouble({ rows, taps }: Filter, input: Float32Array, out: Float32Array, skip: number): void {
  const groups = Math.ceil((skip + out.length) / 32);
  const outAt = rows.length + Math.max(input.length, 16 * groups + taps);
  const memory = kernelFloats(4 * (outAt + 32 * groups));
  memory.set(rows, 0);
  memory.set(input, rows.length);
  kernels().firDouble(0, taps, 4 * rows.length, 4 * outAt, groups);
  out.set(memory.subarray(outAt + skip, outAt + skip + out.length));
}

/** Fills `out` with the outputs from number `firstOutput` on; `input` begins at input sample number `inputAt`. */
function run(
  filter: Filter,
  input: Float32Array,
  inputAt: number,
  out: Float32Array,
  firstOutput: number,
): void {
  if (out.length === 0) return;
  if (!filter.exact) {
    runBetween(filter, input, inputAt, out, firstOutput);
    return;
  }
  const { rows, taps, up, down } = filter;
  const position = firstOutput * down;
  const whole = Math.floor(position / up);
  const base = whole - (taps / 2 - 1) - inputAt;
  if (up === 2 && down === 1) {
    runDouble(filter, input.subarray(base), out, firstOutput - 2 * whole);
    return;
  }
  const inputFloats = rows.length;
  const outFloats = inputFloats + input.length - base + taps;
  const memory = kernelFloats(4 * (outFloats + out.length));
  memory.set(rows, 0);
  memory.set(base === 0 ? input : input.subarray(base), inputFloats);
  kernels().fir(
    0,
    taps,
    4 * inputFloats,
    4 * outFloats,
    out.length,
    up,
    Math.floor(down / up),
    down % up,
    position - whole * up,
  );
  out.set(memory.subarray(outFloats, outFloats + out.length));
}

/** Incremental conversion; the concatenated pieces equal the conversion of the whole. */
export class Resampler {
  readonly #fromHz: number;
  readonly #toHz: number;
  readonly #filter: Filter | undefined;
  #buffer: Float32Array;
  #bufferAt: number;
  #received = 0;
  #emitted = 0;

  constructor(fromHz: number, toHz: number) {
    this.#fromHz = fromHz;
    this.#toHz = toHz;
    if (fromHz === toHz) {
      this.#buffer = new Float32Array(0);
      this.#bufferAt = 0;
      return;
    }
    this.#filter = filterFor(fromHz, toHz);
    const lead = this.#filter.taps / 2 - 1;
    this.#buffer = new Float32Array(lead);
    this.#bufferAt = -lead;
  }

  /** If there is nothing to convert, returns the chunk itself. */
  push(chunk: Float32Array): Float32Array {
    if (this.#filter === undefined) return chunk;
    this.#received += chunk.length;
    return this.#advance(chunk, this.#received);
  }

  /** Pads the end with silence and delivers the rest, so that the output is as long as the input in time. */
  flush(): Float32Array {
    if (this.#filter === undefined) return new Float32Array(0);
    const total = Math.round((this.#received * this.#toHz) / this.#fromHz);
    const out = this.#advance(new Float32Array(this.#filter.taps), this.#received + this.#filter.taps, total);
    return out;
  }

  #advance(chunk: Float32Array, available: number, limit = Infinity): Float32Array {
    const filter = this.#filter as Filter;
    const joined = new Float32Array(this.#buffer.length + chunk.length);
    joined.set(this.#buffer);
    joined.set(chunk, this.#buffer.length);
    // The last output whose window (whole + taps/2) lies within the input so far.
    const lastWhole = available - 1 - filter.taps / 2;
    const possible = lastWhole < 0 ? 0 : Math.floor(((lastWhole + 1) * filter.up - 1) / filter.down) + 1;
    const count = Math.max(0, Math.min(possible, limit) - this.#emitted);
    const out = new Float32Array(count);
    run(filter, joined, this.#bufferAt, out, this.#emitted);
    this.#emitted += count;
    const nextWhole = Math.floor((this.#emitted * filter.down) / filter.up);
    const drop = Math.max(0, Math.min(joined.length, nextWhole - (filter.taps / 2 - 1) - this.#bufferAt));
    this.#buffer = joined.slice(drop);
    this.#bufferAt += drop;
    return out;
  }
}

/** Converts a whole signal, in pieces, so that the extra memory stays small for an hour of audio. */
export function resample(samples: Float32Array, fromHz: number, toHz = 16000): Float32Array {
  if (fromHz === toHz) return samples;
  const out = new Float32Array(Math.round((samples.length * toHz) / fromHz));
  const resampler = new Resampler(fromHz, toHz);
  const piece = 1 << 16;
  let at = 0;
  const put = (part: Float32Array): void => {
    const fit = part.length > out.length - at ? part.subarray(0, out.length - at) : part;
    out.set(fit, at);
    at += fit.length;
  };
  for (let from = 0; from < samples.length; from += piece)
    put(resampler.push(samples.subarray(from, from + piece)));
  put(resampler.flush());
  return out;
}
