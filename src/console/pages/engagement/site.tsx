// One site: who answers (units, groups, agents), when (hours), and the resulting availability.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { PageHead } from '../../kit/layout.js';
import { Loaded } from '../../kit/notice.js';
import { Tabs } from '../../kit/tabs.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/engagement.js';
import type { PageProps } from '../page.js';
import { Agents } from './agents.js';
import { AvailabilityPreview } from './availability.js';
import { Groups } from './groups.js';
import { OpeningHours } from './hours.js';
import { loadSites, type SiteModel } from './model.js';

const text = t.site;

async function loadSite(siteId: string, signal: AbortSignal): Promise<SiteModel> {
  const [sites, units, groups, agents, hours] = await Promise.all([
    loadSites(signal),
    call('ListBusinessUnits', { siteId }, signal),
    call('ListAgentGroups', { siteId }, signal),
    call('ListAgents', { siteId }, signal),
    call('ListHoursOfOperation', { siteId }, signal),
  ]);
  return {
    site: { ...sites.find((site) => site.siteId === siteId), siteId },
    units: units.businessUnits ?? [],
    groups: groups.agentGroups ?? [],
    agents: agents.agents ?? [],
    hours: hours.hours ?? [],
  };
}

export function SitePage({ params }: PageProps): ReactNode {
  const siteId = params['siteId'] ?? '';
  const may = useMay();
  const query = useQuery(`site ${siteId}`, (signal) => loadSite(siteId, signal));
  return (
    <>
      <PageHead
        title={query.data?.site.name || siteId}
        crumbs={[{ label: t.title, to: '/engagement?tab=sites' }]}
      >
        {text.timeZone(query.data?.site.timeZone || 'UTC')}
      </PageHead>
      <Loaded query={query}>
        {(model) => {
          const props = { model, reload: query.reload };
          return (
            <Tabs
              label={text.title}
              tabs={[
                ...(may('administrator')
                  ? [
                      {
                        id: 'availability',
                        label: text.tabs.availability,
                        content: () => <AvailabilityPreview {...props} />,
                      },
                    ]
                  : []),
                { id: 'agents', label: text.tabs.agents, content: () => <Agents {...props} /> },
                { id: 'hours', label: text.tabs.hours, content: () => <OpeningHours {...props} /> },
                { id: 'groups', label: text.tabs.groups, content: () => <Groups {...props} /> },
              ]}
            />
          );
        }}
      </Loaded>
    </>
  );
}
