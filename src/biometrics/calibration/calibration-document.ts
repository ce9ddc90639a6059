// What a tenant may upload as its own calibration: weights and thresholds for the speaker model in use.
import { isObject, type FieldFault } from '../../errors.js';
import { CALIBRATION_TERMS } from '../../voice/scoring/score.js';
import type { CalibrationContent } from './active.js';

export const CALIBRATION_BYTES_MAX = 64 * 1024;

/** `model`: the revision of the speaker model that it will be used with. */
export function validateCalibration(content: string, model: string): FieldFault[] {
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch {
    return [{ field: 'content', violation: 'INVALID_FORMAT', message: 'is not valid JSON' }];
  }
  if (!isObject(document)) {
    return [{ field: 'content', violation: 'INVALID_FORMAT', message: 'must be a JSON object' }];
  }
  const { scoring, thresholds, model: madeFor } = document as CalibrationContent;
  const faults: FieldFault[] = [];
  if (madeFor !== undefined && madeFor !== model)
    faults.push({
      field: 'content.model',
      violation: 'FIELD_CONFLICT',
      message: `was made for ${typeof madeFor === 'string' ? madeFor : 'another speaker model'}: scores of ${model} have a different scale`,
    });
  if (scoring === undefined && thresholds === undefined) {
    faults.push({
      field: 'content',
      violation: 'MANDATORY_FIELD_MISSING',
      message: 'must contain scoring or thresholds',
    });
  }
  const coefficients = scoring?.coefficients;
  if (coefficients !== undefined && (!isNumbers(coefficients) || coefficients.length !== CALIBRATION_TERMS)) {
    faults.push({
      field: 'content.scoring.coefficients',
      violation: 'INVALID_FORMAT',
      message: `must be ${CALIBRATION_TERMS} numbers`,
    });
  }
  if (thresholds !== undefined) faults.push(...thresholdFaults(thresholds));
  return faults;
}

function thresholdFaults(thresholds: unknown): FieldFault[] {
  const field = 'content.thresholds';
  const isThreshold = (entry: unknown): entry is { far: number; llr: number } =>
    typeof entry === 'object' &&
    entry !== null &&
    isNumbers([(entry as { far: unknown }).far, (entry as { llr: unknown }).llr]);
  if (
    !Array.isArray(thresholds) ||
    thresholds.length === 0 ||
    thresholds.length > 50 ||
    !thresholds.every(isThreshold)
  ) {
    return [{ field, violation: 'INVALID_FORMAT', message: 'must be 1 to 50 entries { far, llr }' }];
  }
  const sorted = [...thresholds].sort((a, b) => b.far - a.far);
  if (sorted.some(({ far }) => far <= 0 || far >= 1))
    return [{ field, violation: 'OUT_OF_RANGE', message: 'rates must be between 0 and 1' }];
  const rising = sorted.every(
    (entry, index) => index === 0 || entry.llr > (sorted[index - 1]?.llr ?? -Infinity),
  );
  return rising
    ? []
    : [{ field, violation: 'FIELD_CONFLICT', message: 'a lower rate needs a higher threshold' }];
}

function isNumbers(values: unknown): values is number[] {
  return (
    Array.isArray(values) && values.every((value) => typeof value === 'number' && Number.isFinite(value))
  );
}
