// Warnings about thresholds from callers. Every rate mentioned here is in the report under the same name.
import type { CallerThreshold } from '../../voice/calibration/caller-thresholds.js';
import { percent } from '../../voice/evaluation/percent.js';

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
export function callerWarnings(thresholds: readonly ComparedThreshold[]): string[] {
  const warnings: string[] = [];
  for (const { far, extrapolated, before } of thresholds) {
    if (before.accepted > FAR_OFF * far && !extrapolated)
      warnings.push(
        `at the threshold in use for ${percent(far)}, ${percent(before.accepted)} of these strangers are accepted`,
      );
    if (extrapolated)
      warnings.push(
        `too few pairs to show ${percent(far)}: its threshold is extrapolated from the more frequent scores`,
      );
  }
  const broken = thresholds.filter(isAboveTarget);
  for (const threshold of broken) brokenPromise(threshold, warnings);
  if (broken.length > 0 && broken.every(({ far, accepted }) => accepted.low <= far))
    warnings.push(
      'with so few pairs, such shares may be due to chance alone: measure again when more people have called',
    );
  const [first] = thresholds;
  if (first && first.llr.value < first.before.llr)
    warnings.push(
      'these thresholds are laxer than those in use: activate them only if the same kinds of people keep calling',
    );
  return warnings;
}

function brokenPromise({ far, accepted, checked }: CallerThreshold, warnings: string[]): void {
  const [rate, measured] = [percent(far), percent(accepted.value)];
  if (!Number.isFinite(checked))
    warnings.push(
      `the new threshold for ${rate} accepts ${measured} of these strangers: more than it promises`,
    );
  else if (accepted.value > OVER * far)
    warnings.push(
      `the new threshold for ${rate} accepts ${measured} of these strangers, more than it promises; ${percent(checked)} when half of the people set it for the other half`,
    );
  else
    warnings.push(
      `the new threshold for ${rate} accepts ${measured} of these strangers, but ${percent(checked)} when half of the people set it for the other half: more than it promises`,
    );
}
