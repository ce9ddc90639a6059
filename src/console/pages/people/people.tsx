// People and watchlists: the four lists.
import type { ReactNode } from 'react';
import { PageHead } from '../../kit/layout.js';
import { Tabs } from '../../kit/tabs.js';
import { t } from '../../text/people.js';
import { CollectionList } from './collection-list.js';
import { PartyList } from './party-list.js';

export function PeoplePage(): ReactNode {
  return (
    <>
      <PageHead title={t.title}>{t.about}</PageHead>
      <Tabs
        label={t.lists}
        tabs={[
          { id: 'persons', label: t.person.title, content: () => <PartyList key="person" kind="person" /> },
          {
            id: 'fraudsters',
            label: t.fraudster.title,
            content: () => <PartyList key="fraudster" kind="fraudster" />,
          },
          { id: 'groups', label: t.group.title, content: () => <CollectionList key="group" kind="group" /> },
          {
            id: 'watchlists',
            label: t.watchlist.title,
            content: () => <CollectionList key="watchlist" kind="watchlist" />,
          },
        ]}
      />
    </>
  );
}
