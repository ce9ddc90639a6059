// Chooses one of the tenant's watchlists; the first one can be created on the spot.
import { useState, type ReactNode } from 'react';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { SelectField, TextField } from '../../kit/field.js';
import { useInSession, useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { collectionKinds, listCollections } from './kinds.js';

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
  if (lists.data?.length === 0)
    return (
      <FirstWatchlist
        onMade={(gkWatchlistId) => {
          control.onValue(gkWatchlistId);
          lists.reload();
        }}
      />
    );
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

function FirstWatchlist({ onMade }: { onMade: (gkWatchlistId: string) => void }): ReactNode {
  const inSession = useInSession();
  const [name, setName] = useState('');
  const { create, idField } = collectionKinds.watchlist;
  const making = useAction(async () =>
    onMade((await inSession((context) => create(context, name.trim()))) ?? ''),
  );
  const { error } = making;
  return (
    <div className="stack" data-tight>
      <TextField
        label={t.watchlistField.label}
        hint={t.watchlistField.none}
        error={error?.problem(idField) ?? error?.message}
        spellCheck={false}
        value={name}
        onValue={setName}
      />
      <div>
        <Button busy={making.busy} disabled={name.trim() === ''} onClick={() => void making.run()}>
          {t.watchlistField.create}
        </Button>
      </div>
    </div>
  );
}
