// Voice search: the stored calls of a fraudster, voices that call under several names, automatic searches,
// and the permission for all of it.
import type { ReactNode } from 'react';
import { PageHead } from '../../kit/layout.js';
import { EmptyState } from '../../kit/notice.js';
import { Tabs } from '../../kit/tabs.js';
import { useReadContext } from '../../tenant/context.js';
import { t } from '../../text/voice-search.js';
import { t as shell } from '../../text/shell.js';
import { FraudsterSearch } from './fraudster-search.js';
import { IfAllowed } from './problem.js';
import { RecurringVoices } from './recurring-voices.js';
import { Searches } from './searches.js';
import { VoiceSearchSettings } from './settings.js';

export function VoiceSearchPage(): ReactNode {
  const read = useReadContext();
  const ifAllowed = (search: ReactNode): ReactNode =>
    read ? <IfAllowed read={read}>{search}</IfAllowed> : null;
  return (
    <>
      <PageHead title={t.title}>{t.about}</PageHead>
      {read ? (
        <Tabs
          label={t.title}
          tabs={[
            {
              id: 'fraudster',
              label: t.fraudster.tab,
              content: () => ifAllowed(<FraudsterSearch read={read} />),
            },
            { id: 'voices', label: t.voices.tab, content: () => ifAllowed(<RecurringVoices read={read} />) },
            { id: 'searches', label: t.searches.tab, content: () => ifAllowed(<Searches read={read} />) },
            { id: 'settings', label: t.settings.tab, content: () => <VoiceSearchSettings read={read} /> },
          ]}
        />
      ) : (
        <EmptyState icon="clock" title={shell.chooseTenant} />
      )}
    </>
  );
}
