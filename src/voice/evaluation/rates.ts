// Both error rates at a threshold. Each interval is the wider of two: a bootstrap over speakers, because
// trials that share one are not independent, and the exact binomial one, because no event in few trials does
// not mean that the rate is zero.
import { sortTrials, type Sorted, type Trial } from './arrange.js';
import { shareWithInterval } from './binomial.js';
import { equalErrorThreshold } from './curves.js';
import {
  bootstrapIntervals,
  eerWithInterval,
  falseAcceptsAt,
  missesAt,
  type BootstrapOptions,
  type Interval,
} from './metrics.js';

export interface ErrorRates {
  falseAccept: Interval;
  miss: Interval;
}

/** Without trials nothing is known about a rate. */
export const unknownRate: Interval = { value: 0, low: 0, high: 1 };

export async function ratesWithIntervals(
  sorted: Sorted,
  threshold: number,
  options: BootstrapOptions,
): Promise<ErrorRates> {
  const drawn = await bootstrapIntervals(
    sorted,
    { falseAccept: falseAcceptsAt(threshold), miss: missesAt(threshold) },
    options,
  );
  return widerRates(sorted, threshold, options.level, drawn);
}

/** The same if the rounds have already been drawn. */
export function widerRates(
  { scores, target }: Sorted,
  threshold: number,
  level: number,
  drawn: ErrorRates,
): ErrorRates {
  let [accepted, nontargets, missed, targets] = [0, 0, 0, 0];
  for (let i = 0; i < scores.length; i++) {
    const isAccepted = (scores[i] as number) >= threshold;
    if (target[i]) {
      targets++;
      if (!isAccepted) missed++;
    } else {
      nontargets++;
      if (isAccepted) accepted++;
    }
  }
  return {
    falseAccept: wider(shareWithInterval(accepted, nontargets, level), drawn.falseAccept),
    miss: wider(shareWithInterval(missed, targets, level), drawn.miss),
  };
}

/**
 * If no threshold mixes up any voices, every draw gives the same rate, which says nothing about the next
 * voice. The rate lies between those at any threshold, so the exact intervals there are used.
 */
export function equalErrorInterval(
  sorted: Sorted,
  threshold: number,
  level: number,
  drawn: Interval,
): Interval {
  if (drawn.high > drawn.low) return drawn;
  const { falseAccept, miss } = widerRates(sorted, threshold, level, { falseAccept: drawn, miss: drawn });
  return {
    value: drawn.value,
    low: Math.min(falseAccept.low, miss.low),
    high: Math.max(falseAccept.high, miss.high),
  };
}

/** From a complete set of trials: 95 %. */
export function equalErrorOf(trials: readonly Trial[]): Interval {
  const drawn = eerWithInterval(trials);
  return Number.isFinite(drawn.value)
    ? equalErrorInterval(sortTrials(trials), equalErrorThreshold(trials), 0.95, drawn)
    : drawn;
}

function wider(exact: Interval, drawn: Interval): Interval {
  if (!Number.isFinite(exact.value)) return unknownRate;
  if (!Number.isFinite(drawn.low) || !Number.isFinite(drawn.high)) return exact;
  return { value: exact.value, low: Math.min(exact.low, drawn.low), high: Math.max(exact.high, drawn.high) };
}
