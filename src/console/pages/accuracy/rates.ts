// Error rates as people read them, and what a report is made from.
import type { EstimateJson } from '../../../gen/voxgate/biosec/v1/accuracy_pb.js';
import { shareWords } from '../../text/tools.js';
import { finite } from '../../format/text.js';
import type { ApiError } from '../../api/errors.js';
import { t } from '../../text/accuracy.js';
import { t as shell } from '../../text/shell.js';

/** What the report is made from. */
export type Measured =
  | { kind: 'own' }
  // A list of trials that somebody chose.
  | { kind: 'trials'; name: string; text: string; count: number };

/** As chosen; a list that cannot be read is nothing to measure on, and nothing else takes its place. */
export type Source = Measured | { kind: 'unreadable'; name: string; error: ApiError };

/** Proto JSON leaves zeros out: a member that is not there is 0. */
export const valueOf = (value: number | string | undefined): number => finite(value) ?? 0;

export function rateWords(rate: EstimateJson | undefined): string {
  if (!rate) return shell.none;
  return t.report.interval(
    shareWords(valueOf(rate.value)),
    shareWords(valueOf(rate.lower)),
    shareWords(valueOf(rate.upper)),
  );
}
