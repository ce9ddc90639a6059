// EvaluateScores, EvaluateTrials and SuggestThreshold: error rates of trials with their intervals, by group if requested, and
// the threshold for a target false-accept rate.
import { missingField, type FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { arrangeTrials, type Sorted } from '../../voice/evaluation/arrange.js';
import {
  curvesOf,
  equalErrorThreshold,
  histogramOf,
  type Curves,
  type Histogram,
} from '../../voice/evaluation/curves.js';
import {
  bootstrapIntervals,
  cllr,
  equalErrorRateOf,
  falseAcceptsAt,
  missesAt,
  thresholdAt,
  type Interval,
} from '../../voice/evaluation/metrics.js';
import type { Fairness } from '../../voice/evaluation/fairness.js';
import { percent } from '../../voice/evaluation/percent.js';
import {
  equalErrorInterval,
  ratesWithIntervals,
  unknownRate,
  widerRates,
} from '../../voice/evaluation/rates.js';
import { authenticationRisk, llrAtAuthenticationRisk, thresholdForFar } from '../../voice/scoring/risk.js';
import { activeCalibration } from '../calibration/active.js';
import { openContext, type OpenContext, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { OperationDeps } from '../operations/deps.js';
import { fairnessByGroup, groupingFaults } from './by-group.js';
import { listedTrials, type TrialList } from './listed-trials.js';
import { ownTrials, type OwnPrints, type TrialSet } from './own-trials.js';
import { pauseBetweenSlices } from '../call/pause.js';
import {
  alikePairs,
  assessThreshold,
  lowestOwnThreshold,
  WANTED_MAX,
  type AlikePair,
  type ThresholdAssessment,
} from './assess-threshold.js';
import { type Said, say } from '../../words/server/say.js';

export type TrialSource = { own: OwnPrints } | { list: TrialList };

interface EvaluateInput {
  context: RequestContext;
  source: TrialSource;
  /** 0: the default. */
  level: number;
  /** What people are grouped by to compare their errors; for the tenant's own prints only. */
  groupBy?: readonly string[];
}

export interface AccuracyReport {
  targets: number;
  nontargets: number;
  speakers: number;
  histogram: Histogram;
  curves: Curves;
  eer: Interval;
  eerThreshold: number;
  /** For the named config set. */
  active?: { threshold: number; falseAccept: Interval; miss: Interval };
  cllr: number;
  level: number;
  warnings: Said[];
  /** For the tenant's own prints. */
  alike: AlikePair[];
  /** One for each requested grouping. */
  fairness: Fairness[];
}

interface ThresholdSuggestion extends ThresholdAssessment {
  threshold: Interval;
  falseAccept: Interval;
  miss: Interval;
  /** The risk value that puts a config set's limit at this threshold. */
  riskLow: number;
  targets: number;
  nontargets: number;
  speakers: number;
  warnings: Said[];
}

const LEVEL_DEFAULT = 0.95;
const inTenant = { engagement: 'unused', session: 'unused', configset: 'optional' } as const;

export async function evaluate(
  deps: OperationDeps,
  call: Call,
  input: EvaluateInput,
): Promise<AccuracyReport> {
  const level = input.level || LEVEL_DEFAULT;
  const groupBy = input.groupBy ?? [];
  const faults = [...levelFaults(input.level).found, ...groupingFaults(groupBy)];
  const opened = await openContext(deps, call, input.context, { ...inTenant, faults });
  const { model } = await activeCalibration(deps.store, opened.gkScopeId, deps.engine.model);
  const { trials, speakers, warnings } = await trialsOf(deps, call, opened, input.source);
  const pause = pauseBetweenSlices(call);
  const { targets, nontargets } = countOf(trials);
  warnings.push(...tooFew(targets, nontargets));
  const accepting = activeThreshold(opened, (far) => thresholdForFar(model, far));
  const threshold = opened.configset ? accepting : undefined;
  const usable = targets > 0 && nontargets > 0;
  const at = threshold ?? 0;
  const sorted = await arrangeTrials(trials, pause);
  const figures = await bootstrapIntervals(
    usable ? sorted : [],
    { eer: equalErrorRateOf, falseAccept: falseAcceptsAt(at), miss: missesAt(at) },
    { level, pause },
  );
  /** One pass over the trials, followed by a pause for other calls. */
  const pass = async <T>(work: (sorted: Sorted) => T): Promise<T> => {
    const result = work(sorted);
    await pause();
    return result;
  };
  const eerThreshold = usable ? await pass(equalErrorThreshold) : 0;
  return {
    targets,
    nontargets,
    speakers,
    histogram: await pass(histogramOf),
    curves: await pass(curvesOf),
    eer: usable ? equalErrorInterval(sorted, eerThreshold, level, figures.eer) : unknownRate,
    eerThreshold,
    ...(threshold !== undefined && {
      active: { threshold, ...widerRates(sorted, threshold, level, figures) },
    }),
    cllr: usable ? await pass(cllr) : 0,
    level,
    warnings,
    alike: 'own' in input.source ? await pass(() => alikePairs(trials)) : [],
    fairness: await fairnessByGroup(deps, opened.gkScopeId, trials, {
      groupBy,
      threshold: accepting,
      level,
      pause,
    }),
  };
}

export async function suggestThreshold(
  deps: OperationDeps,
  call: Call,
  input: EvaluateInput & { targetFalseAcceptRate: number },
): Promise<ThresholdSuggestion> {
  const rate = input.targetFalseAcceptRate;
  const level = input.level || LEVEL_DEFAULT;
  const faults = levelFaults(input.level);
  if (rate === 0) faults.add(missingField('target_false_accept_rate'));
  else if (!(rate > 0 && rate <= WANTED_MAX)) faults.add(notWanted('target_false_accept_rate', rate));
  const opened = await openContext(deps, call, input.context, { ...inTenant, faults: faults.found });
  const { model } = await activeCalibration(deps.store, opened.gkScopeId, deps.engine.model);
  const { trials, speakers, warnings } = await trialsOf(deps, call, opened, input.source);
  const { targets, nontargets } = countOf(trials);
  warnings.push(...tooFew(targets, nontargets));
  const pause = pauseBetweenSlices(call);
  const sorted = await arrangeTrials(trials, pause);
  const accept = (far: number) => thresholdForFar(model, far);
  let threshold: Interval;
  if (nontargets === 0) {
    const factory = accept(rate);
    threshold = { value: factory, low: factory, high: factory };
    warnings.push(say('THRESHOLD_OF_MODEL'));
  } else {
    ({ threshold } = await bootstrapIntervals(sorted, { threshold: thresholdAt(rate) }, { level, pause }));
    if (nontargets * rate < 1) {
      // So few trials cannot show so small a rate; the model's own measurements are better.
      const factory = accept(rate);
      if (factory > threshold.value)
        threshold = { value: factory, low: threshold.low, high: Math.max(factory, threshold.high) };
      warnings.push(
        say('RATE_NEEDS_MORE_TRIALS', {
          ...{ rate: +(rate * 100).toPrecision(6), min: Math.ceil(1 / rate) },
          count: nontargets,
        }),
      );
    }
  }
  const isOwn = 'own' in input.source;
  const reach = lowestOwnThreshold(model, rate);
  if (isOwn && threshold.value < reach.threshold) {
    const score = threshold.value.toFixed(2);
    warnings.push(say('NOT_ALL_STRANGERS', { score, people: speakers, rate: percent(reach.far) }));
    const { threshold: value } = reach;
    threshold = { value, low: threshold.low, high: Math.max(value, threshold.high) };
  }
  const { falseAcceptRate } = opened.parameters.authentication;
  const riskLow = authenticationRisk(threshold.value, accept(falseAcceptRate));
  const rates = await ratesWithIntervals(sorted, threshold.value, { level, pause });
  return {
    threshold,
    ...rates,
    riskLow: Math.min(999, Math.max(1, riskLow)),
    targets,
    nontargets,
    speakers,
    warnings,
    ...assessThreshold(model, {
      threshold: threshold.value,
      misses: rates.miss.value,
      targets,
      speakers,
      isOwn,
    }),
  };
}

function trialsOf(
  deps: OperationDeps,
  call: Call,
  opened: OpenContext,
  source: TrialSource,
): Promise<TrialSet> {
  const { gkScopeId } = opened;
  return activeCalibration(deps.store, gkScopeId, deps.engine.model).then(({ model }) =>
    'own' in source
      ? ownTrials(deps, call, gkScopeId, model, source.own)
      : listedTrials(deps, call, gkScopeId, model, source.list),
  );
}

/**
 * The score at which a config set accepts one print: its rate sets the threshold, its risk limit moves it.
 */
function activeThreshold({ parameters }: OpenContext, accept: (far: number) => number): number {
  const { falseAcceptRate, riskLow } = parameters.authentication;
  return llrAtAuthenticationRisk(riskLow, accept(falseAcceptRate));
}

/** 0 means the default. */
function levelFaults(level: number): Faults {
  const faults = new Faults();
  return level === 0 || (level > 0 && level < 1) ? faults : faults.add(notAShare('confidence_level', level));
}

function notAShare(field: string, value: number): FieldFault {
  return { field, violation: 'OUT_OF_RANGE', ...say('NOT_A_SHARE'), value: String(value) };
}

function notWanted(field: string, value: number): FieldFault {
  return {
    field,
    violation: 'OUT_OF_RANGE',
    ...say('RATE_TOO_HIGH', { max: WANTED_MAX }),
    value: String(value),
  };
}

function countOf(trials: TrialSet['trials']): { targets: number; nontargets: number } {
  const targets = trials.reduce((sum, trial) => sum + (trial.target ? 1 : 0), 0);
  return { targets, nontargets: trials.length - targets };
}

const TRIALS_FOR_INTERVAL = 30;

function tooFew(targets: number, nontargets: number): Said[] {
  const warnings: Said[] = [];
  if (targets === 0) warnings.push(say('NO_TARGET_TRIALS'));
  else if (targets < TRIALS_FOR_INTERVAL) warnings.push(say('FEW_TARGET_TRIALS', { count: targets }));
  if (nontargets === 0) warnings.push(say('NO_NONTARGET_TRIALS'));
  else if (nontargets < TRIALS_FOR_INTERVAL)
    warnings.push(say('FEW_NONTARGET_TRIALS', { count: nontargets }));
  return warnings;
}
