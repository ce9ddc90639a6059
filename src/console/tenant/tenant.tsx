// The tenant (scope) and the config set in use, remembered per browser, and the context that biometric calls
// carry: reads need the tenant only, writes also an open engagement and session.
import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { del, get, put } from '../api/client.js';
import type { ApiError } from '../api/errors.js';
import { useQuery } from '../api/hooks.js';

export interface Scope {
  gkScopeId: { value: string };
  scopeId: string;
  customerName?: string;
  description?: string;
  scopeState?: string;
}

/** Of every biometric request. */
export type Context = {
  gkScopeId: { value: string };
  configsetId?: string;
  gkEngagementId?: { value: string };
  gkSessionId?: { value: string };
};

export interface Tenant {
  scopes: readonly Scope[];
  scope: Scope | undefined;
  configsets: readonly string[];
  configsetId: string | undefined;
  loading: boolean;
  error: ApiError | undefined;
  selectScope: (gkScopeId: string) => void;
  selectConfigset: (configsetId: string) => void;
  reload: () => void;
}

const TenantContext = createContext<Tenant | undefined>(undefined);
const SCOPE_KEY = 'voxgate.scope';
const CONFIGSET_KEY = 'voxgate.configset';

interface ConfigsetRevision {
  configsetId?: string;
  type?: string;
  state?: string;
  configClass?: string;
}

/** What bootstrap makes; taken when the list of config sets cannot be read. */
const USUAL_CONFIGSET = 'telephone';

export function TenantProvider({ children }: { children: ReactNode }): ReactNode {
  const [wanted, setWanted] = useState(() => localStorage.getItem(SCOPE_KEY) ?? '');
  const [wantedConfigset, setWantedConfigset] = useState(() => localStorage.getItem(CONFIGSET_KEY) ?? '');
  const list = useQuery('scopes', (signal) => get<{ details?: Scope[] }>('/v1/scopes', {}, signal));
  const scopes = list.data?.details ?? [];
  const scope = scopes.find((candidate) => candidate.gkScopeId.value === wanted) ?? scopes[0];
  const scopeValue = scope?.gkScopeId.value;
  const revisions = useQuery(scopeValue && `configsets ${scopeValue}`, (signal) =>
    get<{ details?: ConfigsetRevision[] }>(
      '/v1/configsets/revisions',
      { context: { gkScopeId: { value: scopeValue ?? '' } } },
      signal,
    ),
  );
  const configsets = useMemo(() => {
    if (revisions.error) return [USUAL_CONFIGSET];
    // Calls take operational sets with an active revision; the built-in ones steer other things.
    const usable = (revisions.data?.details ?? []).filter(
      ({ type, state, configClass }) =>
        type === 'CONFIGSET_TYPE_OPERATIONAL' &&
        state === 'STATE_ACTIVE' &&
        configClass !== 'CONFIG_CLASS_TEMPLATE',
    );
    return [...new Set(usable.flatMap((entry) => entry.configsetId ?? []))].sort();
  }, [revisions.data, revisions.error]);
  const configsetId = configsets.includes(wantedConfigset) ? wantedConfigset : configsets[0];

  const selectScope = useCallback((value: string) => {
    localStorage.setItem(SCOPE_KEY, value);
    setWanted(value);
  }, []);
  const selectConfigset = useCallback((value: string) => {
    localStorage.setItem(CONFIGSET_KEY, value);
    setWantedConfigset(value);
  }, []);
  const { reload: reloadScopes } = list;
  const { reload: reloadRevisions } = revisions;
  const reload = useCallback(() => {
    reloadScopes();
    reloadRevisions();
  }, [reloadScopes, reloadRevisions]);
  const value: Tenant = {
    scopes,
    scope,
    configsets,
    configsetId,
    loading: list.loading || revisions.loading,
    error: list.error,
    selectScope,
    selectConfigset,
    reload,
  };
  return <TenantContext value={value}>{children}</TenantContext>;
}

export function useTenant(): Tenant {
  const tenant = useContext(TenantContext);
  if (!tenant) throw new Error('useTenant outside TenantProvider');
  return tenant;
}

export interface BiosecContext {
  /** Tenant and config set, for reads and lists; undefined while no tenant is chosen. */
  read: Context | undefined;
  /** The same with an open engagement and session, opened at the first call and then shared. */
  open: () => Promise<Context>;
  /** What `open` has opened in this browser tab, if anything. */
  opened: Context | undefined;
  /** Closes session and engagement; the next `open` starts afresh. */
  close: () => Promise<void>;
}

/** One open session per tenant and config set, shared by all pages of this tab. */
const openContexts = new Map<string, Promise<Context>>();

export function useBiosecContext(): BiosecContext {
  const { scope, configsetId } = useTenant();
  const gkScopeId = scope?.gkScopeId.value;
  const key = `${gkScopeId ?? ''} ${configsetId ?? ''}`;
  const [opened, setOpened] = useState<Context | undefined>(undefined);
  const read = useMemo<Context | undefined>(
    () =>
      gkScopeId === undefined
        ? undefined
        : { gkScopeId: { value: gkScopeId }, ...(configsetId ? { configsetId } : {}) },
    [gkScopeId, configsetId],
  );
  useEffect(() => {
    let current = true;
    setOpened(undefined);
    openContexts.get(key)?.then(
      (context) => current && setOpened(context),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [key]);
  const open = useCallback(async (): Promise<Context> => {
    if (!read) throw new Error('Choose a tenant first');
    let pending = openContexts.get(key);
    if (!pending) {
      pending = startSession(read);
      openContexts.set(key, pending);
      pending.catch(() => openContexts.delete(key));
    }
    const context = await pending;
    setOpened(context);
    return context;
  }, [key, read]);
  const close = useCallback(async (): Promise<void> => {
    const pending = openContexts.get(key);
    openContexts.delete(key);
    setOpened(undefined);
    const context = await pending?.catch(() => undefined);
    if (!context) return;
    await put('/v1/sessions/stop', { context });
    await put('/v1/engagements/stop', { context: { ...context, gkSessionId: undefined } });
  }, [key]);
  return { read, open, opened, close };
}

async function startSession(read: Context): Promise<Context> {
  const engagement = await put<{ gkEngagementId: { value: string } }>('/v1/engagements/start', {
    context: read,
  });
  const context: Context = { ...read, gkEngagementId: engagement.gkEngagementId };
  const session = await put<{ gkSessionId: { value: string } }>('/v1/sessions/start', {
    context,
    sessionType: 'SESSION_TYPE_DIGITAL',
  });
  return { ...context, gkSessionId: session.gkSessionId };
}

/** Deletes with a context: the contract takes it from the query. */
export function deleteInContext<T>(path: string, context: Context): Promise<T> {
  return del<T>(path, { context });
}
