// The frame around every page: navigation rail (a drawer on phones), tenant picker, theme, account.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useConnectionLost } from '../api/connection.js';
import { isAdministrator, signOut, useMe } from '../auth/session.js';
import { Icon, Mark } from '../kit/icons.js';
import { navGroups, pages, type PageEntry } from '../pages/registry.js';
import { Link, useLocation } from '../router.js';
import { useTenant } from '../tenant/tenant.js';
import { useTheme } from './theme.js';

export function Shell({ page, children }: { page: PageEntry | undefined; children: ReactNode }): ReactNode {
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div className="frame">
        <aside className="rail" aria-label="Voxgate">
          <RailContent page={page} />
        </aside>
        <div className="column">
          <TopBar page={page} />
          <ConnectionBar />
          <main className="main" id="main" tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
    </>
  );
}

/** Stays while the server does not answer; the page below keeps everything. */
function ConnectionBar(): ReactNode {
  const lost = useConnectionLost();
  return (
    <div role="status">
      {lost ? (
        <p className="connection-bar">
          <Icon name="warning" />
          <span>
            <strong>The server does not answer.</strong> Everything on this page stays as it is, and goes on
            by itself when the server is back.
          </span>
        </p>
      ) : null}
    </div>
  );
}

function RailContent({
  page,
  onNavigate,
}: {
  page: PageEntry | undefined;
  onNavigate?: () => void;
}): ReactNode {
  return (
    <>
      <Link to="/" className="brand" onClick={onNavigate}>
        <Mark />
        Voxgate
      </Link>
      <Navigation page={page} {...(onNavigate ? { onNavigate } : {})} />
      <div className="rail-foot">
        <a href="/docs">API reference</a>
      </div>
    </>
  );
}

function Navigation({
  page,
  onNavigate,
}: {
  page: PageEntry | undefined;
  onNavigate?: () => void;
}): ReactNode {
  const me = useMe();
  const current = page?.under ?? page?.path;
  return (
    <nav className="nav" aria-label="Main">
      {navGroups.map((group) => {
        const entries = pages.filter(
          (entry) => entry.nav?.group === group && (!entry.nav.adminOnly || isAdministrator(me)),
        );
        if (entries.length === 0) return null;
        return (
          <div key={group}>
            <h2>{group}</h2>
            <ul>
              {entries.map(({ path, nav }) => (
                <li key={path}>
                  <Link
                    to={path}
                    onClick={onNavigate}
                    {...(path === current ? { 'aria-current': 'page' as const } : {})}
                  >
                    {nav ? <Icon name={nav.icon} /> : null}
                    {nav?.label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

function TopBar({ page }: { page: PageEntry | undefined }): ReactNode {
  const me = useMe();
  const { theme, toggle } = useTheme();
  const [drawer, setDrawer] = useState(false);
  return (
    <header className="topbar">
      <button
        type="button"
        className="icon-button menu"
        aria-label="Open the navigation"
        aria-expanded={drawer}
        onClick={() => setDrawer(true)}
      >
        <Icon name="menu" />
      </button>
      {drawer ? <Drawer page={page} onClose={() => setDrawer(false)} /> : null}
      <TenantPicker />
      <ConfigsetPicker />
      <span className="spacer" />
      <button
        type="button"
        className="icon-button"
        aria-label={theme === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
        onClick={toggle}
      >
        <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
      </button>
      <Link to="/profile" className="icon-button" aria-label={`Profile of ${me.displayName || me.username}`}>
        <Icon name="profile" />
      </Link>
      <button type="button" className="icon-button" aria-label="Sign out" onClick={() => void signOut()}>
        <Icon name="out" />
      </button>
    </header>
  );
}

function Drawer({ page, onClose }: { page: PageEntry | undefined; onClose: () => void }): ReactNode {
  const element = useRef<HTMLDialogElement>(null);
  const { path } = useLocation();
  const opened = useRef(path);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  useEffect(() => {
    if (path !== opened.current) onClose();
  }, [path, onClose]);
  return (
    <dialog
      ref={element}
      className="drawer"
      aria-label="Navigation"
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <button type="button" className="icon-button" aria-label="Close the navigation" onClick={onClose}>
        <Icon name="close" />
      </button>
      <RailContent page={page} onNavigate={onClose} />
      <ConfigsetPicker />
    </dialog>
  );
}

function TenantPicker(): ReactNode {
  const { scopes, scope, selectScope, loading } = useTenant();
  if (scopes.length === 0) return <span className="soft small">{loading ? '' : 'No tenant yet'}</span>;
  if (scopes.length === 1)
    return (
      <span className="picker">
        Tenant <strong>{scope?.customerName || scope?.scopeId}</strong>
      </span>
    );
  return (
    <label className="picker">
      <span>Tenant</span>
      <select value={scope?.gkScopeId.value ?? ''} onChange={(event) => selectScope(event.target.value)}>
        {scopes.map((item) => (
          <option key={item.gkScopeId.value} value={item.gkScopeId.value}>
            {item.customerName || item.scopeId}
          </option>
        ))}
      </select>
    </label>
  );
}

/** In the top bar, or in the drawer where the bar is too narrow for it. One set alone is no choice. */
function ConfigsetPicker(): ReactNode {
  const { configsets, configsetId, selectConfigset } = useTenant();
  if (configsets.length < 2) return null;
  return (
    <label className="picker picker-configset">
      <span>Config set</span>
      <select value={configsetId ?? ''} onChange={(event) => selectConfigset(event.target.value)}>
        {configsets.map((item) => (
          <option key={item}>{item}</option>
        ))}
      </select>
    </label>
  );
}
