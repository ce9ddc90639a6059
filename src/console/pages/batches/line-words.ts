// The outcome of a line in the reader's words: the reason, and the server's message.
import type { LineOutcomeJson, LineResultJson } from '../../../gen/voxgate/batch/v1/batch_pb.js';
import { saidWords, type ServerWords } from '../../format/refusal.js';
import { t } from '../../text/batches.js';
import { t as server } from '../../text/refusals.js';
import { reasonWords as checkReason } from '../sessions/record-words.js';

/** In a dry run: the line would be tried, and would most probably fail. */
export const TOO_FEW = 'TOO_FEW_RECORDINGS';

const doubtful = new Set([TOO_FEW, 'NOT_ENROLLED', 'PERSON_OPTED_OUT']);

/** In a dry run: not all of it would work as intended. */
export const isDoubtful = (outcome: LineOutcomeJson, reason = ''): boolean =>
  outcome === 'LINE_OUTCOME_WOULD_BE_DONE' && doubtful.has(reason);

/** Worded differently for a dry run, which has not done anything yet. */
export const reasonWords = (reason: string, outcome?: LineOutcomeJson): string =>
  (outcome === 'LINE_OUTCOME_WOULD_BE_DONE' ? t.wouldBe[reason] : undefined) ??
  t.reasons[reason] ??
  checkReason(reason) ??
  reason;

/** The line's names were erased with the personal data, and the remaining text would read like a name. */
export const isForgotten = ({ said = [] }: LineResultJson): boolean =>
  said.some(({ messageResourceId }) => messageResourceId === 'PERSON_FORGOTTEN');

const code = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/;

/** Codes of unused recordings are listed. */
const words: ServerWords = {
  said: { ...server.said, ...t.said },
  valueWords: (value) =>
    value
      .split(', ')
      .map((each) => (code.test(each) ? reasonWords(each) : server.valueWords(each)))
      .join(', '),
};

/** Without a full stop, since it often ends with the location of a recording. */
export function messageWords({ message = '', said = [] }: LineResultJson): string {
  const parts = said.map((each) => saidWords(each, words) ?? each.message ?? '');
  const found = parts.length > 0 ? parts.join('; ') : message;
  return found.charAt(0).toUpperCase() + found.slice(1);
}
