// Thresholds from callers of whom nothing is known but that they are not somebody else: each caller's voice against
// the prints of other people. The scores of strangers are close to normally distributed from their middle upwards,
// so the line through a few quantiles of that part says where one in a thousand lies, even where a thousand
// independent strangers have not called yet. Quantiles beyond the highest one used have no weight: the few callers
// who are known under two names, or the fraudster among them, cannot move the thresholds.
import { shareWithInterval } from '../evaluation/binomial.js';
import { arrangeTrials, type Pause, type Sorted, type Trial } from '../evaluation/arrange.js';
import { bootstrapIntervals, type Interval, type Statistic } from '../evaluation/metrics.js';
import { probit } from '../evaluation/normal.js';

/** A stranger's call against a print; the groups are the two people. */
export interface StrangerTrial extends Trial {
  target: false;
  groups: readonly [caller: string, owner: string];
}

export interface CallerThreshold {
  far: number;
  /** With its bootstrap interval over people. */
  llr: Interval;
  /** Share of these very pairs at or above the threshold. */
  accepted: Interval;
  /** The same, each half of the people judged by the threshold that the other half asks for. */
  checked: number;
  /** The pairs are too few to show such a rate; the line through the more frequent scores is followed. */
  extrapolated: boolean;
}

interface CallerThresholds {
  callers: number;
  owners: number;
  trials: number;
  thresholds: CallerThreshold[];
}

const CALLERS_MIN = 10;
const OWNERS_MIN = 10;
const TRIALS_MIN = 200;
/** Parts of the strangers' scores that the line goes through. */
const quantiles = [0.5, 0.8, 0.9, 0.95] as const;
/** A rate is shown by at least so many accepted pairs. */
const TELLING_ACCEPTS = 10;

const normalPlaces = quantiles.map(probit);

/** Scores at the quantiles, of trials in rising order that may count several times or not at all. */
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

/** The LLR that strangers reach at the given rate, by a straight line through their quantiles. */
function strangersReach(rate: number): Statistic {
  return (sorted, weights) => {
    const found = scoresAtQuantiles(sorted, weights);
    if (!found) return NaN;
    const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;
    const [x, y] = [mean(normalPlaces), mean(found)];
    let [slope, spread] = [0, 0];
    normalPlaces.forEach((place, i) => {
      slope += (place - x) * ((found[i] as number) - y);
      spread += (place - x) ** 2;
    });
    slope /= spread;
    // Scores that are all the same give no direction to go on in.
    return slope > 0 ? y + slope * (probit(1 - rate) - x) : NaN;
  };
}

export function requireCallers(callers: number, owners: number): void {
  if (callers < CALLERS_MIN)
    throw new RangeError(`${callers} callers are too few: thresholds need at least ${CALLERS_MIN}`);
  if (owners < OWNERS_MIN)
    throw new RangeError(`prints of ${owners} people are too few: thresholds need at least ${OWNERS_MIN}`);
}

export async function callerThresholds(
  trials: readonly StrangerTrial[],
  rates: readonly number[],
  { level, pause }: { level: number; pause: Pause },
): Promise<CallerThresholds> {
  const callers = new Set(trials.map(({ groups }) => groups[0]));
  const owners = new Set(trials.map(({ groups }) => groups[1]));
  requireCallers(callers.size, owners.size);
  if (trials.length < TRIALS_MIN)
    throw new RangeError(
      `${trials.length} pairs of strangers are too few: thresholds need at least ${TRIALS_MIN}`,
    );
  const sorted = await arrangeTrials(trials, pause);
  const named = Object.fromEntries(rates.map((rate) => [String(rate), strangersReach(rate)]));
  const reach = await bootstrapIntervals(sorted, named, { level, pause });
  const halves = await inHalves(trials, pause);
  const thresholds: CallerThreshold[] = [];
  for (const far of rates) {
    const llr = reach[String(far)] as Interval;
    if (!Number.isFinite(llr.value)) throw new RangeError('the scores of these strangers do not differ');
    thresholds.push({
      far,
      llr,
      accepted: shareWithInterval(acceptedAt(sorted, llr.value), trials.length, level),
      checked: checkedAt(halves, far),
      extrapolated: far * trials.length < TELLING_ACCEPTS,
    });
    await pause();
  }
  return { callers: callers.size, owners: owners.size, trials: trials.length, thresholds };
}

function acceptedAt({ scores }: Sorted, threshold: number): number {
  let count = 0;
  for (let i = scores.length - 1; i >= 0 && (scores[i] as number) >= threshold; i--) count++;
  return count;
}

/** Everybody, caller or owner, is in one half; pairs across the halves are left out. */
async function inHalves(trials: readonly StrangerTrial[], pause: Pause): Promise<[Sorted, Sorted]> {
  const people = [...new Set(trials.flatMap(({ groups }) => groups))].sort();
  const halfOf = new Map(people.map((person, index) => [person, index % 2]));
  const of = (half: number) =>
    arrangeTrials(
      trials.filter(({ groups }) => groups.every((person) => halfOf.get(person) === half)),
      pause,
    );
  return [await of(0), await of(1)];
}

function checkedAt(halves: readonly [Sorted, Sorted], far: number): number {
  let [accepted, all] = [0, 0];
  for (const [judged, setting] of [halves, [halves[1], halves[0]]] as const) {
    const threshold = strangersReach(far)(setting);
    if (!Number.isFinite(threshold)) continue;
    accepted += acceptedAt(judged, threshold);
    all += judged.scores.length;
  }
  return all === 0 ? NaN : accepted / all;
}
