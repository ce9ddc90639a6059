// The first page: a microphone for newcomers, recent activity for everybody else, and what is left to set up.
import { Suspense, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../api/session.js';
import { fetched } from '../../boundary.js';
import { fill } from '../../kit/fill.js';
import { Icon } from '../../kit/icons.js';
import { PageHead } from '../../kit/layout.js';
import { Wave } from '../../kit/wave.js';
import { Link } from '../../router.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { useTenant } from '../../tenant/tenant.js';
import { t } from '../../text/home.js';
import { Checklist } from './checklist.js';
import { Live } from './live.js';
import { Recent } from './recent.js';
import './home.css';

/** Only with voices: a newcomer need not wait for what draws charts. */
const Activity = fetched(async () => (await import('./activity.js')).Activity);

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
          read && hasVoices ? (
            <>
              {may('SetEngagementVerdict') ? (
                <Link to="/sessions?tab=cases" className="button">
                  {t.cases}
                </Link>
              ) : null}
              {may('Enroll') ? (
                <Link to="/voice" className="button">
                  <Icon name="mic" /> {t.hero.button}
                </Link>
              ) : null}
            </>
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
      </div>
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
