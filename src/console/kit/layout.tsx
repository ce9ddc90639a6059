// Small pieces of page layout: head, card, badge, list of facts.
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, hasMoved } from '../router.js';
import { t } from '../text/shell.js';

interface Crumb {
  label: string;
  to: string;
}

/**
 * Title of the page: sets the tab's name and takes the focus after a navigation, so that screen readers begin
 * here.
 */
export function PageHead({
  title,
  lang,
  children,
  actions,
  crumbs,
}: {
  title: string;
  /** Set if the title is not in the reader's language. */
  lang?: 'en';
  children?: ReactNode;
  actions?: ReactNode;
  crumbs?: readonly Crumb[];
}): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t.pageTitle(title);
  }, [title]);
  useEffect(() => {
    if (!hasMoved()) return;
    if (document.activeElement === document.body || document.activeElement?.closest('nav'))
      heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="page-head">
      <div>
        {crumbs ? (
          <nav aria-label={t.frame.breadcrumb}>
            <ol className="crumbs">
              {crumbs.map((crumb) => (
                <li key={crumb.to}>
                  <Link to={crumb.to}>{crumb.label}</Link>
                </li>
              ))}
            </ol>
          </nav>
        ) : null}
        <h1 ref={heading} tabIndex={-1} {...(lang && { lang })}>
          {title}
        </h1>
        {children ? <p>{children}</p> : null}
      </div>
      {actions ? <div className="row">{actions}</div> : null}
    </div>
  );
}

export function Card({
  title,
  hint,
  actions,
  children,
}: {
  title?: string;
  hint?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <section className="card" {...(title ? { 'aria-label': title } : {})}>
      {title ? (
        <div className="card-head">
          <div>
            <h2>{title}</h2>
            {hint ? <p>{hint}</p> : null}
          </div>
          {actions ? <div className="row">{actions}</div> : null}
        </div>
      ) : null}
      {children}
    </section>
  );
}

export type BadgeTone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'accent';

export function Badge({
  tone = 'neutral',
  plain = false,
  children,
}: {
  tone?: BadgeTone;
  /** Without the dot. */ plain?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <span className="badge" data-tone={tone} data-plain={plain || undefined}>
      {children}
    </span>
  );
}

export function Facts({ items }: { items: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className="facts">
      {items.map(([term, value]) => (
        <FactPair key={term} term={term} value={value} />
      ))}
    </dl>
  );
}

function FactPair({ term, value }: { term: string; value: ReactNode }): ReactNode {
  return (
    <>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </>
  );
}
