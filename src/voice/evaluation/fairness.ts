// Whether errors affect some groups of people more than others: both error rates by group, how unevenly they
// are spread (GARBE), and the worst group compared with the best. A trial belongs to a group if both of its
// sides do: a stranger who sounds alike has the same language and sex, and so do the impostors that matter.
import { arrangeTrials, type Pause, type Trial } from './arrange.js';
import { ratesWithIntervals, type ErrorRates } from './rates.js';
import { type Said, say } from '../../words/server/say.js';

/** A trial with the groups that its two sides belong to; undefined if not known. */
export interface LabeledTrial extends Trial {
  labels: readonly [string | undefined, string | undefined];
}

export interface GroupRates extends ErrorRates {
  group: string;
  speakers: number;
  targets: number;
  nontargets: number;
}

export interface Fairness {
  /** What the groups are formed by, such as `language`. */
  by: string;
  /** By name. */
  groups: GroupRates[];
  /** Worst rate divided by best; absent if a rate is missing or the best is 0. */
  falseAcceptRatio?: number;
  missRatio?: number;
  /** 0: the same everywhere; 1: one group has all the errors. Absent with fewer than two groups. */
  garbe?: number;
  warnings: Said[];
}

/** Below these numbers a rate says little about a group. */
const SPEAKERS_MIN = 5;
const TARGETS_MIN = 30;
const NONTARGETS_MIN = 300;
/** Errors of one kind over all groups: with fewer, their spread is chance. */
const ERRORS_MIN = 10;
/** More groups are too many to read, and are most likely names rather than groups. */
const GROUPS_MAX = 50;

export async function fairnessOf(
  by: string,
  trials: readonly LabeledTrial[],
  at: { threshold: number; level: number; pause: Pause },
): Promise<Fairness> {
  const { threshold, level, pause } = at;
  const members = new Map<string, LabeledTrial[]>();
  let apart = 0;
  for (const trial of trials) {
    const [first, second] = trial.labels;
    if (first === undefined || first !== second) apart++;
    else {
      const own = members.get(first);
      if (own) own.push(trial);
      else members.set(first, [trial]);
    }
  }
  const names = [...members.keys()].sort((a, b) => a.localeCompare(b, 'en'));
  const groups: GroupRates[] = [];
  for (const group of names.slice(0, GROUPS_MAX)) {
    const own = members.get(group) ?? [];
    const targets = own.filter((trial) => trial.target).length;
    const rates = await ratesWithIntervals(await arrangeTrials(own, pause), threshold, { level, pause });
    groups.push({
      group,
      speakers: new Set(own.flatMap((trial) => trial.groups ?? [])).size,
      targets,
      nontargets: own.length - targets,
      ...rates,
    });
  }
  const spread = spreadOfErrors(groups);
  const warnings = warningsOf(groups, names.length, apart);
  if (spread.garbe !== undefined) warnings.push(...fewErrors(groups));
  return { by, groups, ...spread, warnings };
}

/** The figures over all groups; only groups with trials of that kind count. */
export function spreadOfErrors(
  groups: readonly GroupRates[],
): Pick<Fairness, 'falseAcceptRatio' | 'missRatio' | 'garbe'> {
  const accepts = groups.filter(({ nontargets }) => nontargets > 0).map((group) => group.falseAccept.value);
  const misses = groups.filter(({ targets }) => targets > 0).map((group) => group.miss.value);
  const [falseAcceptRatio, missRatio] = [worstToBest(accepts), worstToBest(misses)];
  const [unevenAccepts, unevenMisses] = [gini(accepts), gini(misses)];
  return {
    ...(falseAcceptRatio !== undefined && { falseAcceptRatio }),
    ...(missRatio !== undefined && { missRatio }),
    // Both kinds of errors have the same weight.
    ...(unevenAccepts !== undefined &&
      unevenMisses !== undefined && { garbe: (unevenAccepts + unevenMisses) / 2 }),
  };
}

function worstToBest(rates: readonly number[]): number | undefined {
  const best = Math.min(...rates);
  return rates.length < 2 || best === 0 ? undefined : Math.max(...rates) / best;
}

/**
 * The Gini coefficient, corrected for few groups: 0 if all rates are equal, 1 if one group has all errors.
 */
export function gini(rates: readonly number[]): number | undefined {
  const count = rates.length;
  if (count < 2) return undefined;
  const sum = rates.reduce((total, rate) => total + rate, 0);
  if (sum === 0) return 0;
  let differences = 0;
  for (const a of rates) for (const b of rates) differences += Math.abs(a - b);
  return differences / (2 * sum * (count - 1));
}

function warningsOf(groups: readonly GroupRates[], found: number, apart: number): Said[] {
  const warnings: Said[] = [];
  if (found > GROUPS_MAX) warnings.push(say('MORE_GROUPS', { max: GROUPS_MAX, found }));
  if (groups.length < 2) warnings.push(say('FEW_GROUPS'));
  for (const { group, speakers, targets, nontargets } of groups) {
    const few = [
      ...(speakers < SPEAKERS_MIN
        ? [speakers === 1 ? say('ONE_SPEAKER') : say('SPEAKERS', { count: speakers })]
        : []),
      ...(targets < TARGETS_MIN
        ? [targets === 1 ? say('ONE_TARGET_TRIAL') : say('TARGET_TRIALS', { count: targets })]
        : []),
      ...(nontargets < NONTARGETS_MIN
        ? [nontargets === 1 ? say('ONE_NONTARGET_TRIAL') : say('NONTARGET_TRIALS', { count: nontargets })]
        : []),
    ];
    const [first, ...others] = few;
    if (first) {
      const all = others.reduce((before, next) => say('LISTED', { first: before, next }), first);
      warnings.push(say('FEW_IN_GROUP', { group, few: all }));
    }
  }
  if (apart > 0) warnings.push(apart === 1 ? say('ONE_TRIAL_APART') : say('TRIALS_APART', { count: apart }));
  return warnings;
}

function fewErrors(groups: readonly GroupRates[]): Said[] {
  const [accepts, rejects] = [
    sumOf(groups, ({ falseAccept, nontargets }) => falseAccept.value * nontargets),
    sumOf(groups, ({ miss, targets }) => miss.value * targets),
  ];
  return Math.min(accepts, rejects) < ERRORS_MIN ? [say('FEW_ERRORS', { accepts, rejects })] : [];
}

/** A rate over no trials is NaN, and adds nothing. */
const sumOf = (groups: readonly GroupRates[], errorsOf: (group: GroupRates) => number): number =>
  Math.round(groups.reduce((sum, group) => sum + (errorsOf(group) || 0), 0));
