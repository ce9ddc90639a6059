// Trials as curves for drawing: histograms of both kinds of score, and error rates along the DET curve and at
// evenly spaced thresholds, thinned to what a picture can show.
import { operatingPoints, type OperatingPoint, type Trial } from './metrics.js';

export interface Histogram {
  /** Lower edge of the first bin. */
  start: number;
  binWidth: number;
  target: number[];
  impostor: number[];
}

const bins = 60;
const detPointsMax = 200;
const thresholdPoints = 101;

export function histogramOf(trials: readonly Trial[]): Histogram {
  const [start, end] = range(trials);
  const binWidth = (end - start) / bins || 1;
  const target = new Array<number>(bins).fill(0);
  const impostor = new Array<number>(bins).fill(0);
  for (const trial of trials) {
    const at = Math.min(bins - 1, Math.floor((trial.score - start) / binWidth));
    const counts = trial.target ? target : impostor;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return { start, binWidth, target, impostor };
}

export interface Curves {
  det: OperatingPoint[];
  byThreshold: OperatingPoint[];
}

export function curvesOf(trials: readonly Trial[]): Curves {
  const [start, end] = range(trials);
  // The first point, where everybody is accepted, holds up to the lowest score.
  const all = operatingPoints(trials).map((point, index) =>
    index === 0 ? { ...point, threshold: start } : point,
  );
  const finite = all.filter((point) => Number.isFinite(point.threshold));
  const step = Math.max(1, finite.length / detPointsMax);
  const det: OperatingPoint[] = [];
  for (let at = 0; at < finite.length; at += step) det.push(finite[Math.floor(at)] as OperatingPoint);
  const last = finite.at(-1);
  if (last && det.at(-1) !== last) det.push(last);

  const byThreshold: OperatingPoint[] = [];
  let next = 0;
  for (let i = 0; i < thresholdPoints; i++) {
    const threshold = start + ((end - start) * i) / (thresholdPoints - 1);
    // A point holds for all thresholds above the one before it, up to its own.
    while (next < all.length - 1 && (all[next] as OperatingPoint).threshold < threshold) next++;
    const { falseAccept, miss } = all[next] as OperatingPoint;
    byThreshold.push({ threshold, falseAccept, miss });
  }
  return { det, byThreshold };
}

/** Where the two error rates are closest. */
export function equalErrorThreshold(trials: readonly Trial[]): number {
  let best: OperatingPoint | undefined;
  const gap = (point: OperatingPoint): number => Math.abs(point.falseAccept - point.miss);
  for (const point of operatingPoints(trials)) {
    if (Number.isFinite(point.threshold) && (!best || gap(point) < gap(best))) best = point;
  }
  return best?.threshold ?? 0;
}

function range(trials: readonly Trial[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { score } of trials) {
    if (score < low) low = score;
    if (score > high) high = score;
  }
  return low <= high ? [low, high] : [0, 1];
}
