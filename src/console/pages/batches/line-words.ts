// The outcome of a line in the reader's words: the reason, and the server's message.
import type { LineOutcomeJson, LineResultJson } from '../../../gen/voxgate/batch/v1/batch_pb.js';
import { wordsFor, type ServerWords } from '../../format/said.js';
import { t } from '../../text/batches.js';
import { t as refusals } from '../../text/refusals.js';
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
export const isForgotten = ({ message }: LineResultJson): boolean =>
  message === 'the personal data of this person was deleted';

const code = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/;

/** A line may be refused like any request; codes of unused recordings are listed separately. */
const wordsOf = (own: ServerWords, others: ServerWords): ServerWords => ({
  serverSays: { ...others.serverSays, ...own.serverSays },
  serverNumber: (said) =>
    said
      .split(', ')
      .map((each) => (code.test(each) ? reasonWords(each) : own.serverNumber(each)))
      .join(', '),
});

const words = wordsOf(t, refusals);

/** Without a full stop, since it often ends with the location of a recording. */
export function messageWords(message: string, said = words): string {
  const found = wordsFor(message, said) ?? message;
  return found.charAt(0).toUpperCase() + found.slice(1);
}
