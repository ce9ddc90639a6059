// What became of a line, in the reader's words: why, and what the server says of it.
import type { LineOutcomeJson, LineResultJson } from '../../../gen/voxgate/batch/v1/batch_pb.js';
import { wordsFor, type ServerWords } from '../../format/said.js';
import { t } from '../../text/batches.js';
import { t as refusals } from '../../text/refusals.js';
import { reasonWords as checkReason } from '../sessions/record-words.js';

/** Of a dry run: it would be tried, and most probably fail. */
export const TOO_FEW = 'TOO_FEW_RECORDINGS';

const doubtful = new Set([TOO_FEW, 'NOT_ENROLLED', 'PERSON_OPTED_OUT']);

/** Of a dry run: not all of it would be done as hoped. */
export const isDoubtful = (outcome: LineOutcomeJson, reason = ''): boolean =>
  outcome === 'LINE_OUTCOME_WOULD_BE_DONE' && doubtful.has(reason);

/** A dry run has done nothing yet. */
export const reasonWords = (reason: string, outcome?: LineOutcomeJson): string =>
  (outcome === 'LINE_OUTCOME_WOULD_BE_DONE' ? t.wouldBe[reason] : undefined) ??
  t.reasons[reason] ??
  checkReason(reason) ??
  reason;

/** Its names are gone with the personal data, and what is left would read as one. */
export const isForgotten = ({ message }: LineResultJson): boolean =>
  message === 'the personal data of this person was deleted';

const code = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/;

/** A line may be refused as any request is; and codes of recordings that were not used stand in a list. */
const wordsOf = (own: ServerWords, others: ServerWords): ServerWords => ({
  serverSays: { ...others.serverSays, ...own.serverSays },
  serverNumber: (said) =>
    said
      .split(', ')
      .map((each) => (code.test(each) ? reasonWords(each) : own.serverNumber(each)))
      .join(', '),
});

const words = wordsOf(t, refusals);

/** Without a full stop: the place of a recording is often at its end. */
export function messageWords(message: string, said = words): string {
  const found = wordsFor(message, said) ?? message;
  return found.charAt(0).toUpperCase() + found.slice(1);
}
