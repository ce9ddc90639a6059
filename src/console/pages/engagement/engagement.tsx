// Engagement API: its clients, and the customer sites they may touch.
import type { ReactNode } from 'react';
import { PageHead } from '../../kit/layout.js';
import { Tabs } from '../../kit/tabs.js';
import { EngagementClients } from './clients.js';
import { Sites } from './sites.js';

export function EngagementPage(): ReactNode {
  return (
    <>
      <PageHead title="Engagement">
        Clients of the customer-engagement API, and the sites, agents and opening hours behind its
        availability answers.
      </PageHead>
      <Tabs
        label="Engagement"
        tabs={[
          { id: 'clients', label: 'Clients', content: () => <EngagementClients /> },
          { id: 'sites', label: 'Sites', content: () => <Sites /> },
        ]}
      />
    </>
  );
}
