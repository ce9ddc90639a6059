// Stored calls may be used for measurements, which they were not stored for, only if the tenant allows it.
import { AppError } from '../../errors.js';
import type { Parameters } from '../model/parameters.js';

export function requireCallersAllowed({ calibration }: Parameters): void {
  if (calibration.useCallers) return;
  throw new AppError(
    'PERMISSION_DENIED',
    'the config set SCOPE of this tenant does not allow stored calls to set thresholds (calibration.useCallers)',
    { diagnostics: [{ code: 'CALLERS_NOT_ALLOWED' }] },
  );
}
