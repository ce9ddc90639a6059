// The same step for each of several selected rows: a call of its own for each, and what failed stays selected.
import { t } from '../text/shell.js';
import { ApiError, asApiError } from './errors.js';

/** Answers how many; throws what the last one said when some failed, after `onLeft` was told which are left. */
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
