// Arithmetic on embeddings: plain vectors of a few hundred floats.

/** Four sums at a time: one that waits for its last addition takes three times as long. */
export function dot(a: Float32Array, b: Float32Array, bOffset = 0): number {
  const whole = a.length & ~3;
  let s = 0;
  let t = 0;
  let u = 0;
  let v = 0;
  for (let i = 0, j = bOffset; i < whole; i += 4, j += 4) {
    s += (a[i] as number) * (b[j] as number);
    t += (a[i + 1] as number) * (b[j + 1] as number);
    u += (a[i + 2] as number) * (b[j + 2] as number);
    v += (a[i + 3] as number) * (b[j + 3] as number);
  }
  for (let i = whole; i < a.length; i++) s += (a[i] as number) * (b[bOffset + i] as number);
  return s + t + (u + v);
}

/** No NaN and no infinity in it: either would make the sum of squares the same. */
export function isFiniteVector(vector: Float32Array): boolean {
  return Number.isFinite(dot(vector, vector));
}

/** A copy of length one; a vector of (nearly) no length stays zero, so it matches nothing. */
export function normalized(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length > 1e-9 ? vector.map((value) => value / length) : new Float32Array(vector.length);
}

/** The normalized weighted mean of embeddings of length one. */
export function weightedMean(vectors: readonly Float32Array[], weights: readonly number[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  vectors.forEach((vector, index) => {
    const weight = weights[index] ?? 0;
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + weight * (vector[i] as number);
  });
  return normalized(sum);
}
