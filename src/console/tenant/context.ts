// The context that biometric calls carry: reads need the tenant only, writes also an open engagement and session. One
// session per tenant and config set is opened with the first write and shared by all pages of this browser tab.
import { useCallback, useMemo } from 'react';
import type { ContextJson } from '../../gen/vendor/biosec/v1/common_pb.js';
import { call } from '../api/client.js';
import { ApiError } from '../api/errors.js';
import { t } from '../text/shell.js';
import { useTenant } from './tenant.js';

/** Of every biometric request. */
export type Context = ContextJson & { gkScopeId: { value: string } };

/** Tenant and config set, for reads and lists; undefined while there is no tenant. */
export function useReadContext(): Context | undefined {
  const { tenant, configsetId } = useTenant();
  const id = tenant?.id;
  return useMemo(
    () => (id === undefined ? undefined : { gkScopeId: { value: id }, ...(configsetId && { configsetId }) }),
    [id, configsetId],
  );
}

const openContexts = new Map<string, Promise<Context>>();
const keyOf = ({ gkScopeId, configsetId }: Context): string => `${gkScopeId.value} ${configsetId ?? ''}`;

function openSession(read: Context): Promise<Context> {
  const key = keyOf(read);
  const present = openContexts.get(key);
  if (present) return present;
  const pending = startSession(read);
  openContexts.set(key, pending);
  pending.catch(() => openContexts.delete(key));
  return pending;
}

async function startSession(read: Context): Promise<Context> {
  const { gkEngagementId } = await call('StartEngagement', { context: read });
  const context: Context = { ...read, ...(gkEngagementId && { gkEngagementId }) };
  const { gkSessionId } = await call('StartSession', { context, sessionType: 'SESSION_TYPE_DIGITAL' });
  return { ...context, ...(gkSessionId && { gkSessionId }) };
}

export type InSession = <T>(work: (context: Context) => Promise<T>) => Promise<T>;

/** Does work in the open session; one that ended meanwhile (idle, stopped elsewhere) is opened again once. */
export function useInSession(): InSession {
  const read = useReadContext();
  return useCallback(
    async (work) => {
      if (!read) throw new ApiError(t.chooseTenant, { code: 'NO_TENANT' });
      try {
        return await work(await openSession(read));
      } catch (thrown) {
        if (!isOver(thrown)) throw thrown;
        openContexts.delete(keyOf(read));
        return work(await openSession(read));
      }
    },
    [read],
  );
}

function isOver(thrown: unknown): boolean {
  return (
    thrown instanceof ApiError &&
    thrown.details.some((code) => code === 'SESSION_OVER' || code === 'ENGAGEMENT_OVER')
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
