// Choosing one of the watchlists of the tenant.
import type { ReactNode } from 'react';
import { useQuery } from '../../api/hooks.js';
import { SelectField } from '../../kit/field.js';
import { Notice } from '../../kit/notice.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { listCollections } from './kinds.js';

const LISTS_MAX = 200;

export function WatchlistField(control: {
  value: string;
  onValue: (gkWatchlistId: string) => void;
  error: string | undefined;
}): ReactNode {
  const read = useReadContext();
  const lists = useQuery(
    read && `watchlists ${read.gkScopeId.value}`,
    async (signal) =>
      (await listCollections('watchlist', read as Context, { pageSize: LISTS_MAX }, signal)).rows,
  );
  if (lists.data?.length === 0) return <Notice>{t.watchlistField.none}</Notice>;
  return (
    <SelectField
      label={t.watchlistField.label}
      options={[
        { value: '', label: t.watchlistField.choose },
        ...(lists.data ?? []).map((list) => ({ value: list.gkId, label: list.id })),
      ]}
      {...control}
    />
  );
}
