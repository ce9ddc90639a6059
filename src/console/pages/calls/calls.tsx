// The calls that are listened to now: how each stands, and the way out of listening.
import type { ReactNode } from 'react';
import type { LiveCallInfoJson } from '../../../gen/voxgate/live/v1/live_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Card, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/calls.js';
import { t as shell } from '../../text/shell.js';
import { liveColumns, secondsOf } from '../biosec/live-calls.js';

const EVERY_MS = 2000;

/** Names of protocols and products: the same in every language. */
const doors: Readonly<Record<string, string>> = {
  grpc: 'gRPC',
  websocket: 'WebSocket',
  audiohook: 'Genesys AudioHook',
  audiosocket: 'Asterisk AudioSocket',
  twilio: 'Twilio',
  vonage: 'Vonage',
  jambonz: 'jambonz',
  freeswitch: 'FreeSWITCH',
  asterisk: 'Asterisk',
};

export function CallsPage(): ReactNode {
  const read = useReadContext();
  return (
    <>
      <PageHead title={t.title}>{t.about}</PageHead>
      {read ? <Calls read={read} /> : <EmptyState icon="calls" title={shell.chooseTenant} />}
    </>
  );
}

function Calls({ read }: { read: Context }): ReactNode {
  const { gkScopeId } = read;
  const query = useQuery(`calls ${gkScopeId.value}`, (signal) => call('ListCalls', { gkScopeId }, signal), {
    everyMs: EVERY_MS,
  });
  const end = useAction(async (liveCallId: string) => {
    await call('EndCall', { liveCallId });
    toast(t.ended);
    query.reload();
  });
  return (
    <Card title={t.title} hint={t.refreshed(EVERY_MS / 1000)}>
      {end.error ? <ErrorNotice error={end.error} /> : null}
      <Loaded query={query} what={t.loading}>
        {({ calls = [] }) =>
          calls.length === 0 ? (
            <EmptyState icon="calls" title={t.none}>
              {t.noneText}
            </EmptyState>
          ) : (
            <Table
              caption={t.caption}
              rows={[...calls].reverse()}
              rowKey={({ liveCallId }) => liveCallId ?? ''}
              columns={columnsWith((id) => void end.run(id), end.busy)}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

function columnsWith(
  onEnd: (liveCallId: string) => void,
  busy: boolean,
): readonly Column<LiveCallInfoJson>[] {
  return [
    liveColumns.session,
    liveColumns.from,
    liveColumns.started,
    { label: t.door, cell: ({ door = '' }) => doors[door] ?? (door || shell.none) },
    liveColumns.state,
    { label: t.risk, number: true, cell: ({ events }) => events?.at(-1)?.risk ?? shell.none },
    liveColumns.speech,
    { label: t.length, number: true, cell: ({ position }) => secondsOf(position) },
    {
      label: t.actions,
      actions: true,
      cell: ({ liveCallId = '' }) => (
        <Allowed to="EndCall">
          <Button size="small" disabled={busy} onClick={() => onEnd(liveCallId)}>
            {t.end}
          </Button>
        </Allowed>
      ),
    },
  ];
}
