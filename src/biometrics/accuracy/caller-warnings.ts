// Warnings about thresholds from callers. Every rate mentioned here is in the report under the same name.
import type { CallerThreshold } from '../../voice/calibration/caller-thresholds.js';
import { percent } from '../../voice/evaluation/percent.js';
import { type Said, say } from '../../words/server/say.js';

/** Compared with the threshold in use. */
export interface ComparedThreshold extends CallerThreshold {
  before: { llr: number; accepted: number };
}

/** If callers exceed the promised rate by more than this factor, there is a warning. */
const FAR_OFF = 2;
/** A new threshold may miss its promised rate a little; beyond this factor there is a warning. */
const OVER = 1.5;

/** As measured, or when half of the people set it for the other half. */
export const isAboveTarget = ({ far, accepted, checked }: CallerThreshold): boolean =>
  accepted.value > OVER * far || checked > OVER * far;

/** The most frequent rate first, as in the report. */
export function callerWarnings(thresholds: readonly ComparedThreshold[]): Said[] {
  const warnings: Said[] = [];
  for (const { far, extrapolated, before } of thresholds) {
    if (before.accepted > FAR_OFF * far && !extrapolated)
      warnings.push(say('ACCEPTED_BEFORE', { rate: percent(far), share: percent(before.accepted) }));
    if (extrapolated) warnings.push(say('EXTRAPOLATED', { rate: percent(far) }));
  }
  const broken = thresholds.filter(isAboveTarget);
  warnings.push(...broken.map(brokenPromise));
  if (broken.length > 0 && broken.every(({ far, accepted }) => accepted.low <= far))
    warnings.push(say('PERHAPS_CHANCE'));
  const [first] = thresholds;
  if (first && first.llr.value < first.before.llr) warnings.push(say('LAXER_THRESHOLDS'));
  return warnings;
}

function brokenPromise({ far, accepted, checked }: CallerThreshold): Said {
  const [rate, share] = [percent(far), percent(accepted.value)];
  if (!Number.isFinite(checked)) return say('ACCEPTS_MORE', { rate, share });
  const code = accepted.value > OVER * far ? 'ACCEPTS_MORE_IN_BOTH' : 'ACCEPTS_MORE_IN_CHECK';
  return say(code, { rate, share, checked: percent(checked) });
}
