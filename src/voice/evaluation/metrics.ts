// Quality of scores: equal error rate with a bootstrap interval, detection cost, calibration loss, and error
// rates at given thresholds. Scores are log-likelihood ratios; higher ones favor the target.

import { arrangeTrials, sortTrials, type Pause, type Sorted, type Trial } from './arrange.js';

export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** Where the miss rate, rising with the threshold, meets the false-accept rate, falling with it. */
function equalErrorRate(sorted: Sorted, weights?: Float64Array): number {
  const weight = (i: number): number => (weights ? (weights[i] as number) : 1);
  let targets = 0;
  let impostors = 0;
  for (let i = 0; i < sorted.scores.length; i++) {
    if (sorted.target[i]) targets += weight(i);
    else impostors += weight(i);
  }
  if (targets === 0 || impostors === 0) return NaN;
  let missed = 0;
  let accepted = impostors;
  let [missBefore, acceptBefore] = [0, 1];
  for (let i = 0; i < sorted.scores.length;) {
    const score = sorted.scores[i];
    // Equal scores are on the same side of every threshold.
    for (; i < sorted.scores.length && sorted.scores[i] === score; i++) {
      const w = weights ? (weights[i] as number) : 1;
      if (sorted.target[i]) missed += w;
      else accepted -= w;
    }
    const miss = missed / targets;
    const accept = accepted / impostors;
    if (miss >= accept) {
      const [before, after] = [acceptBefore - missBefore, miss - accept];
      const share = before + after > 0 ? before / (before + after) : 0;
      return missBefore + share * (miss - missBefore);
    }
    missBefore = miss;
    acceptBefore = accept;
  }
  return missBefore;
}

export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A figure of weighted trials; NaN if they do not allow it. */
type Statistic = (sorted: Sorted, weights?: Float64Array) => number;

/**
 * Draws the groups (speakers) again with replacement; a trial is weighted by how often its sides were drawn.
 */
function drawWeights(sorted: Sorted, random: () => number): Float64Array {
  const times = new Float64Array(sorted.groupCount);
  for (let i = 0; i < sorted.groupCount; i++) {
    const at = Math.floor(random() * sorted.groupCount);
    times[at] = (times[at] as number) + 1;
  }
  const weights = new Float64Array(sorted.scores.length);
  for (let i = 0; i < weights.length; i++) {
    const [a, b] = [sorted.groups[2 * i] as number, sorted.groups[2 * i + 1] as number];
    weights[i] = a === b ? (times[a] as number) : (times[a] as number) * (times[b] as number);
  }
  return weights;
}

export function intervalOf(value: number, drawn: number[], level: number): Interval {
  drawn.sort((a, b) => a - b);
  const at = (q: number): number => drawn[Math.min(drawn.length - 1, Math.floor(q * drawn.length))] ?? value;
  return { value, low: at((1 - level) / 2), high: at((1 + level) / 2) };
}

/** 95 % interval by bootstrap over the groups. */
export function eerWithInterval(trials: readonly Trial[], rounds = 200, seed = 1): Interval {
  const sorted = sortTrials(trials);
  const value = equalErrorRate(sorted);
  const random = seededRandom(seed);
  const drawn: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const rate = equalErrorRate(sorted, drawWeights(sorted, random));
    if (Number.isFinite(rate)) drawn.push(rate);
  }
  return intervalOf(value, drawn, 0.95);
}

interface DrawOptions {
  rounds?: number;
  seed?: number;
  /** Awaited between rounds, so that a server can do other work meanwhile. */
  pause: Pause;
}

export interface BootstrapOptions extends DrawOptions {
  /** For example 0.95. */
  level: number;
}

/** Reweights the trials in every round, as if other people of the same kind had come. */
export async function eachDraw(
  sorted: Sorted,
  { rounds = 200, seed = 1, pause }: DrawOptions,
  visit: (weights: Float64Array) => void,
): Promise<void> {
  const random = seededRandom(seed);
  for (let round = 0; round < rounds; round++) {
    visit(drawWeights(sorted, random));
    await pause();
  }
}

/** Several figures of the same trials, each with its bootstrap interval, without blocking the thread. */
export async function bootstrapIntervals<K extends string>(
  trials: readonly Trial[] | Sorted,
  statistics: Readonly<Record<K, Statistic>>,
  { level, ...options }: BootstrapOptions,
): Promise<Record<K, Interval>> {
  const sorted = 'scores' in trials ? trials : await arrangeTrials(trials, options.pause);
  const names = Object.keys(statistics) as K[];
  const drawn = new Map<K, number[]>(names.map((name) => [name, []]));
  await eachDraw(sorted, options, (weights) => {
    for (const name of names) {
      const figure = statistics[name](sorted, weights);
      if (Number.isFinite(figure)) drawn.get(name)?.push(figure);
    }
  });
  const entries = names.map((name) => [
    name,
    intervalOf(statistics[name](sorted), drawn.get(name) ?? [], level),
  ]);
  return Object.fromEntries(entries) as Record<K, Interval>;
}

export const equalErrorRateOf: Statistic = equalErrorRate;

/** The lowest threshold at which impostors are accepted no more often than the rate. */
export function thresholdAt(rate: number): Statistic {
  return ({ scores, target }, weights) => {
    const weight = (i: number): number => (weights ? (weights[i] as number) : 1);
    let impostors = 0;
    for (let i = 0; i < scores.length; i++) if (!target[i]) impostors += weight(i);
    if (impostors === 0) return NaN;
    let accepted = 0;
    let lowest = Infinity;
    for (let i = scores.length - 1; i >= 0;) {
      const score = scores[i] as number;
      let here = 0;
      for (; i >= 0 && scores[i] === score; i--) if (!target[i]) here += weight(i);
      if ((accepted + here) / impostors > rate)
        return lowest === Infinity ? justAbove(score) : between(score, lowest);
      accepted += here;
      lowest = score;
    }
    return lowest;
  };
}

/** Nothing was measured between the two scores; the middle is as good as any point, and stable. */
const between = (refused: number, accepted: number): number => (refused + accepted) / 2;
const justAbove = (score: number): number => score + Math.max(1e-6, Math.abs(score) * 1e-9);

export function falseAcceptsAt(threshold: number): Statistic {
  return (sorted, weights) => shareAt(sorted, weights, 0, (score) => score >= threshold);
}

export function missesAt(threshold: number): Statistic {
  return (sorted, weights) => shareAt(sorted, weights, 1, (score) => score < threshold);
}

function shareAt(
  sorted: Sorted,
  weights: Float64Array | undefined,
  kind: 0 | 1,
  counts: (score: number) => boolean,
): number {
  let all = 0;
  let some = 0;
  for (let i = 0; i < sorted.scores.length; i++) {
    if (sorted.target[i] !== kind) continue;
    const weight = weights ? (weights[i] as number) : 1;
    all += weight;
    if (counts(sorted.scores[i] as number)) some += weight;
  }
  return all === 0 ? NaN : some / all;
}

export interface OperatingPoint {
  threshold: number;
  falseAccept: number;
  miss: number;
}

/** Both error rates at every relevant threshold, from the lowest score to above the highest. */
export function operatingPoints(trials: readonly Trial[]): OperatingPoint[] {
  const points: OperatingPoint[] = [];
  eachOperatingPoint(sortTrials(trials), (threshold, falseAccept, miss) =>
    points.push({ threshold, falseAccept, miss }),
  );
  return points;
}

/** The same points one after another, for lists too long to copy. */
export function eachOperatingPoint(
  { scores, target }: Sorted,
  visit: (threshold: number, falseAccept: number, miss: number) => void,
): void {
  let targets = 0;
  for (let i = 0; i < target.length; i++) targets += target[i] as number;
  const impostors = target.length - targets;
  visit(-Infinity, 1, 0);
  let missed = 0;
  let accepted = impostors;
  for (let i = 0; i < scores.length; i++) {
    if (target[i]) missed++;
    else accepted--;
    if (scores[i] === scores[i + 1]) continue;
    visit(
      i + 1 < scores.length ? (scores[i + 1] as number) : Infinity,
      impostors ? accepted / impostors : 0,
      targets ? missed / targets : 0,
    );
  }
}

/** Normalized minimum detection cost at the given prior, unit costs. */
export function minDcf(points: readonly OperatingPoint[], prior = 0.01): number {
  let least = Infinity;
  for (const { miss, falseAccept } of points)
    least = Math.min(least, prior * miss + (1 - prior) * falseAccept);
  return least / Math.min(prior, 1 - prior);
}

/** Cost of the log-likelihood ratios, in bits: 0 is perfect, 1 says no more than "I do not know". */
export function cllr(trials: readonly Trial[] | Sorted): number {
  const { scores, target } = 'scores' in trials ? trials : sortTrials(trials);
  const sums = [0, 0];
  const counts = [0, 0];
  for (let i = 0; i < scores.length; i++) {
    const side = target[i] as number;
    const x = side === 1 ? -(scores[i] as number) : (scores[i] as number);
    // log(1 + e^x) without overflow
    sums[side] = (sums[side] as number) + (Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x)))) / Math.LN2;
    counts[side] = (counts[side] as number) + 1;
  }
  return 0.5 * ((sums[1] as number) / (counts[1] as number) + (sums[0] as number) / (counts[0] as number));
}

export function ratesAt(trials: readonly Trial[], threshold: number): { falseAccept: number; miss: number } {
  let [accepted, impostors, missed, targets] = [0, 0, 0, 0];
  for (const { score, target } of trials) {
    if (target) {
      targets++;
      if (score < threshold) missed++;
    } else {
      impostors++;
      if (score >= threshold) accepted++;
    }
  }
  return { falseAccept: accepted / impostors, miss: missed / targets };
}
