// Arithmetic on embeddings: plain vectors of a few hundred floats.

/** Uses four sums: a single one would wait for each addition and take three times as long. */
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

/** Whether it contains no NaN and no infinity: either one would make the sum of squares non-finite too. */
export function isFiniteVector(vector: Float32Array): boolean {
  return Number.isFinite(dot(vector, vector));
}

/** A copy of length one; a vector of (nearly) zero length stays zero, so that it matches nothing. */
export function normalized(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length > 1e-9 ? vector.map((value) => value / length) : new Float32Array(vector.length);
}

/** The normalized weighted mean of unit-length embeddings. */
export function weightedMean(vectors: readonly Float32Array[], weights: readonly number[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  vectors.forEach((vector, index) => {
    const weight = weights[index] ?? 0;
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + weight * (vector[i] as number);
  });
  return normalized(sum);
}
