// What a tenant may upload as its own calibration: weights and thresholds for the speaker model in use.
import { isObject, type FieldFault } from '../../errors.js';
import { CALIBRATION_TERMS } from '../../voice/scoring/score.js';
import type { CalibrationContent } from './active.js';
import { say } from '../../words/server/say.js';

export const CALIBRATION_BYTES_MAX = 64 * 1024;

/** `model`: the revision of the speaker model that it will be used with. */
export function validateCalibration(content: string, model: string): FieldFault[] {
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch {
    return [{ field: 'content', violation: 'INVALID_FORMAT', ...say('NOT_JSON') }];
  }
  if (!isObject(document)) {
    return [{ field: 'content', violation: 'INVALID_FORMAT', ...say('NOT_A_JSON_OBJECT') }];
  }
  const { scoring, thresholds, model: madeFor } = document as CalibrationContent;
  const faults: FieldFault[] = [];
  if (madeFor !== undefined && madeFor !== model)
    faults.push({
      field: 'content.model',
      violation: 'FIELD_CONFLICT',
      ...say('OTHER_SCALE', {
        other: typeof madeFor === 'string' ? madeFor : 'another speaker model',
        model,
      }),
    });
  if (scoring === undefined && thresholds === undefined) {
    faults.push({
      field: 'content',
      violation: 'MANDATORY_FIELD_MISSING',
      ...say('NO_SCORING'),
    });
  }
  const coefficients = scoring?.coefficients;
  if (coefficients !== undefined && (!isNumbers(coefficients) || coefficients.length !== CALIBRATION_TERMS)) {
    faults.push({
      field: 'content.scoring.coefficients',
      violation: 'INVALID_FORMAT',
      ...say('NOT_TERMS', { count: CALIBRATION_TERMS }),
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
    return [{ field, violation: 'INVALID_FORMAT', ...say('NOT_THRESHOLDS') }];
  }
  const sorted = [...thresholds].sort((a, b) => b.far - a.far);
  if (sorted.some(({ far }) => far <= 0 || far >= 1))
    return [{ field, violation: 'OUT_OF_RANGE', ...say('RATES_OUT_OF_RANGE') }];
  const rising = sorted.every(
    (entry, index) => index === 0 || entry.llr > (sorted[index - 1]?.llr ?? -Infinity),
  );
  return rising ? [] : [{ field, violation: 'FIELD_CONFLICT', ...say('THRESHOLDS_NOT_ASCENDING') }];
}

function isNumbers(values: unknown): values is number[] {
  return (
    Array.isArray(values) && values.every((value) => typeof value === 'number' && Number.isFinite(value))
  );
}
