// Thresholds from callers of whom nothing is known except that each is a different person: each caller's
// voice is compared with the prints of other people. The line through their scores (stranger-line.ts) says
// where one in a thousand lies, even before a thousand independent strangers have called. The spread of
// strangers is much the same everywhere once scores are normalized by the cohort, so for a few callers it is
// taken from the model's makers; their mean likeness is their own.
import { shareWithInterval } from '../evaluation/binomial.js';
import { arrangeTrials, type Pause, type Sorted, type Trial } from '../evaluation/arrange.js';
import { intervalOf, type Interval } from '../evaluation/metrics.js';
import {
  drawnLines,
  shrunkToward,
  scoreAt,
  scoreOnAverage,
  strangerLine,
  type KnownSpread,
} from './stranger-line.js';
import { type Said, say } from '../../words/server/say.js';

/** A stranger's call against a print; the groups are the two people. */
export interface StrangerTrial extends Trial {
  target: false;
  /** The cosine in units of the cohort's spread. */
  normalized: number;
  groups: readonly [caller: string, owner: string];
}

export interface CallerThreshold {
  far: number;
  /** With its bootstrap interval over people. */
  llr: Interval;
  /** Share of these very pairs at or above the threshold. */
  accepted: Interval;
  /** The same, with each half of the people judged by the threshold of the other half. */
  checked: number;
  /**
   * There are too few pairs to show such a rate; the line through the more frequent scores is extrapolated.
   */
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
/** At least this many accepted pairs are needed to show a rate. */
const TELLING_ACCEPTS = 10;

/**
 * The known spread of normalized scores weighs as much as this many callers; chosen on five corpora
 * (training/RESULTS.md).
 */
const KNOWN_PEOPLE = 20;

interface FitOptions {
  level: number;
  pause: Pause;
  /** Spread of strangers' normalized scores, if the model's manifest states it. */
  strangerSpread: number | undefined;
}

/** Too few people, or too alike, to draw a line. */
export class TooFew extends RangeError {
  readonly said: Said;

  constructor(said: Said) {
    super(said.message);
    this.said = said;
  }
}

export function requireCallers(callers: number, owners: number): void {
  if (callers < CALLERS_MIN) throw new TooFew(say('FEW_CALLERS', { count: callers, min: CALLERS_MIN }));
  if (owners < OWNERS_MIN) throw new TooFew(say('FEW_PRINT_OWNERS', { count: owners, min: OWNERS_MIN }));
}

export async function callerThresholds(
  trials: readonly StrangerTrial[],
  rates: readonly number[],
  options: FitOptions,
): Promise<CallerThresholds> {
  const { level, pause } = options;
  const [callers, owners] = peopleOf(trials);
  requireCallers(callers.size, owners.size);
  if (trials.length < TRIALS_MIN)
    throw new TooFew(
      say('FEW_PAIRS', {
        ...{ pairs: trials.length, callers: callers.size },
        ...{ owners: owners.size, min: TRIALS_MIN },
      }),
    );
  const sorted = await arrangeTrials(trials, pause);
  const reached = await reachedByStrangers(trials, sorted, rates, options);
  if (!reached) throw new TooFew(say('EQUAL_SCORES'));
  const checked = await checkedAt(trials, rates, options);
  const thresholds = rates.map((far, index): CallerThreshold => {
    const llr = reached[index] as Interval;
    return {
      far,
      llr,
      accepted: shareWithInterval(acceptedAt(sorted, llr.value), trials.length, level),
      checked: checked[index] as number,
      extrapolated: far * trials.length < TELLING_ACCEPTS,
    };
  });
  return { callers: callers.size, owners: owners.size, trials: trials.length, thresholds };
}

const peopleOf = (trials: readonly StrangerTrial[]): [callers: Set<string>, owners: Set<string>] => [
  new Set(trials.map(({ groups }) => groups[0])),
  new Set(trials.map(({ groups }) => groups[1])),
];

/**
 * The LLRs that strangers reach at the rates, with their intervals; undefined if their scores have no spread.
 */
export async function reachedByStrangers(
  trials: readonly StrangerTrial[],
  sorted: Sorted,
  rates: readonly number[],
  { level, pause, strangerSpread }: FitOptions,
): Promise<Interval[] | undefined> {
  const own = strangerLine(sorted);
  if (!own) return undefined;
  const people = Math.min(...peopleOf(trials).map(({ size }) => size));
  const known = await knownSlope(trials, own.slope, strangerSpread, pause);
  const line = shrunkToward(known, people, own);
  const drawn = (await drawnLines(sorted, pause)).map((one) => shrunkToward(known, people, one));
  const reached: Interval[] = [];
  for (const rate of rates) {
    const value = scoreOnAverage(line, drawn, rate);
    const { low, high } = intervalOf(
      value,
      drawn.map((one) => scoreAt(one, rate)),
      level,
    );
    reached.push({ value, low: Math.min(low, value), high: Math.max(high, value) });
    await pause();
  }
  return reached;
}

/** The known spread of normalized scores on the scale of these LLRs: with more speech they spread further. */
async function knownSlope(
  trials: readonly StrangerTrial[],
  slope: number,
  spread: number | undefined,
  pause: Pause,
): Promise<KnownSpread | undefined> {
  if (spread === undefined) return undefined;
  const normalized = trials.map(({ normalized: score, target, groups }) => ({ score, target, groups }));
  const line = strangerLine(await arrangeTrials(normalized, pause));
  return line && { slope: (spread * slope) / line.slope, people: KNOWN_PEOPLE };
}

function acceptedAt({ scores }: Sorted, threshold: number): number {
  let count = 0;
  for (let i = scores.length - 1; i >= 0 && (scores[i] as number) >= threshold; i--) count++;
  return count;
}

/**
 * The share accepted if each half of the people is judged by the threshold of the other half. Everybody,
 * caller or owner, is in one half; pairs across the halves are left out.
 */
async function checkedAt(
  trials: readonly StrangerTrial[],
  rates: readonly number[],
  options: FitOptions,
): Promise<number[]> {
  const people = [...new Set(trials.flatMap(({ groups }) => groups))].sort();
  const halfOf = new Map(people.map((person, index) => [person, index % 2]));
  const accepted = rates.map(() => 0);
  let all = 0;
  const halves = [0, 1].map((half) =>
    trials.filter(({ groups }) => groups.every((person) => halfOf.get(person) === half)),
  ) as [StrangerTrial[], StrangerTrial[]];
  for (const [setting, judging] of [halves, [halves[1], halves[0]]] as const) {
    const reached = await reachedByStrangers(
      setting,
      await arrangeTrials(setting, options.pause),
      rates,
      options,
    );
    if (!reached) continue;
    const judged = await arrangeTrials(judging, options.pause);
    all += judging.length;
    reached.forEach(({ value }, index) => {
      accepted[index] = (accepted[index] as number) + acceptedAt(judged, value);
    });
  }
  return accepted.map((count) => (all === 0 ? NaN : count / all));
}
