// Stored calls may be used for measurements, which they were not stored for, only if the tenant allows it.
import { AppError } from '../../errors.js';
import type { Parameters } from '../model/parameters.js';
import { say } from '../../words/server/say.js';

export function requireCallersAllowed({ calibration }: Parameters): void {
  if (calibration.useCallers) return;
  throw new AppError('PERMISSION_DENIED', say('CALLERS_NOT_ALLOWED'), {
    diagnostics: [{ code: 'CALLERS_NOT_ALLOWED' }],
  });
}
