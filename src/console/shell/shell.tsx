// The frame around every page: navigation rail (a drawer on phones), tenant picker, theme, account.
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useConnectionLost } from '../api/connection.js';
import { signOut, useMe } from '../api/session.js';
import { Icon, Mark } from '../kit/icons.js';
import { useTheme } from '../kit/theme.js';
import { mayOpen, type PageEntry } from '../pages/page.js';
import { navGroups, pages } from '../pages/registry.js';
import { Link, useLocation } from '../router.js';
import { PendingDeletion } from '../tenant/pending-deletion.js';
import { useMay } from '../tenant/rights.js';
import { t } from '../text/shell.js';
import { ConfigsetPicker, TenantPicker } from './pickers.js';

const text = t.frame;
const SearchDialog = lazy(async () => ({ default: (await import('./search.js')).SearchDialog }));

export function Shell({ page, children }: { page: PageEntry | undefined; children: ReactNode }): ReactNode {
  return (
    <>
      <a className="skip" href="#main">
        {text.skip}
      </a>
      <div className="frame">
        <aside className="rail" aria-label="Voxgate">
          <RailContent page={page} />
        </aside>
        <div className="column">
          <TopBar page={page} />
          <ConnectionBar />
          <main className="main" id="main" tabIndex={-1}>
            <PendingDeletion />
            {children}
          </main>
        </div>
      </div>
    </>
  );
}

/** Shown while the server does not answer; the page below keeps everything. */
function ConnectionBar(): ReactNode {
  const lost = useConnectionLost();
  return (
    <div role="status">
      {lost ? (
        <p className="connection-bar">
          <Icon name="warning" />
          <span>
            <strong>{text.connectionLost}</strong> {text.connectionHint}
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
        <Link to="/help" onClick={onNavigate}>
          {text.help}
        </Link>
        <a href="/docs">{text.apiReference}</a>
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
  const may = useMay();
  const current = page?.under ?? page?.path;
  return (
    <nav className="nav" aria-label={text.main}>
      {navGroups.map((group) => {
        const entries = pages.filter((each) => each.nav?.group === group && mayOpen(each, may));
        if (entries.length === 0) return null;
        return (
          <div key={group}>
            <h2>{text.groups[group]}</h2>
            <ul>
              {entries.map(({ path, nav }) => (
                <li key={path}>
                  <Link
                    to={path}
                    onClick={onNavigate}
                    {...(path === current ? { 'aria-current': 'page' as const } : {})}
                  >
                    {nav ? <Icon name={nav.icon} /> : null}
                    {nav ? text.pages[nav.name] : null}
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
        aria-label={text.openNavigation}
        aria-expanded={drawer}
        onClick={() => setDrawer(true)}
      >
        <Icon name="menu" />
      </button>
      {drawer ? <Drawer page={page} onClose={() => setDrawer(false)} /> : null}
      <TenantPicker page={page} />
      <ConfigsetPicker />
      <span className="spacer" />
      <Search />
      <button
        type="button"
        className="icon-button"
        aria-label={theme === 'dark' ? text.lightTheme : text.darkTheme}
        onClick={toggle}
      >
        <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
      </button>
      <Link to="/profile" className="icon-button" aria-label={text.profileOf(me.displayName || me.username)}>
        <Icon name="profile" />
      </Link>
      <button type="button" className="icon-button" aria-label={text.signOut} onClick={() => void signOut()}>
        <Icon name="out" />
      </button>
    </header>
  );
}

/** Opened by its button, or from anywhere with Ctrl-K. */
function Search(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const early = useEarlyKeys();
  const open = useCallback(() => {
    early.begin();
    setOpen(true);
  }, [early]);
  const close = useCallback(() => {
    early.end();
    setOpen(false);
  }, [early]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      // An open dialog must not lose its contents.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [open]);
  return (
    <>
      <button type="button" className="search-button" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        <Icon name="search" />
        <span>{text.search}</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {isOpen ? (
        <Suspense>
          <SearchDialog takeEarly={early.take} onClose={close} />
        </Suspense>
      ) : null}
    </>
  );
}

interface EarlyKeys {
  begin: () => void;
  /** Returns the text typed so far; after that, keys go to the field itself. */
  take: () => string;
  end: () => void;
}

/**
 * Collects what is typed between the shortcut and the moment the field is ready, which may have to be fetched
 * first. It starts with the shortcut itself: the dialog may be ready before any effect of the frame has run.
 */
function useEarlyKeys(): EarlyKeys {
  const keys = useRef('');
  const end = useRef(() => {});
  return useMemo(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isText && event.key !== 'Backspace') return;
      event.preventDefault();
      keys.current = isText ? keys.current + event.key : keys.current.slice(0, -1);
    };
    end.current = () => removeEventListener('keydown', onKey, true);
    return {
      begin() {
        keys.current = '';
        addEventListener('keydown', onKey, true);
      },
      take() {
        end.current();
        const typed = keys.current;
        keys.current = '';
        return typed;
      },
      end: () => end.current(),
    };
  }, []);
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
      aria-label={text.navigation}
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <button type="button" className="icon-button" aria-label={text.closeNavigation} onClick={onClose}>
        <Icon name="close" />
      </button>
      <RailContent page={page} onNavigate={onClose} />
      <ConfigsetPicker />
    </dialog>
  );
}
