// Trials as curves for drawing: histograms of both kinds of score, and error rates along the DET curve and at
// evenly spaced thresholds, thinned to what a picture can show.
import { sortTrials, type Sorted, type Trial } from './arrange.js';
import { eachOperatingPoint, type OperatingPoint } from './metrics.js';

export interface Histogram {
  /** Lower edge of the first bin. */
  start: number;
  binWidth: number;
  target: number[];
  impostor: number[];
}

type Trials = readonly Trial[] | Sorted;

const BINS = 60;
const DET_POINTS_MAX = 200;
const THRESHOLD_POINTS = 101;

const sortedOf = (trials: Trials): Sorted => ('scores' in trials ? trials : sortTrials(trials));

export function histogramOf(trials: Trials): Histogram {
  const sorted = sortedOf(trials);
  const [start, end] = range(sorted);
  const binWidth = (end - start) / BINS || 1;
  const target = new Array<number>(BINS).fill(0);
  const impostor = new Array<number>(BINS).fill(0);
  for (let i = 0; i < sorted.scores.length; i++) {
    const at = Math.min(BINS - 1, Math.floor(((sorted.scores[i] as number) - start) / binWidth));
    const counts = sorted.target[i] ? target : impostor;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return { start, binWidth, target, impostor };
}

export interface Curves {
  det: OperatingPoint[];
  byThreshold: OperatingPoint[];
}

export function curvesOf(trials: Trials): Curves {
  const sorted = sortedOf(trials);
  const [start, end] = range(sorted);
  let finite = 0;
  eachOperatingPoint(sorted, (threshold) => {
    if (threshold !== Infinity) finite++;
  });
  const step = Math.max(1, finite / DET_POINTS_MAX);
  const det: OperatingPoint[] = [];
  const byThreshold: OperatingPoint[] = [];
  const thresholdOf = (i: number): number => start + ((end - start) * i) / (THRESHOLD_POINTS - 1);
  let index = 0;
  let wanted = 0;
  eachOperatingPoint(sorted, (threshold, falseAccept, miss) => {
    // The first point, at which everybody is accepted, holds up to the lowest score.
    const at = index === 0 ? start : threshold;
    const isNext = index === Math.floor(wanted);
    if (isNext) wanted += step;
    if (at !== Infinity && (isNext || index === finite - 1)) det.push({ threshold: at, falseAccept, miss });
    // A point holds for all thresholds above the previous point's, up to its own.
    while (byThreshold.length < THRESHOLD_POINTS && thresholdOf(byThreshold.length) <= at)
      byThreshold.push({ threshold: thresholdOf(byThreshold.length), falseAccept, miss });
    index++;
  });
  // Without trials, the first threshold's rates hold for all.
  while (byThreshold.length < THRESHOLD_POINTS)
    byThreshold.push({ threshold: thresholdOf(byThreshold.length), falseAccept: 1, miss: 0 });
  return { det, byThreshold };
}

/** The threshold at which the two error rates are closest. */
export function equalErrorThreshold(trials: Trials): number {
  let best = 0;
  let least = Infinity;
  eachOperatingPoint(sortedOf(trials), (threshold, falseAccept, miss) => {
    const gap = Math.abs(falseAccept - miss);
    if (Number.isFinite(threshold) && gap < least) [best, least] = [threshold, gap];
  });
  return best;
}

function range({ scores }: Sorted): [number, number] {
  return scores.length > 0 ? [scores[0] as number, scores[scores.length - 1] as number] : [0, 1];
}
