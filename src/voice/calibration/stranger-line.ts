// The line through a few quantiles of strangers' scores, by which thresholds are set for rates that the
// scores cannot show. From the median upwards, scores of strangers are close to normally distributed, with a
// slightly thinner tail. Scores beyond the highest quantile used have no weight: the few callers who are
// known under two names, or a fraudster among them, cannot move the line.
import type { Pause, Sorted } from '../evaluation/arrange.js';
import { eachDraw } from '../evaluation/metrics.js';
import { normalTail, probit } from '../evaluation/normal.js';

/** Scores against positions in a normal distribution, centered where the line is known best. */
interface Line {
  /** Score at `CENTER_PLACE`. */
  level: number;
  slope: number;
}

/** Prior knowledge about strangers, before any of them has called. */
export interface KnownSpread {
  slope: number;
  /** It weighs as much as this many callers. */
  people: number;
}

/** The quantiles of the strangers' scores that the line is fitted to. */
const quantiles = [0.5, 0.8, 0.9, 0.95] as const;
const places = quantiles.map(probit);
const CENTER_PLACE = meanOf(places);
/** Beyond the quantiles scores rise more slowly than along the line; chosen on five corpora (training/RESULTS.md). */
const TAIL_STEEPNESS = 0.9;
/** A sample of few people may have hardly any spread. */
const SLOPE_MIN = 0.3;

/** The line of trials in rising order; with weights, a trial may count several times or not at all. */
export function strangerLine(sorted: Sorted, weights?: Float64Array): Line | undefined {
  const found = scoresAtQuantiles(sorted, weights);
  if (!found) return undefined;
  const level = meanOf(found);
  let [slope, spread] = [0, 0];
  places.forEach((place, i) => {
    slope += (place - CENTER_PLACE) * ((found[i] as number) - level);
    spread += (place - CENTER_PLACE) ** 2;
  });
  // Scores that are all equal give no direction to extrapolate in.
  return slope > 0 ? { level, slope: slope / spread } : undefined;
}

/** The lines of other people of the same kind, by a bootstrap over these. */
export async function drawnLines(sorted: Sorted, pause: Pause): Promise<Line[]> {
  const lines: Line[] = [];
  await eachDraw(sorted, { pause }, (weights) => {
    const line = strangerLine(sorted, weights);
    if (line) lines.push(line);
  });
  return lines;
}

/** The line of this many people, shrunk toward the known spread of strangers. */
export function shrunkToward(known: KnownSpread | undefined, people: number, { level, slope }: Line): Line {
  if (!known) return { level, slope };
  return { level, slope: (people * slope + known.people * known.slope) / (people + known.people) };
}

export function scoreAt({ level, slope }: Line, rate: number): number {
  return level + TAIL_STEEPNESS * slope * (probit(1 - rate) - CENTER_PLACE);
}

/**
 * The score that strangers reach at the rate, averaged over all populations that these callers may be a
 * sample of. A line that is too flat accepts far more than one that is too steep refuses, so the fewer people
 * have called, the further this is above the line.
 */
export function scoreOnAverage(line: Line, drawn: readonly Line[], rate: number): number {
  const plain = scoreAt(line, rate);
  if (drawn.length === 0) return plain;
  // The draws say how far off the line may be, not where it is.
  const [level, slope] = [meanOf(drawn.map((one) => one.level)), meanOf(drawn.map((one) => one.slope))];
  const around = drawn.map((one) => ({
    level: one.level - level + line.level,
    slope: Math.max(SLOPE_MIN, one.slope - slope + line.slope),
  }));
  const accepted = (score: number): number =>
    meanOf(
      around.map((one) => normalTail((score - one.level) / (TAIL_STEEPNESS * one.slope) + CENTER_PLACE)),
    );
  let [low, high] = [line.level, plain + 8 * line.slope];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (accepted(middle) > rate) low = middle;
    else high = middle;
  }
  return high;
}

function scoresAtQuantiles({ scores }: Sorted, weights?: Float64Array): number[] | undefined {
  let total = scores.length;
  if (weights) {
    total = 0;
    for (let i = 0; i < weights.length; i++) total += weights[i] as number;
  }
  const found: number[] = [];
  let below = 0;
  for (let i = 0; i < scores.length && found.length < quantiles.length; i++) {
    below += weights ? (weights[i] as number) : 1;
    while (
      found.length < quantiles.length &&
      below >= (quantiles[found.length] as number) * total &&
      total > 0
    )
      found.push(scores[i] as number);
  }
  return found.length === quantiles.length ? found : undefined;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
