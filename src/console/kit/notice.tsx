// Shown instead of, or above, content: loading, nothing there yet, something failed.
import { useEffect, useState, type ReactNode } from 'react';
import { fieldLabel, isChangedMeanwhile, type ApiError } from '../api/errors.js';
import type { Query } from '../api/hooks.js';
import { t } from '../text/shell.js';
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

/** Shows the message once, the problems that no field shows by itself, and the request ID for support. */
export function ErrorNotice({
  error,
  title,
  shown = [],
  isOfButton = false,
}: {
  error: ApiError;
  title?: string;
  /** Fields that show their own problem. */
  shown?: Iterable<string>;
  /**
   * For an action without a form, where the page already shows the current state: there is nothing to copy
   * and no window to close.
   */
  isOfButton?: boolean;
}): ReactNode {
  const rest = error.problemsBeside(shown);
  const [only] = rest;
  // A problem shown at its field is not repeated.
  const isSaid = rest.length === 0 && error.fields.some(({ message }) => message === error.message);
  const isLate = isOfButton && isChangedMeanwhile(error);
  const message = isSaid ? t.errors.fixFields : isLate ? t.errors.changedBefore : error.message;
  // That nothing was saved concerns the whole form.
  const isOneField = rest.length === 1 && error.fields.length === 1 && !isChangedMeanwhile(error) && only;
  return (
    <Notice tone="bad" {...(title ? { title } : {})}>
      <span>{isOneField ? fieldSentence(only) : message}</span>
      {rest.length > 0 && !isOneField ? (
        <ul>
          {rest.map((problem) => (
            <li key={`${problem.field} ${problem.message}`}>{fieldSentence(problem)}</li>
          ))}
        </ul>
      ) : null}
      {error.requestId ? <small>{t.requestId(error.requestId)}</small> : null}
    </Notice>
  );
}

function fieldSentence({ field, message }: { field: string; message: string }): string {
  const label = field === '' ? undefined : fieldLabel(field);
  return label === undefined ? message : `${label}: ${message}`;
}

export function ErrorState({ error, onRetry }: { error: ApiError; onRetry?: () => void }): ReactNode {
  return (
    <div className="stack">
      <ErrorNotice error={error} title={t.loadFailed} />
      {onRetry ? (
        <div>
          <Button onClick={onRetry}>{t.tryAgain}</Button>
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
      <strong>{title}</strong>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  );
}

const SLOW_MS = 8000;

export function Loading({ what = t.loading }: { what?: string }): ReactNode {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      <span>
        {what} …{slow ? ` ${t.slow}` : ''}
      </span>
    </div>
  );
}

/** Loading, failed or loaded: `<Loaded query={q}>{(data) => …}</Loaded>` */
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
        {query.error ? <ErrorNotice error={query.error} title={t.outOfDate} /> : null}
        {children(query.data)}
      </>
    );
  }
  if (query.error) return <ErrorState error={query.error} onRetry={query.reload} />;
  return <Loading {...(what ? { what } : {})} />;
}
