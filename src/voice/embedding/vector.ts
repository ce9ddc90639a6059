// Arithmetic on embeddings: plain vectors of a few hundred floats.

export function dot(a: Float32Array, b: Float32Array, bOffset = 0): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[bOffset + i] as number);
  return sum;
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
