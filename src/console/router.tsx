// A router of a few lines: paths below /console, pattern matching with :names, links that stay keyboard and
// middle-click friendly, and a question before unsaved work is left.
import { useEffect, useSyncExternalStore, type AnchorHTMLAttributes, type ReactNode } from 'react';

export const BASE = '/console';

const listeners = new Set<() => void>();
let blocker: (() => boolean) | undefined;

function notify(): void {
  for (const listener of listeners) listener();
}

/** Pages shown since the browser loaded the console; the first one must leave the focus where the browser put it. */
let moves = 0;

addEventListener('popstate', () => {
  moves++;
  notify();
});

export const hasMoved = (): boolean => moves > 0;

const currentUrl = (): string => location.pathname + location.search;

/** `/applications/7?tab=x` for /console/applications/7?tab=x */
export function useLocation(): { path: string; query: URLSearchParams } {
  const url = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentUrl);
  const [pathname = '', search = ''] = url.split('?');
  const below = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : pathname;
  return { path: below === '' ? '/' : below, query: new URLSearchParams(search) };
}

export function navigate(to: string, options: { replace?: boolean } = {}): void {
  if (blocker && !blocker()) return;
  const url = BASE + to;
  if (url === currentUrl()) return;
  if (options.replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  moves++;
  notify();
  if (!options.replace) scrollTo({ top: 0 });
}

/** Changes one query parameter of the current page in place (tabs, filters). */
export function setQuery(name: string, value: string | undefined): void {
  const params = new URLSearchParams(location.search);
  if (value === undefined || value === '') params.delete(name);
  else params.set(name, value);
  const text = params.toString();
  history.replaceState(null, '', location.pathname + (text === '' ? '' : `?${text}`));
  notify();
}

/** Asks before leaving while `dirty`; also when the tab is closed. */
export function useLeaveGuard(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (): boolean => confirm('Leave this page? What you typed is not saved yet.');
    const onClose = (event: BeforeUnloadEvent): void => event.preventDefault();
    blocker = ask;
    addEventListener('beforeunload', onClose);
    return () => {
      if (blocker === ask) blocker = undefined;
      removeEventListener('beforeunload', onClose);
    };
  }, [dirty]);
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
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value);
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
      href={BASE + to}
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
