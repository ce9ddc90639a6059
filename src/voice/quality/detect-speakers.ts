/**
 * Counts the speakers in one recording from the embeddings of its windows, by average-linkage clustering. A
 * cluster counts as a speaker only with enough speech of its own, since single odd windows (laughter, two
 * voices at once) resemble nobody.
 */
import { usualLikeness } from '../scoring/speaker-model.js';

export interface SpeakerWindow {
  /** Length 1. */
  embedding: Float32Array;
  startMs: number;
  endMs: number;
}

interface SpeakerCountParams {
  /** Groups that are at least this alike (mean cosine) are one speaker. */
  sameSpeakerCosineMin: number;
  /** Windows a speaker must have. */
  windowsMin: number;
}

/**
 * Measured with the network of ecapa512-r2 on 24 recordings of one speaker and 24 of two (12 to 20 s, half of
 * them telephone): all of the former counted as one, 20 of the latter as two.
 */
const defaultSpeakerCountParams: Readonly<SpeakerCountParams> = Object.freeze({
  sameSpeakerCosineMin: usualLikeness.sameSpeakerMin,
  windowsMin: 2,
});

interface SpeakerCount {
  count: number;
  /** -10 to 10, how alike the two most different speakers sound; only when there are several. */
  segmentationScore: number | undefined;
  /** Speaker number per window, from 0; -1 for windows that belong to none. */
  labels: number[];
}

/** More windows than this are thinned out: the cost of clustering grows with the cube. */
const WINDOWS_MAX = 64;

export function detectSpeakers(
  windows: readonly SpeakerWindow[],
  params: Partial<SpeakerCountParams> = {},
): SpeakerCount {
  const q = { ...defaultSpeakerCountParams, ...params };
  const step = Math.max(1, Math.ceil(windows.length / WINDOWS_MAX));
  const used = windows.filter((_, i) => i % step === 0);
  if (used.length === 0) return { count: 0, segmentationScore: undefined, labels: windows.map(() => -1) };
  const clusters = cluster(used, q.sameSpeakerCosineMin);
  const speakers = clusters
    .filter((c) => c.members.length >= q.windowsMin)
    .sort((a, b) => b.members.length - a.members.length);
  if (speakers.length <= 1) return { count: 1, segmentationScore: undefined, labels: windows.map(() => 0) };
  let alike = Infinity;
  for (let i = 0; i < speakers.length; i++) {
    for (let j = i + 1; j < speakers.length; j++)
      alike = Math.min(alike, linkage(speakers[i] as Cluster, speakers[j] as Cluster));
  }
  const labelOf = new Map<number, number>();
  speakers.forEach((c, label) => c.members.forEach((m) => labelOf.set(m, label)));
  // Cosine 0 between the speakers maps to -10, the merging limit to 10.
  const score = Math.max(-10, Math.min(10, (20 * alike) / q.sameSpeakerCosineMin - 10));
  return {
    count: speakers.length,
    segmentationScore: score,
    labels: windows.map((_, i) => labelOf.get(Math.floor(i / step)) ?? -1),
  };
}

interface Cluster {
  members: number[];
  /** Sum of the members' embeddings: its dot products give mean pairwise cosines. */
  sum: Float64Array;
}

function linkage(a: Cluster, b: Cluster): number {
  let dot = 0;
  for (let i = 0; i < a.sum.length; i++) dot += (a.sum[i] as number) * (b.sum[i] as number);
  return dot / (a.members.length * b.members.length);
}

function cluster(windows: readonly SpeakerWindow[], stop: number): Cluster[] {
  const clusters: Cluster[] = windows.map((w, i) => ({ members: [i], sum: Float64Array.from(w.embedding) }));
  while (clusters.length > 1) {
    let best = -Infinity;
    let bi = 0;
    let bj = 1;
    for (let i = 0; i < clusters.length; i++) {
      for (let j = i + 1; j < clusters.length; j++) {
        const s = linkage(clusters[i] as Cluster, clusters[j] as Cluster);
        if (s > best) {
          best = s;
          bi = i;
          bj = j;
        }
      }
    }
    if (best < stop) break;
    const a = clusters[bi] as Cluster;
    const b = clusters[bj] as Cluster;
    a.members.push(...b.members);
    for (let k = 0; k < a.sum.length; k++) a.sum[k] = (a.sum[k] as number) + (b.sum[k] as number);
    clusters.splice(bj, 1);
  }
  return clusters;
}
