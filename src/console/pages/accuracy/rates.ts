// Error rates in readable form, and the source of a report.
import type { EstimateJson } from '../../../gen/voxgate/biosec/v1/accuracy_pb.js';
import { shareWords } from '../../text/tools.js';
import { finite } from '../../format/text.js';
import type { ApiError } from '../../api/errors.js';
import { t } from '../../text/accuracy.js';
import { t as shell } from '../../text/shell.js';

/** The source of the report. */
export type Measured =
  | { kind: 'own' }
  // A list of trials chosen by the user.
  | { kind: 'trials'; name: string; text: string; count: number };

/** As chosen; an unreadable list gives nothing to measure, and no other source replaces it. */
export type Source = Measured | { kind: 'unreadable'; name: string; error: ApiError };

/** Proto JSON omits zeros: a missing member is 0. */
export const valueOf = (value: number | string | undefined): number => finite(value) ?? 0;

export function rateWords(rate: EstimateJson | undefined): string {
  if (!rate) return shell.none;
  return t.report.interval(
    shareWords(valueOf(rate.value)),
    shareWords(valueOf(rate.lower)),
    shareWords(valueOf(rate.upper)),
  );
}
