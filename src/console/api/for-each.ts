// Runs the same step for each of several selected rows: one call per row; rows that failed stay selected.
import { t } from '../text/shell.js';
import { ApiError, asApiError } from './errors.js';

/** Returns how many succeeded; if some failed, calls `onLeft` with those and throws the last error. */
export async function forEachSelected(
  selected: ReadonlySet<string>,
  work: (id: string) => Promise<unknown>,
  onLeft: (left: ReadonlySet<string>) => void,
): Promise<number> {
  const left = new Set(selected);
  let failure: ApiError | undefined;
  for (const id of selected) {
    try {
      await work(id);
      left.delete(id);
    } catch (thrown) {
      failure = asApiError(thrown);
    }
  }
  const done = selected.size - left.size;
  onLeft(left);
  if (failure)
    throw new ApiError(`${failure.message} ${t.table.partly(done, left.size)}`, {
      code: failure.code,
      requestId: failure.requestId,
    });
  return done;
}
