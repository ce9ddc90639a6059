// The server's warnings about a result, in the reader's language. English is the server's own.
import { wordsFor, type ServerWords } from '../../format/said.js';
import { t } from '../../text/accuracy.js';

/** Undefined if the catalogue has no words for it. */
export const warningWords = (said: string, catalogue: ServerWords = t): string | undefined =>
  wordsFor(said, catalogue);
