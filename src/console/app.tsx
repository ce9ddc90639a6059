// From session state to page: decides what is shown, loads page chunks, survives a page that fails.
import {
  Component,
  Suspense,
  lazy,
  useEffect,
  type ComponentType,
  type LazyExoticComponent,
  type ReactNode,
} from 'react';
import { ApiError } from './api/errors.js';
import { startSession, useSession } from './api/session.js';
import { PageHead } from './kit/layout.js';
import { EmptyState, ErrorState, Loading } from './kit/notice.js';
import { Toasts } from './kit/toast.js';
import type { PageEntry, PageProps } from './pages/page.js';
import { pages } from './pages/registry.js';
import { Link, matchPath, useLocation, type Params } from './router.js';
import { Shell } from './shell/shell.js';
import { ExpiredDialog, SignedOutPage, WindowDonePage } from './shell/sign-in.js';
import { TenantProvider, useTenant } from './tenant/tenant.js';
import { t } from './text/shell.js';

const components = new Map<PageEntry, LazyExoticComponent<ComponentType<PageProps>>>();

function componentOf(page: PageEntry): LazyExoticComponent<ComponentType<PageProps>> {
  let component = components.get(page);
  if (!component) {
    component = lazy(async () => ({ default: await loadPage(page) }));
    components.set(page, component);
  }
  return component;
}

/** A chunk that does not come: the server is away, or was replaced by a newer version since this tab was opened. */
async function loadPage(page: PageEntry): Promise<ComponentType<PageProps>> {
  try {
    return await page.load();
  } catch {
    components.delete(page);
    throw new ApiError(t.pageFailed.fetch, { code: 'PAGE_NOT_FETCHED' });
  }
}

export function App(): ReactNode {
  const session = useSession();
  useEffect(() => void startSession(), []);
  switch (session.phase) {
    case 'starting':
      return (
        <main className="main">
          <h1 className="visually-hidden">Voxgate</h1>
          <Loading what={t.opening} />
        </main>
      );
    case 'signed-out':
      return <SignedOutPage {...session} />;
    case 'window-done':
      return <WindowDonePage />;
    default:
      // The same tree for both states: an ended sign-in must not unmount what the user is typing into.
      return (
        <TenantProvider>
          <SignedIn />
          {session.phase === 'expired' ? <ExpiredDialog username={session.me.username} /> : null}
          <Toasts />
        </TenantProvider>
      );
  }
}

function findPage(path: string): { page: PageEntry; params: Params } | undefined {
  for (const page of pages) {
    const params = matchPath(page.path, path);
    if (params) return { page, params };
  }
  return undefined;
}

function SignedIn(): ReactNode {
  const { path, tenant: inAddress } = useLocation();
  const { tenant, unknown, tenants, loading, error } = useTenant();
  const found = findPage(path);
  const Page = found ? componentOf(found.page) : NotFoundPage;
  const isSettling = tenant ? tenant.name !== inAddress : loading && tenants.length === 0 && !error;
  return (
    <Shell page={found?.page}>
      {isSettling ? (
        <>
          <h1 className="visually-hidden">Voxgate</h1>
          <Loading />
        </>
      ) : unknown !== undefined ? (
        <UnknownTenantPage name={unknown} />
      ) : (
        // Another tenant is another page: nothing of the one before may stay.
        <PageBoundary key={`${tenant?.id ?? ''} ${path}`}>
          <Suspense fallback={<Loading />}>
            <Page params={found?.params ?? {}} />
          </Suspense>
        </PageBoundary>
      )}
    </Shell>
  );
}

function NotFoundPage(): ReactNode {
  return (
    <>
      <PageHead title={t.notFound.title} />
      <EmptyState icon="warning" title={t.notFound.heading} action={<Link to="/">{t.notFound.home}</Link>}>
        {t.notFound.text}
      </EmptyState>
    </>
  );
}

function UnknownTenantPage({ name }: { name: string }): ReactNode {
  const text = t.frame.unknownTenant;
  return (
    <>
      <PageHead title={text.title} />
      <EmptyState icon="lock" title={text.heading(name)}>
        {text.text}
      </EmptyState>
    </>
  );
}

/** A page that throws must not take the navigation with it. */
class PageBoundary extends Component<{ children: ReactNode }, { thrown?: unknown }> {
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
      </>
    );
  }
}
