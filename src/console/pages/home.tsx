// The first page: a microphone for the newcomer, and a door for each other reason to be here.
import type { ReactNode } from 'react';
import { isAdministrator, useMe } from '../auth/session.js';
import { Icon, type IconName } from '../kit/icons.js';
import { PageHead } from '../kit/layout.js';
import { Wave } from '../kit/wave.js';
import { Link } from '../router.js';
import { useTenant } from '../tenant/tenant.js';
import './home.css';

interface Door {
  icon: IconName;
  title: string;
  text: string;
  to: string;
  action: string;
  more: readonly (readonly [string, string])[];
}

const doors: readonly Door[] = [
  {
    icon: 'key',
    title: 'Connect an application',
    text: 'Get an application ID and client credentials, download config.json, and copy a curl line that fetches a token.',
    to: '/applications',
    action: 'Manage applications',
    more: [['Tooling credentials', '/profile?tab=credentials']],
  },
  {
    icon: 'people',
    title: 'Know your callers',
    text: 'See who is enrolled, keep groups and watchlists, look after consent, and follow every decision step by step.',
    to: '/people',
    action: 'People and watchlists',
    more: [['Sessions and audit', '/sessions']],
  },
  {
    icon: 'accuracy',
    title: 'Set the limits',
    text: 'Choose thresholds by the false-accept rate you can live with, measured on your own voices, and try them in the shadow.',
    to: '/accuracy',
    action: 'Accuracy and thresholds',
    more: [['System', '/system']],
  },
];

export function HomePage(): ReactNode {
  const me = useMe();
  const { scope } = useTenant();
  return (
    <>
      <PageHead title={`Hello, ${me.displayName || me.username}`}>
        {scope ? (
          <>
            You are working in the tenant <strong>{scope.customerName || scope.scopeId}</strong>.
          </>
        ) : isAdministrator(me) ? (
          <>
            There is no tenant yet. <Link to="/tenants">Make the first one</Link> to begin.
          </>
        ) : (
          'Your account has no tenant yet. Ask an administrator to grant one.'
        )}
      </PageHead>
      {scope ? (
        <section className="hero" aria-labelledby="hero-title">
          <div className="stack">
            <h2 id="hero-title">Try your voice</h2>
            <p>
              Three short takes make a voiceprint. Then say anything, and see whether it knows you. It takes
              about a minute, and a microphone is all you need.
            </p>
            <div>
              <Link to="/voice" className="button hero-button">
                <Icon name="mic" /> Try your voice
              </Link>
            </div>
          </div>
          <Wave />
        </section>
      ) : null}
      <div className="doors">
        {doors.map((door) => (
          <section key={door.title} className="door" aria-labelledby={`door-${door.icon}`}>
            <span className="door-icon">
              <Icon name={door.icon} size={24} />
            </span>
            <h2 id={`door-${door.icon}`}>{door.title}</h2>
            <p>{door.text}</p>
            <div className="row">
              <Link to={door.to} className="button">
                {door.action}
              </Link>
              {door.more.map(([label, to]) => (
                <Link key={to} to={to}>
                  {label}
                </Link>
              ))}
            </div>
          </section>
        ))}
      </div>
      <p className="home-foot soft small">
        Everything here uses the public API and nothing else: read its <a href="/docs">reference</a> or take
        the <a href="/openapi.json">OpenAPI document</a>.
      </p>
    </>
  );
}
