// The calls in progress; nothing if there are none, or if the role may not see them.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Card } from '../../kit/layout.js';
import { Table } from '../../kit/table.js';
import { Link } from '../../router.js';
import type { Context } from '../../tenant/context.js';
import { t } from '../../text/calls.js';
import { t as home } from '../../text/home.js';
import { liveColumns, newestFirst } from '../biosec/live-calls.js';

const EVERY_MS = 5000;
const CALLS_SHOWN_MAX = 5;
const { session, from, person, started, state, speech } = liveColumns;

export function Live({ read: { gkScopeId } }: { read: Context }): ReactNode {
  const { data } = useQuery(`live ${gkScopeId.value}`, (signal) => call('ListCalls', { gkScopeId }, signal), {
    everyMs: EVERY_MS,
  });
  const calls = data?.calls ?? [];
  if (calls.length === 0) return null;
  return (
    <Card
      title={t.title}
      hint={home.live.hint(calls.length)}
      actions={<Link to="/calls">{home.live.all}</Link>}
    >
      <Table
        caption={t.caption}
        rows={newestFirst(calls).slice(0, CALLS_SHOWN_MAX)}
        rowKey={({ liveCallId }) => liveCallId ?? ''}
        columns={[session, from, person, started, state, speech]}
      />
    </Card>
  );
}
