// What to show instead of, or above, content: loading, nothing there yet, something failed.
import { useEffect, useState, type ReactNode } from 'react';
import type { ApiError } from '../api/errors.js';
import type { Query } from '../api/hooks.js';
import { Button } from './button.js';
import { Icon, type IconName } from './icons.js';

export type Tone = 'info' | 'good' | 'warn' | 'bad';

export function Notice({
  tone = 'info',
  title,
  children,
}: {
  tone?: Tone;
  title?: string;
  children?: ReactNode;
}): ReactNode {
  return (
    <div className="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
      {title ? <strong>{title}</strong> : null}
      {children}
    </div>
  );
}

/** The message, the faults of single fields, and the request id for support. */
export function ErrorNotice({ error, title }: { error: ApiError; title?: string }): ReactNode {
  return (
    <Notice tone="bad" {...(title ? { title } : {})}>
      <span>{error.message}</span>
      {error.fields.length > 0 ? (
        <ul>
          {error.fields.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {field === '' ? null : <code>{field}</code>} {message}
            </li>
          ))}
        </ul>
      ) : null}
      {error.requestId ? <small>Request {error.requestId}</small> : null}
    </Notice>
  );
}

export function ErrorState({ error, onRetry }: { error: ApiError; onRetry?: () => void }): ReactNode {
  return (
    <div className="stack">
      <ErrorNotice error={error} title="This could not be loaded" />
      {onRetry ? (
        <div>
          <Button onClick={onRetry}>Try again</Button>
        </div>
      ) : null}
    </div>
  );
}

export function EmptyState({
  icon = 'voice',
  title,
  children,
  action,
}: {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <div className="empty">
      <Icon name={icon} size={32} />
      <h3>{title}</h3>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  );
}

const SLOW_MS = 8000;

export function Loading({ what = 'Loading' }: { what?: string }): ReactNode {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      <span>
        {what} …{slow ? ' This takes longer than usual. The server or the network is slow.' : ''}
      </span>
    </div>
  );
}

/** Loading, failed or there: `<Loaded query={q}>{(data) => …}</Loaded>` */
export function Loaded<T>({
  query,
  what,
  children,
}: {
  query: Query<T>;
  what?: string;
  children: (data: T) => ReactNode;
}): ReactNode {
  if (query.data !== undefined) {
    return (
      <>
        {query.error ? <ErrorNotice error={query.error} title="This may be out of date" /> : null}
        {children(query.data)}
      </>
    );
  }
  if (query.error) return <ErrorState error={query.error} onRetry={query.reload} />;
  return <Loading {...(what ? { what } : {})} />;
}
