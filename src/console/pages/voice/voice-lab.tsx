// The voice lab: try everything the service does with a voice, with nothing but a microphone.
import type { ReactNode } from 'react';
import { PageHead } from '../../kit/layout.js';
import { Tabs } from '../../kit/tabs.js';
import { t } from '../../text/voice.js';
import { AttackCheck } from './attack-check.js';
import { EnrollFlow } from './enroll-flow.js';
import { GroupCheck } from './group-check.js';
import { PromptCheck } from './prompt-check.js';

export function VoiceLabPage(): ReactNode {
  return (
    <>
      <PageHead title={t.title}>{t.about}</PageHead>
      <Tabs
        label={t.tabs.label}
        tabs={[
          { id: 'verify', label: t.tabs.verify, content: () => <EnrollFlow /> },
          { id: 'identify', label: t.tabs.identify, content: () => <GroupCheck key="group" kind="group" /> },
          {
            id: 'watchlist',
            label: t.tabs.watchlist,
            content: () => <GroupCheck key="watchlist" kind="watchlist" />,
          },
          { id: 'attacks', label: t.tabs.attacks, content: () => <AttackCheck /> },
          { id: 'digits', label: t.tabs.digits, content: () => <PromptCheck /> },
        ]}
      />
    </>
  );
}
