/**
 * Spread of the formants of a voiced frame: half the distance from the first to the third resonance of an all-pole model at
 * 8 kHz. It follows the length of the vocal tract, and a telephone band keeps it.
 */
export const formantRateHz = 8000;
export const formantWindow = 240;
const order = 10;
const gridHz = 50;
const lowHz = 200;
const highHz = 3600;

const window = Float64Array.from(
  { length: formantWindow },
  (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (formantWindow - 1)),
);
const grid = Array.from({ length: (highHz - lowHz) / gridHz + 1 }, (_, i) => lowHz + i * gridHz);
const cosines = grid.map((hz) =>
  Float64Array.from({ length: order + 1 }, (_, k) => Math.cos((2 * Math.PI * hz * k) / formantRateHz)),
);
const sines = grid.map((hz) =>
  Float64Array.from({ length: order + 1 }, (_, k) => Math.sin((2 * Math.PI * hz * k) / formantRateHz)),
);

/** Levinson-Durbin; undefined for a frame without energy. */
function predictor(r: Float64Array): Float64Array | undefined {
  let error = r[0] as number;
  if (error < 1e-9) return undefined;
  const a = new Float64Array(order + 1);
  a[0] = 1;
  for (let i = 1; i <= order; i++) {
    let acc = r[i] as number;
    for (let j = 1; j < i; j++) acc += (a[j] as number) * (r[i - j] as number);
    const k = -acc / error;
    const previous = a.slice();
    for (let j = 1; j < i; j++) a[j] = (previous[j] as number) + k * (previous[i - j] as number);
    a[i] = k;
    error *= 1 - k * k;
    if (error <= 0) return undefined;
  }
  return a;
}

/** (F3 - F1) / 2 in Hz, or 0 where three resonances cannot be told apart. */
export function frameFormantSpreadHz(x: Float32Array, at: number): number {
  if (at < 1 || at + formantWindow > x.length) return 0;
  const frame = new Float64Array(formantWindow);
  for (let i = 0; i < formantWindow; i++)
    frame[i] = ((x[at + i] as number) - 0.9 * (x[at + i - 1] as number)) * (window[i] as number);
  const r = new Float64Array(order + 1);
  for (let k = 0; k <= order; k++) {
    let sum = 0;
    for (let i = k; i < formantWindow; i++) sum += (frame[i] as number) * (frame[i - k] as number);
    r[k] = sum;
  }
  r[0] = (r[0] as number) * 1.0001;
  const a = predictor(r);
  if (a === undefined) return 0;
  const level = new Float64Array(grid.length);
  for (let g = 0; g < grid.length; g++) {
    let re = 0;
    let im = 0;
    for (let k = 0; k <= order; k++) {
      re += (a[k] as number) * (cosines[g] as Float64Array)[k]!;
      im += (a[k] as number) * (sines[g] as Float64Array)[k]!;
    }
    level[g] = -(re * re + im * im);
  }
  const peaks: number[] = [];
  for (let g = 1; g + 1 < grid.length && peaks.length < 3; g++) {
    if ((level[g] as number) > (level[g - 1] as number) && (level[g] as number) >= (level[g + 1] as number))
      peaks.push(grid[g] as number);
  }
  const [first, , third] = peaks;
  return first !== undefined && third !== undefined ? (third - first) / 2 : 0;
}
