// Sessions and audit: what is going on now, what was decided, and the proof of it.
import type { ReactNode } from 'react';
import { PageHead } from '../../kit/layout.js';
import { Tabs } from '../../kit/tabs.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/sessions.js';
import { AuditTab } from './audit-tab.js';
import { SessionList } from './session-list.js';
import { SystemAuditTab } from './system-audit.js';
import './sessions.css';

export function SessionsPage(): ReactNode {
  const may = useMay();
  return (
    <>
      <PageHead title={t.title}>{t.about}</PageHead>
      <Tabs
        label={t.tabs.label}
        tabs={[
          { id: 'sessions', label: t.tabs.sessions, content: () => <SessionList /> },
          ...(may('UpdateCase')
            ? [{ id: 'cases', label: t.tabs.cases, content: () => <SessionList ofCases /> }]
            : []),
          ...(may('ListAuditRecords')
            ? [{ id: 'audit', label: t.tabs.audit, content: () => <AuditTab /> }]
            : []),
          ...(may('overview')
            ? [{ id: 'system', label: t.tabs.system, content: () => <SystemAuditTab /> }]
            : []),
        ]}
      />
    </>
  );
}
