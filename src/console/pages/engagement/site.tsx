// One site: who answers (units, groups, agents), when (hours), and what the availability question would say.
import type { ReactNode } from 'react';
import { get } from '../../api/client.js';
import { useQuery, type Query } from '../../api/hooks.js';
import { PageHead } from '../../kit/layout.js';
import { Loaded } from '../../kit/notice.js';
import { Tabs } from '../../kit/tabs.js';
import type { PageProps } from '../registry.js';
import { Agents } from './agents.js';
import { AvailabilityPreview } from './availability.js';
import { Groups } from './groups.js';
import { HoursOfOperation } from './hours.js';
import {
  ENGAGEMENT,
  sitePath,
  type Agent,
  type AgentGroup,
  type BusinessUnit,
  type Hours,
  type Site,
} from './model.js';

export interface SiteModel {
  site: Site;
  units: BusinessUnit[];
  groups: AgentGroup[];
  agents: Agent[];
  hours: Hours[];
}

async function loadSite(siteId: string, signal: AbortSignal): Promise<SiteModel> {
  const path = sitePath(siteId);
  const [sites, units, groups, agents, hours] = await Promise.all([
    get<{ sites?: Site[] }>(`${ENGAGEMENT}/sites`, {}, signal),
    get<{ businessUnits?: BusinessUnit[] }>(`${path}/business-units`, {}, signal),
    get<{ agentGroups?: AgentGroup[] }>(`${path}/agent-groups`, {}, signal),
    get<{ agents?: Agent[] }>(`${path}/agents`, {}, signal),
    get<{ hours?: Hours[] }>(`${path}/hours`, {}, signal),
  ]);
  return {
    site: sites.sites?.find((site) => site.siteId === siteId) ?? { siteId },
    units: units.businessUnits ?? [],
    groups: groups.agentGroups ?? [],
    agents: agents.agents ?? [],
    hours: hours.hours ?? [],
  };
}

export interface SectionProps {
  model: SiteModel;
  reload: () => void;
}

export function SitePage({ params }: PageProps): ReactNode {
  const siteId = params['siteId'] ?? '';
  const query: Query<SiteModel> = useQuery(`site ${siteId}`, (signal) => loadSite(siteId, signal));
  return (
    <>
      <PageHead
        title={query.data?.site.name || siteId}
        crumbs={[{ label: 'Engagement', to: '/engagement?tab=sites' }]}
      >
        Time zone {query.data?.site.timeZone || 'UTC'}
      </PageHead>
      <Loaded query={query}>
        {(model) => (
          <Tabs
            label="Site"
            tabs={[
              {
                id: 'availability',
                label: 'Availability',
                content: () => <AvailabilityPreview model={model} reload={query.reload} />,
              },
              {
                id: 'agents',
                label: 'Agents',
                content: () => <Agents model={model} reload={query.reload} />,
              },
              {
                id: 'hours',
                label: 'Hours of operation',
                content: () => <HoursOfOperation model={model} reload={query.reload} />,
              },
              {
                id: 'groups',
                label: 'Units and groups',
                content: () => <Groups model={model} reload={query.reload} />,
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
