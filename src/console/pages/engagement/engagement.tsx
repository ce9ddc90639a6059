// Engagement API: its clients, and the customer sites they may touch.
import type { ReactNode } from 'react';
import { PageHead } from '../../kit/layout.js';
import { Tabs } from '../../kit/tabs.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/engagement.js';
import { EngagementClients } from './clients.js';
import { Sites } from './sites.js';

export function EngagementPage(): ReactNode {
  const may = useMay();
  return (
    <>
      <PageHead title={t.title}>{t.about}</PageHead>
      <Tabs
        label={t.title}
        tabs={[
          ...(may('overview')
            ? [{ id: 'clients', label: t.tabs.clients, content: () => <EngagementClients /> }]
            : []),
          { id: 'sites', label: t.tabs.sites, content: () => <Sites /> },
        ]}
      />
    </>
  );
}
