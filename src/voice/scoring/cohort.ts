// Adaptive score normalization: how an embedding scores against the strangers that resemble it most.
// A raw cosine means little by itself; in units of these strangers' spread it means the same for all.
import { dot } from '../embedding/vector.js';
import type { Bandwidth, Cohort } from './speaker-model.js';

export interface NormStatistics {
  mean: number;
  sd: number;
}

/** Statistics against the strangers of either bandwidth. */
export type NormPair = Record<Bandwidth, NormStatistics>;

const neutral: NormStatistics = { mean: 0, sd: 1 };

/** Mean and spread of the largest cosines. */
function topStatistics(scores: Float32Array, topN: number, minSd: number): NormStatistics {
  const sorted = scores.sort();
  const count = Math.min(topN, sorted.length);
  if (count === 0) return neutral;
  const top = sorted.subarray(sorted.length - count);
  let mean = 0;
  for (const value of top) mean += value / count;
  let variance = 0;
  for (const value of top) variance += (value - mean) ** 2 / count;
  return { mean, sd: Math.max(Math.sqrt(variance), minSd) };
}

export function cohortStatistics(cohort: Cohort, embedding: Float32Array, band: Bandwidth): NormStatistics {
  const rows = cohort[band];
  const scores = new Float32Array(Math.floor(rows.length / cohort.dim));
  for (let row = 0; row < scores.length; row++) scores[row] = dot(embedding, rows, row * cohort.dim);
  return topStatistics(scores, cohort.topN, cohort.minSd);
}

// One audio is often scored against many prints; its statistics are the same each time.
const remembered = new WeakMap<Float32Array, { cohort: Cohort; pair: Partial<NormPair> }>();

export function rememberedStatistics(
  cohort: Cohort | undefined,
  embedding: Float32Array,
  band: Bandwidth,
): NormStatistics {
  if (!cohort) return neutral;
  let entry = remembered.get(embedding);
  if (!entry || entry.cohort !== cohort) {
    entry = { cohort, pair: {} };
    remembered.set(embedding, entry);
  }
  return (entry.pair[band] ??= cohortStatistics(cohort, embedding, band));
}
