// The console of a signed-in user: the frame, the tenant in use, and the page of the address. Each page is
// loaded when it is first shown.
import { Suspense, type ComponentType, type LazyExoticComponent, type ReactNode } from 'react';
import type { SessionState } from './api/session.js';
import { PageBoundary, fetched } from './boundary.js';
import { PageHead } from './kit/layout.js';
import { EmptyState, Loading } from './kit/notice.js';
import { Toasts } from './kit/toast.js';
// Comes with the frame: it is what people see first.
import './pages/home/home.js';
import { mayOpen, type PageEntry, type PageProps } from './pages/page.js';
import { pages } from './pages/registry.js';
import { Link, matchPath, useLocation, type Params } from './router.js';
import { ExpiredDialog } from './shell/expired.js';
import { Shell } from './shell/shell.js';
import { useMay } from './tenant/rights.js';
import { TenantProvider, useTenant } from './tenant/tenant.js';
import { t } from './text/shell.js';

type Expired = Extract<SessionState, { phase: 'expired' }>;

const components = new Map<PageEntry, LazyExoticComponent<ComponentType<PageProps>>>();

function componentOf(page: PageEntry): LazyExoticComponent<ComponentType<PageProps>> {
  let component = components.get(page);
  if (!component) {
    component = fetched(page.load, () => components.delete(page));
    components.set(page, component);
  }
  return component;
}

/**
 * `expired`: the user whose sign-in has expired. Typed text stays; if the page is covered, it is not visible.
 */
export function SignedIn({ expired }: { expired: Expired | undefined }): ReactNode {
  const isCovered = expired?.isCovered === true;
  return (
    <TenantProvider>
      <div style={{ display: isCovered ? 'none' : 'contents' }}>
        <CurrentPage />
        <Toasts />
      </div>
      {expired ? <ExpiredDialog username={expired.me.username} isCovered={isCovered} /> : null}
    </TenantProvider>
  );
}

function findPage(path: string): { page: PageEntry; params: Params } | undefined {
  for (const page of pages) {
    const params = matchPath(page.path, path);
    if (params) return { page, params };
  }
  return undefined;
}

function CurrentPage(): ReactNode {
  const { path, tenant: inAddress } = useLocation();
  const { tenant, unknown, loading, error } = useTenant();
  const may = useMay();
  const found = findPage(path);
  const Page = found ? componentOf(found.page) : NotFoundPage;
  // Without its config sets, a page would open sessions with none.
  const isSettling = tenant ? tenant.name !== inAddress || loading : loading && !error;
  return (
    <Shell page={found?.page}>
      {isSettling ? (
        <>
          <h1 className="visually-hidden">Voxgate</h1>
          <Loading />
        </>
      ) : unknown !== undefined ? (
        <UnknownTenantPage name={unknown} />
      ) : found && !mayOpen(found.page, may) ? (
        <NotAllowedPage page={found.page} />
      ) : (
        // Another tenant is another page: nothing of the previous one may stay.
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

/** For an address that the user typed, or was sent by a colleague with another role. */
function NotAllowedPage({ page }: { page: PageEntry }): ReactNode {
  const text = t.frame.notAllowed;
  const { tenant } = useTenant();
  const name = (page.nav ?? pages.find(({ path }) => path === page.under)?.nav)?.name ?? 'home';
  return (
    <>
      <PageHead title={t.frame.pages[name]} />
      <EmptyState icon="lock" title={text.heading} action={<Link to="/">{t.notFound.home}</Link>}>
        {page.needs === 'administrator'
          ? text.administrators
          : tenant
            ? text.role(tenant.label)
            : text.noTenant}
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
