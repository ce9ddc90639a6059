// The first page: a microphone for newcomers, recent activity for everybody else, what is left to set up, and
// links to everything else.
import { Suspense, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../api/session.js';
import { fetched } from '../../boundary.js';
import { fill } from '../../kit/fill.js';
import { Icon, type IconName } from '../../kit/icons.js';
import { PageHead } from '../../kit/layout.js';
import { Wave } from '../../kit/wave.js';
import { Link } from '../../router.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import type { Need } from '../../tenant/needs.js';
import { useMay } from '../../tenant/rights.js';
import { useTenant } from '../../tenant/tenant.js';
import { t } from '../../text/home.js';
import { Checklist } from './checklist.js';
import './home.css';

/** Only with voices: a newcomer need not wait for charts and lists of calls. */
const Activity = fetched(async () => (await import('./activity.js')).Activity);
const Recent = fetched(async () => (await import('./recent.js')).Recent);
const Live = fetched(async () => (await import('./live.js')).Live);

interface Door {
  icon: IconName;
  text: { title: string; text: string; action: string; more: string };
  to: string;
  more: string;
  needs?: Need;
}

const doors: readonly Door[] = [
  { icon: 'key', text: t.doors.connect, to: '/applications', more: '/profile?tab=credentials' },
  { icon: 'people', text: t.doors.people, to: '/people', more: '/sessions', needs: 'ListPersons' },
  { icon: 'accuracy', text: t.doors.limits, to: '/accuracy', more: '/system', needs: 'EvaluateScores' },
];

export function HomePage(): ReactNode {
  const me = useMe();
  const { tenant } = useTenant();
  const read = useReadContext();
  const may = useMay();
  const hasVoices = useHasVoices(may('ListVoiceprintProfiles') ? read : undefined);
  return (
    <>
      <PageHead
        title={t.hello(me.displayName || me.username)}
        actions={
          read && hasVoices && may('Verify') ? (
            <Link to="/voice" className="button">
              <Icon name="mic" /> {t.hero.button}
            </Link>
          ) : undefined
        }
      >
        {tenant
          ? fill(t.tenant, { tenant: <strong>{tenant.label}</strong> })
          : isAdministrator(me)
            ? fill(t.noTenantAdmin, { create: <Link to="/tenants">{t.createTenant}</Link> })
            : t.noTenant}
      </PageHead>
      <div className="stack">
        {tenant && hasVoices === false && may('Enroll') ? <Hero /> : null}
        {read && may('ListSessions') ? (
          <>
            {hasVoices ? (
              <Suspense fallback={null}>
                <Live read={read} />
                <Activity read={read} />
                <Recent read={read} />
              </Suspense>
            ) : null}
            <Checklist key={read.gkScopeId.value} read={read} />
          </>
        ) : null}
        <EntryPoints />
      </div>
      <p className="home-foot soft small">
        {fill(t.foot, {
          reference: <a href="/docs">{t.reference}</a>,
          openapi: <a href="/openapi.json">{t.openapi}</a>,
        })}
      </p>
    </>
  );
}

/** Users without a voiceprint are shown how to make one; the others see recent activity. */
function useHasVoices(read: Context | undefined): boolean | undefined {
  const found = useQuery(read && `has voices ${read.gkScopeId.value}`, async (signal) => {
    const context = { gkScopeId: read?.gkScopeId };
    const { profiles = [] } = await call('ListVoiceprintProfiles', { context, pageSize: 1 }, signal);
    return profiles.length > 0;
  });
  return found.data;
}

function Hero(): ReactNode {
  return (
    <section className="hero" aria-labelledby="hero-title">
      <div className="stack">
        <h2 id="hero-title">{t.hero.title}</h2>
        <p>{t.hero.text}</p>
        <div>
          <Link to="/voice" className="button hero-button">
            <Icon name="mic" /> {t.hero.button}
          </Link>
        </div>
      </div>
      <Wave />
    </section>
  );
}

function EntryPoints(): ReactNode {
  const may = useMay();
  return (
    <div className="doors">
      {doors
        .filter(({ needs }) => !needs || may(needs))
        .map(({ icon, text, to, more }) => (
          <section key={icon} className="door" aria-labelledby={`door-${icon}`}>
            <span className="door-icon">
              <Icon name={icon} size={24} />
            </span>
            <h2 id={`door-${icon}`}>{text.title}</h2>
            <p>{text.text}</p>
            <div className="row">
              <Link to={to} className="button">
                {text.action}
              </Link>
              <Link to={more}>{text.more}</Link>
            </div>
          </section>
        ))}
    </div>
  );
}
