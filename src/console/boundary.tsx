// Shown instead of a page that fails, or that could not be fetched.
import {
  Component,
  lazy,
  useEffect,
  type ComponentType,
  type LazyExoticComponent,
  type ReactNode,
} from 'react';
import { checkConnection, isConnectionLost, watchConnection } from './api/connection.js';
import { ApiError } from './api/errors.js';
import { PageHead } from './kit/layout.js';
import { ErrorState } from './kit/notice.js';
import { t } from './text/shell.js';

const NOT_FETCHED = 'PAGE_NOT_FETCHED';

/** A part of the console that is fetched when it is first shown; `onFailure` lets the next attempt fetch it again. */
export function fetched<P>(
  load: () => Promise<ComponentType<P>>,
  onFailure: () => void = () => undefined,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      // The server is away, or was replaced by a newer version since this tab was opened.
      onFailure();
      void checkConnection();
      throw new ApiError(t.pageFailed.fetch, { code: NOT_FETCHED });
    }
  });
}

/**
 * Reloads what could not be fetched once the server is back; nothing can have been typed on a page that is
 * missing.
 */
function ReloadWhenBack(): ReactNode {
  useEffect(
    () =>
      watchConnection(() => {
        if (!isConnectionLost()) location.reload();
      }),
    [],
  );
  return null;
}

/** A page that throws must not take the navigation down with it. */
export class PageBoundary extends Component<{ children: ReactNode }, { thrown?: unknown }> {
  override state: { thrown?: unknown } = {};

  static getDerivedStateFromError(thrown: unknown): { thrown: unknown } {
    return { thrown };
  }

  override render(): ReactNode {
    if (!('thrown' in this.state)) return this.props.children;
    const { thrown } = this.state;
    const error =
      thrown instanceof ApiError
        ? thrown
        : new ApiError(t.pageFailed.text(String(thrown)), { code: 'PAGE_FAILED' });
    return (
      <>
        <PageHead title={t.pageFailed.title} />
        <ErrorState error={error} onRetry={() => location.reload()} />
        {error.code === NOT_FETCHED ? <ReloadWhenBack /> : null}
      </>
    );
  }
}
