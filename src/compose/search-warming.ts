// Prepares the search indexes of the longest lists after a start, in the background, so that the first search does not have to
// wait.
import type { SearchIndexes } from '../biometrics/search/search-indexes.js';
import { isOutage } from '../errors.js';
import type { Core } from './part.js';

/** Calls that waited for the server come first. */
const AFTER_MS = 2000;

export function startSearchWarming(
  { log }: Pick<Core, 'log'>,
  searches: SearchIndexes,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let warming: Promise<void> | undefined;
  const timer = setTimeout(() => {
    warming = searches.warm(stopping.signal).catch((cause: unknown) => {
      if (!isOutage(cause) && !stopping.signal.aborted)
        log.warn({ err: cause }, 'reading lists for searching failed');
    });
  }, AFTER_MS).unref();
  return {
    stop: async () => {
      clearTimeout(timer);
      stopping.abort();
      searches.stop();
      await warming;
    },
  };
}
