// Repeats work that only a passing fault prevents: a database that is away or busy, or a full disk.
import { setTimeout as pause } from 'node:timers/promises';
import { isBusy } from '../errors.js';

const AGAIN_MS = 500;

/** `patience`: once it is aborted, a fault is final. `onFault`: called after each attempt that failed. */
export async function whileBusy<T>(
  work: () => Promise<T>,
  patience: AbortSignal,
  onFault: (cause: unknown) => void = () => {},
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (!isBusy(cause) || patience.aborted) throw cause;
      onFault(cause);
    }
    // When patience ends, there is one more attempt.
    await pause(AGAIN_MS, undefined, { signal: patience, ref: false }).catch(() => undefined);
  }
}
