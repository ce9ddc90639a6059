// The context of biometric calls: reads need only the tenant, writes also an open engagement and session. One
// session per tenant, config set and purpose is opened with the first write and shared by all pages of this
// browser tab; it is stopped when it has not been used for a while, and with the tab.
import { useCallback, useMemo } from 'react';
import type { ContextJson, SessionTypeJson } from '../../gen/vendor/biosec/v1/common_pb.js';
import { call, callToTheEnd } from '../api/client.js';
import { ApiError } from '../api/errors.js';
import { t } from '../text/shell.js';
import { useTenant } from './tenant.js';

/** The context of every biometric request. */
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

interface OpenSession {
  context: Promise<Context>;
  /** Number of requests in progress in it. */
  working: number;
  idle?: ReturnType<typeof setTimeout> | undefined;
}

/** Long enough to record another sample; short enough that nobody wonders what is still open. */
const IDLE_MS = 60_000;
const openSessions = new Map<string, OpenSession>();

/** The purpose of a session. */
interface Purpose {
  read: Context;
  type: SessionTypeJson;
  /** A trial, which statistics do not count. */
  isTest: boolean;
}

const keyOf = ({ read: { gkScopeId, configsetId }, type, isTest }: Purpose): string =>
  `${gkScopeId.value} ${configsetId ?? ''} ${type} ${String(isTest)}`;

function openSession(purpose: Purpose): OpenSession {
  const key = keyOf(purpose);
  const present = openSessions.get(key);
  if (present) return present;
  const opened: OpenSession = { context: startSession(purpose), working: 0 };
  openSessions.set(key, opened);
  window.addEventListener('pagehide', stopAll);
  opened.context.catch(() => openSessions.delete(key));
  return opened;
}

async function workIn<T>(purpose: Purpose, work: (context: Context) => Promise<T>): Promise<T> {
  const open = openSession(purpose);
  clearTimeout(open.idle);
  open.working += 1;
  try {
    return await work(await open.context);
  } finally {
    open.working -= 1;
    if (open.working === 0) open.idle = setTimeout(() => stopSession(keyOf(purpose), open), IDLE_MS);
  }
}

/** Errors are ignored: the server ends idle sessions by itself, later. */
function stopSession(key: string, open: OpenSession): void {
  clearTimeout(open.idle);
  // If it has ended meanwhile, another one may have taken its place.
  if (openSessions.get(key) === open) openSessions.delete(key);
  open.context.then(stop, () => undefined);
}

function stop(context: Context): void {
  callToTheEnd('StopSession', { context }).catch(() => undefined);
}

function stopAll(): void {
  for (const [key, open] of openSessions) stopSession(key, open);
}

/**
 * `claimed`: whose voice it is said to be, so that an analyst who opens the session later can see whom it was
 * about.
 */
async function startSession({ read, type, isTest }: Purpose, claimed?: string): Promise<Context> {
  const { gkEngagementId } = await call('StartEngagement', { context: read });
  const context: Context = { ...read, ...(gkEngagementId && { gkEngagementId }) };
  const { gkSessionId } = await call('StartSession', {
    context,
    sessionType: type,
    ...(isTest && { isTest }),
    ...(claimed && { details: { claimedGkPersonId: { value: claimed } } }),
  });
  return { ...context, ...(gkSessionId && { gkSessionId }) };
}

export type InSession = <T>(work: (context: Context) => Promise<T>) => Promise<T>;

/** A voice is heard, as in a call. */
export function useVoiceSession(): InSession {
  return useSession('SESSION_TYPE_DIGITAL', false);
}

/**
 * A recording is tried out, attributed to the claimed person: in a session of its own, because the next one
 * may be somebody else's, and findings in a session apply to everybody in it.
 */
export function useTrialSession(claimed?: string): InSession {
  const read = useReadContext();
  return useCallback(
    async (work) => {
      if (!read) throw new ApiError(t.chooseTenant, { code: 'NO_TENANT' });
      const context = await startSession({ read, type: 'SESSION_TYPE_DIGITAL', isTest: true }, claimed);
      try {
        return await work(context);
      } finally {
        stop(context);
      }
    },
    [read, claimed],
  );
}

/** For work on stored data: it needs a session too, which is listed separately from calls. */
export function useInSession(
  type: 'SESSION_TYPE_ADMINISTRATION' | 'SESSION_TYPE_FRAUD_ANALYST' = 'SESSION_TYPE_ADMINISTRATION',
  /** If the data comes from a trial, so does this session. */
  isTest = false,
): InSession {
  return useSession(type, isTest);
}

/** A session that has ended meanwhile (idle, stopped elsewhere) is opened again once. */
function useSession(type: SessionTypeJson, isTest: boolean): InSession {
  const read = useReadContext();
  return useCallback(
    async (work) => {
      if (!read) throw new ApiError(t.chooseTenant, { code: 'NO_TENANT' });
      const purpose = { read, type, isTest };
      try {
        return await workIn(purpose, work);
      } catch (thrown) {
        if (!isOver(thrown)) throw thrown;
        openSessions.delete(keyOf(purpose));
        return workIn(purpose, work);
      }
    },
    [read, type, isTest],
  );
}

function isOver(thrown: unknown): boolean {
  return (
    thrown instanceof ApiError &&
    thrown.details.some((code) => code === 'SESSION_OVER' || code === 'ENGAGEMENT_OVER')
  );
}

/** "Not found" is an answer, not a failure. */
export async function ifFound<T>(pending: Promise<T>): Promise<T | undefined> {
  try {
    return await pending;
  } catch (thrown) {
    if (thrown instanceof ApiError && (thrown.code === 'NOT_FOUND' || thrown.httpStatus === 404))
      return undefined;
    throw thrown;
  }
}
