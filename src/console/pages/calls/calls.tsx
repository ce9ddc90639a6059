// The calls that are listened to now: how each stands, and the way out of listening.
import type { ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { LiveCallInfoJson, LiveStateJson } from '../../../gen/voxgate/live/v1/live_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { durationSeconds } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Badge, Card, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/calls.js';
import { t as shell } from '../../text/shell.js';
import { DecisionBadge } from '../biosec/decision-badge.js';
import { SessionLink } from '../biosec/session-link.js';

const EVERY_MS = 2000;

const decisionOf: Partial<Record<LiveStateJson, DecisionJson>> = {
  AUTHENTIC: 'DECISION_AUTHENTIC',
  NO_MATCH: 'DECISION_NO_MATCH',
  UNCERTAIN: 'DECISION_UNCERTAIN',
  FRAUD: 'DECISION_FRAUD',
  NO_RISK_DETECTED: 'DECISION_NO_RISK_DETECTED',
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
    { label: t.session, whole: true, cell: ({ gkSessionId }) => <SessionLink gkId={gkSessionId?.value} /> },
    { label: t.started, whole: true, cell: ({ startedAt }) => <Time at={startedAt} relative /> },
    { label: t.door, cell: ({ door }) => door || shell.none },
    { label: t.state, cell: ({ events }) => <State state={events?.at(-1)?.state} /> },
    { label: t.risk, number: true, cell: ({ events }) => events?.at(-1)?.risk ?? shell.none },
    { label: t.speech, number: true, cell: ({ netSpeech }) => seconds(netSpeech) },
    { label: t.length, number: true, cell: ({ position }) => seconds(position) },
    {
      label: t.actions,
      actions: true,
      cell: ({ liveCallId = '' }) => (
        <Button size="small" disabled={busy} onClick={() => onEnd(liveCallId)}>
          {t.end}
        </Button>
      ),
    },
  ];
}

const seconds = (duration: string | undefined): string => t.seconds(Math.floor(durationSeconds(duration)));

function State({ state }: { state: LiveStateJson | undefined }): ReactNode {
  const decision = state && decisionOf[state];
  return decision ? <DecisionBadge decision={decision} /> : <Badge>{t.listening}</Badge>;
}
