// The voice lab: try everything the service does with a voice, with nothing but a microphone.
import type { ReactNode } from 'react';
import { PageHead } from '../../kit/layout.js';
import { Tabs } from '../../kit/tabs.js';
import { AttackCheck } from './attack-check.js';
import { EnrollFlow } from './enroll-flow.js';
import { GroupCheck } from './group-check.js';

export function VoiceLabPage(): ReactNode {
  return (
    <>
      <PageHead title="Voice lab">
        Record three short takes, and the fourth one tells whether it is you.
      </PageHead>
      <Tabs
        label="What to try"
        tabs={[
          { id: 'verify', label: 'Enroll and verify', content: () => <EnrollFlow /> },
          { id: 'identify', label: 'Identify', content: () => <GroupCheck key="group" kind="group" /> },
          {
            id: 'watchlist',
            label: 'Watchlist',
            content: () => <GroupCheck key="watchlist" kind="watchlist" />,
          },
          { id: 'attacks', label: 'Synthetic and playback', content: () => <AttackCheck /> },
        ]}
      />
    </>
  );
}
