// The calls in progress: the state of each, and a way to stop listening.
import { Suspense, useState, type ReactNode } from 'react';
import type { LiveCallInfoJson, LiveEventJson } from '../../../gen/voxgate/live/v1/live_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { fetched } from '../../boundary.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { Card, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/calls.js';
import { t as shell } from '../../text/shell.js';
import { liveColumns, newestFirst } from '../biosec/live-calls.js';

const EVERY_MS = 2000;

/** Few try one. */
const TryCall = fetched(async () => (await import('./try-call.js')).TryCall);

/** Names of protocols and products: the same in every language. */
const protocols: Readonly<Record<string, string>> = {
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
  // Rows move as calls come and go, so the call is remembered before the user confirms.
  const [asked, setAsked] = useState<LiveCallInfoJson>();
  const [isTrying, setTrying] = useState(false);
  return (
    <div className="stack">
      {isTrying ? (
        <Suspense fallback={null}>
          <TryCall />
        </Suspense>
      ) : null}
      <Card title={t.running} hint={t.refreshed(EVERY_MS / 1000)}>
        <Loaded query={query} what={t.loading}>
          {({ calls = [] }) =>
            calls.length === 0 ? (
              <EmptyState
                icon="calls"
                title={t.none}
                action={
                  isTrying ? undefined : (
                    <Allowed to="PrepareCall">
                      <Button onClick={() => setTrying(true)}>{t.trial.title}</Button>
                    </Allowed>
                  )
                }
              >
                {t.noneText}
              </EmptyState>
            ) : (
              <Table
                caption={t.caption}
                rows={newestFirst(calls)}
                rowKey={({ liveCallId }) => liveCallId ?? ''}
                columns={columnsWith(setAsked)}
              />
            )
          }
        </Loaded>
        {asked ? (
          <EndQuestion
            asked={asked}
            onClose={() => setAsked(undefined)}
            onEnded={() => {
              setAsked(undefined);
              query.reload();
            }}
          />
        ) : null}
      </Card>
    </div>
  );
}

function EndQuestion({
  asked: { liveCallId, gkSessionId, sessionId },
  onClose,
  onEnded,
}: {
  asked: LiveCallInfoJson;
  onClose: () => void;
  onEnded: () => void;
}): ReactNode {
  const end = useAction(async () => {
    await call('EndCall', { liveCallId });
    toast(t.ended);
    onEnded();
  });
  return (
    <FormDialog
      title={t.endTitle(sessionId || shortId(gkSessionId?.value))}
      submitLabel={t.end}
      danger
      onClose={onClose}
      onSubmit={() => void end.run()}
      busy={end.busy}
      error={end.error}
    >
      <p>{t.endText}</p>
      <p className="small soft">{t.endRecorded}</p>
    </FormDialog>
  );
}

/** A voice that merely does not match is no matter of fraud. */
const riskOf = (last: LiveEventJson | undefined): number | null | undefined =>
  last?.state === 'NO_MATCH' ? undefined : last?.risk;

function columnsWith(onEnd: (asked: LiveCallInfoJson) => void): readonly Column<LiveCallInfoJson>[] {
  return [
    liveColumns.session,
    liveColumns.from,
    liveColumns.person,
    liveColumns.started,
    {
      label: t.door,
      whole: true,
      cell: ({ protocol = '' }) => protocols[protocol] ?? (protocol || shell.none),
    },
    liveColumns.state,
    { label: t.risk, number: true, cell: ({ events }) => riskOf(events?.at(-1)) ?? shell.none },
    liveColumns.speech,
    {
      label: t.actions,
      actions: true,
      cell: (row) => (
        <Allowed to="EndCall">
          <Button size="small" onClick={() => onEnd(row)}>
            {t.end}
          </Button>
        </Allowed>
      ),
    },
  ];
}
