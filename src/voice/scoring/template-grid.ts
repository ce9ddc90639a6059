// The numeric format of templates: steps of a power of two, about 16 bits each, instead of 32-bit floats. A
// voice is described far less exactly than that, and a million templates need half the memory. Every template
// is put on this grid when it is made and when it is read, so that a print gives the same score wherever it
// is compared.

/** Both bytes of a step are within -127..127, the upper one rounded, so that a scan may use it alone. */
const STEPS_MAX = 127 * 256 + 127;
const EXPONENT_MIN = -120;
const EXPONENT_MAX = 120;

/**
 * The finest grid that holds the vector: steps of 2^-exponent. A vector already on its grid gets the same one
 * again.
 */
export function gridExponent(vector: Float32Array): number {
  let peak = 0;
  for (let i = 0; i < vector.length; i++) peak = Math.max(peak, Math.abs(vector[i] as number));
  if (peak === 0) return 0;
  let exponent = Math.floor(Math.log2(STEPS_MAX / peak));
  while (Math.round(peak * 2 ** exponent) > STEPS_MAX) exponent -= 1;
  while (Math.round(peak * 2 ** (exponent + 1)) <= STEPS_MAX) exponent += 1;
  return Math.min(EXPONENT_MAX, Math.max(EXPONENT_MIN, exponent));
}

/** A copy on the grid. */
export function onGrid(vector: Float32Array): Float32Array {
  const exponent = gridExponent(vector);
  const [steps, step] = [2 ** exponent, 2 ** -exponent];
  const out = new Float32Array(vector.length);
  // Never a negative zero: a vector rebuilt from integers has none.
  for (let i = 0; i < out.length; i++) out[i] = (Math.round((vector[i] as number) * steps) + 0) * step;
  return out;
}
