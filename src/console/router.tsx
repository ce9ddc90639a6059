// A router of a few lines: paths below /console, preceded by the tenant they are about
// (/console/t/demo/people), pattern matching with :names, links that stay keyboard and middle-click friendly,
// and a confirmation before unsaved work is left.
import { useEffect, useSyncExternalStore, type AnchorHTMLAttributes, type ReactNode } from 'react';
import { t } from './text/shell.js';

const BASE = '/console';

const listeners = new Set<() => void>();
let blocker: (() => boolean) | undefined;
/**
 * Asked only when the browser goes back or forward: the console's own navigation already takes care of
 * dialogs.
 */
const backGuards = new Set<() => boolean>();

/** Whether something was typed in a dialog, or on a page that asks before it is left. */
export const isAnythingTyped = (): boolean =>
  blocker !== undefined || [...backGuards].some((hasTyped) => hasTyped());

function notify(): void {
  for (const listener of listeners) listener();
}

/** Pages shown since the browser loaded the console; the first one must leave the focus where the browser put it. */
let moves = 0;

/** How far a page was read: the pages of its lists, by list and view, and the scroll position. */
interface Reading {
  pages: Readonly<Record<string, number>>;
  scrolled: number;
}

/**
 * History entries are numbered, so that the router can go back to a page that the user decided not to leave.
 */
interface Entry {
  place: number;
  reading?: Reading;
}
const placeIn = (state: unknown): number => (state as Entry | null)?.place ?? 0;
let here = typeof window === 'undefined' ? 0 : placeIn(history.state);
/** While the browser returns to the page that the user decided not to leave: its address. */
let kept: string | undefined;

const urlInBar = (): string => location.pathname + location.search;
const currentUrl = (): string => kept ?? urlInBar();
/** The address shown before the browser moved. */
let last = '';

/** For back and forward: the address has already changed when the question is asked. */
function onHistory(event: PopStateEvent): void {
  const to = placeIn(event.state);
  if (kept !== undefined) {
    kept = undefined;
    here = to;
    return;
  }
  const isMove = urlInBar() !== last && to !== here;
  const isTyped = isAnythingTyped();
  if (isMove && isTyped) {
    kept = last;
    if (!confirm(t.leave)) {
      history.go(here - to);
      return;
    }
    kept = undefined;
  }
  here = to;
  moves++;
  notify();
}

if (typeof window !== 'undefined') addEventListener('popstate', onHistory);

export const hasMoved = (): boolean => moves > 0;

interface Place {
  /** Name of the tenant in the address; undefined if it has none. */
  tenant: string | undefined;
  /** Below the tenant: `/people/persons/7`. */
  path: string;
  query: URLSearchParams;
}

const address = /^\/console(?:\/t\/([^/]+))?(\/.*)?$/;

/** Returned as it is if it contains a percent sign that is no valid escape. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Parses `/console/t/demo/people?tab=x`. */
function placeOf(url: string): Place {
  const [pathname = '', search = ''] = url.split('?');
  const [, tenant, path] = address.exec(pathname) ?? [];
  return {
    tenant: tenant === undefined ? undefined : decoded(tenant),
    path: path ?? '/',
    query: new URLSearchParams(search),
  };
}

/** How far this page was read when it was left; the beginning if it never was. */
export const readingHere = (): Reading =>
  (history.state as Entry | null)?.reading ?? { pages: {}, scrolled: 0 };

/** Stored with the history entry, so that users who come back continue where they were. */
export function noteReading(changes: Partial<Reading>): void {
  history.replaceState({ place: here, reading: { ...readingHere(), ...changes } } satisfies Entry, '');
}

export function useLocation(): Place {
  const url = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentUrl);
  return placeOf(url);
}

/** The address of a path for the tenant of the current address, or for another one. */
function addressOf(to: string, tenant = placeOf(currentUrl()).tenant): string {
  return `${BASE}${tenant === undefined ? '' : `/t/${encodeURIComponent(tenant)}`}${to}`;
}

export function navigate(to: string, options: { replace?: boolean; tenant?: string } = {}): void {
  if (blocker && !blocker()) return;
  const url = options.tenant === undefined ? addressOf(to) : addressOf(to, options.tenant);
  if (url === currentUrl()) return;
  if (options.replace) history.replaceState({ place: here } satisfies Entry, '', url);
  else {
    noteReading({ scrolled: scrollY });
    history.pushState({ place: ++here } satisfies Entry, '', url);
  }
  moves++;
  notify();
  if (!options.replace) scrollTo({ top: 0 });
}

/** Adds the tenant to an address without one; the page stays the same. */
export function completeAddress(tenant: string): void {
  const { path, query } = placeOf(currentUrl());
  const search = query.toString();
  const url = addressOf(path, tenant) + (search === '' ? '' : `?${search}`);
  history.replaceState({ place: here } satisfies Entry, '', url);
  notify();
}

/** Changes query parameters of the current page in place (tabs, filters); undefined or '' removes one. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const params = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  const url = location.pathname + (text === '' ? '' : `?${text}`);
  history.replaceState({ place: here } satisfies Entry, '', url);
  notify();
}

/** Asks before leaving while `dirty`, also when the tab is closed. */
export function useLeaveGuard(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (): boolean => confirm(t.leave);
    last = currentUrl();
    const onClose = (event: BeforeUnloadEvent): void => event.preventDefault();
    blocker = ask;
    addEventListener('beforeunload', onClose);
    return () => {
      if (blocker === ask) blocker = undefined;
      removeEventListener('beforeunload', onClose);
    };
  }, [dirty]);
}

/** Asks before the browser goes back or forward if typed text would be lost. */
export function useBackGuard(hasTyped: () => boolean): void {
  useEffect(() => {
    last = currentUrl();
    backGuards.add(hasTyped);
    return () => {
      backGuards.delete(hasTyped);
    };
  }, [hasTyped]);
}

export type Params = Readonly<Record<string, string>>;

/** `matchPath('/applications/:id', '/applications/7')` gives `{ id: '7' }`. */
export function matchPath(pattern: string, path: string): Params | undefined {
  const wanted = pattern.split('/').filter(Boolean);
  const given = path.split('/').filter(Boolean);
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decoded(value);
    else if (part !== value) return undefined;
  }
  return params;
}

export function Link({
  to,
  children,
  onClick,
  ...rest
}: { to: string; children: ReactNode } & AnchorHTMLAttributes<HTMLAnchorElement>): ReactNode {
  return (
    <a
      href={addressOf(to)}
      onClick={(event) => {
        onClick?.(event);
        if (
          event.defaultPrevented ||
          event.button !== 0 ||
          event.metaKey ||
          event.ctrlKey ||
          event.shiftKey ||
          event.altKey
        )
          return;
        event.preventDefault();
        navigate(to);
      }}
      {...rest}
    >
      {children}
    </a>
  );
}
