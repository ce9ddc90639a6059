// What a suggested threshold needs before it may decide about people: a value that puts a config set exactly
// there, and no objection to it.
import type { Trial } from '../../voice/evaluation/arrange.js';
import { percent } from '../../voice/evaluation/percent.js';
import { farForThreshold, thresholdForFar } from '../../voice/scoring/risk.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import { parameterTable } from '../model/parameters.js';
import { type Said, say } from '../../words/server/say.js';

/** As for thresholds set by recordings: fewer people say nothing about strangers. */
const SPEAKERS_MIN = 10;
/** A threshold that rejects half of the right people is a mistake, not a choice. */
const MISSES_MAX = 0.5;
const PAIRS_MAX = 10;
/**
 * A tenant's own voices may lower a threshold at most to where the calibration expects this many times the
 * wanted rate.
 */
const LAXER_MAX = 10;
/** The highest rate that can be wanted: letting in one impostor in ten hardly tells people apart. */
export const WANTED_MAX = 0.1;

export interface ThresholdAssessment {
  /** `authentication.falseAcceptRate`, with the default `riskLow`; absent if out of its range. */
  falseAcceptRate?: number;
  objections: Said[];
}

/**
 * How far a tenant's own voices may lower the threshold for a rate: a few people who are easily told apart do
 * not represent all strangers.
 */
export function lowestOwnThreshold(model: SpeakerModel, rate: number): { threshold: number; far: number } {
  const far = Math.min(WANTED_MAX, LAXER_MAX * rate);
  return { threshold: thresholdForFar(model, far), far };
}

/** A value placed at a limit must not exceed it because of rounding. */
const WITHIN = 1e-9;

export function assessThreshold(
  model: SpeakerModel,
  found: { threshold: number; misses: number; targets: number; speakers: number; isOwn: boolean },
): ThresholdAssessment {
  const objections: Said[] = [];
  if (found.isOwn && found.speakers < SPEAKERS_MIN)
    objections.push(
      found.speakers === 1
        ? say('ONE_SPEAKER_TOO_FEW', { min: SPEAKERS_MIN })
        : say('SPEAKERS_TOO_FEW', { count: found.speakers, min: SPEAKERS_MIN }),
    );
  if (found.targets > 0 && found.misses > MISSES_MAX)
    objections.push(say('REJECTS_RIGHT_PEOPLE', { share: percent(found.misses) }));
  const { min = 0, max = 1 } = parameterTable.authentication.falseAcceptRate;
  const far = farForThreshold(model, found.threshold);
  if (far !== undefined && far >= min * (1 - WITHIN) && far <= max * (1 + WITHIN))
    return { falseAcceptRate: Math.min(max, Math.max(min, far)), objections };
  // These rates are those of the calibration: among the tenant's voices the same score may mean quite a
  // different one.
  const [lowest, highest] = [thresholdForFar(model, max), thresholdForFar(model, min)];
  if (found.threshold < lowest)
    objections.push(say('NO_LOWER_SCORE', { score: lowest.toFixed(2), rate: percent(max) }));
  else objections.push(say('NO_HIGHER_SCORE', { score: highest.toFixed(2), rate: percent(min) }));
  return { objections };
}

export interface AlikePair {
  owner: string;
  other: string;
  score: number;
}

/** The highest score between any two owners, the most alike first. */
export function alikePairs(trials: readonly Trial[]): AlikePair[] {
  const best = new Map<string, AlikePair>();
  for (const { score, target, groups } of trials) {
    if (target || !groups) continue;
    const [owner = '', other = ''] = [...groups].sort();
    const key = `${owner} ${other}`;
    if ((best.get(key)?.score ?? -Infinity) < score) best.set(key, { owner, other, score });
  }
  return [...best.values()].sort((a, b) => b.score - a.score).slice(0, PAIRS_MAX);
}
