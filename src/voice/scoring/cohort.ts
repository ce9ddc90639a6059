// Adaptive score normalization: how an embedding scores against the strangers that resemble it most. A raw
// cosine means little by itself; in units of these strangers' spread it means the same for everybody.
import { createHash } from 'node:crypto';
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

/** Enough for the stretches of a few hundred running calls; beyond that all are discarded. */
const REMEMBERED_MAX = 8192;

// One audio is often scored against many prints, and a call has the same stretches again at every checkpoint:
// their statistics are the same each time. Only a digest is remembered, not the voice.
const remembered = new WeakMap<Cohort, Map<string, NormStatistics>>();

export function rememberedStatistics(
  cohort: Cohort | undefined,
  embedding: Float32Array,
  band: Bandwidth,
): NormStatistics {
  if (!cohort) return neutral;
  let known = remembered.get(cohort);
  if (!known) remembered.set(cohort, (known = new Map()));
  const key = `${band}${digestOf(embedding)}`;
  let statistics = known.get(key);
  if (!statistics) {
    if (known.size >= REMEMBERED_MAX) known.clear();
    statistics = cohortStatistics(cohort, embedding, band);
    known.set(key, statistics);
  }
  return statistics;
}

function digestOf({ buffer, byteOffset, byteLength }: Float32Array): string {
  return createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('base64');
}
