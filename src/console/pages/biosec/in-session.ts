// Calls that need an open session: a session that ended meanwhile (idle, stopped elsewhere) is opened again once.
import { useCallback } from 'react';
import { ApiError } from '../../api/errors.js';
import { useBiosecContext, type Context } from '../../tenant/tenant.js';

export type InSession = <T>(work: (context: Context) => Promise<T>) => Promise<T>;

export function useInSession(): InSession {
  const { open, close } = useBiosecContext();
  return useCallback(
    async (work) => {
      try {
        return await work(await open());
      } catch (thrown) {
        if (
          !(thrown instanceof ApiError) ||
          !thrown.details.some((code) => code === 'SESSION_OVER' || code === 'ENGAGEMENT_OVER')
        )
          throw thrown;
        // It is over already: closing it again may be refused, and that does not matter.
        await close().catch(() => undefined);
        return work(await open());
      }
    },
    [open, close],
  );
}

/** What is not there is an answer, not a failure. */
export async function ifFound<T>(pending: Promise<T>): Promise<T | undefined> {
  try {
    return await pending;
  } catch (thrown) {
    if (thrown instanceof ApiError && (thrown.code === 'NOT_FOUND' || thrown.httpStatus === 404))
      return undefined;
    throw thrown;
  }
}
