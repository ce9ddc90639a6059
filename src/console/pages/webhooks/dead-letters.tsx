// Events that were given up: what, how often it was tried, why it failed, and a button to retry all of them.
import type { ReactNode } from 'react';
import type { DeadLetterJson } from '../../../gen/voxgate/events/v1/webhooks_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { usePages } from '../../api/use-pages.js';
import { Button } from '../../kit/button.js';
import { Card } from '../../kit/layout.js';
import { ListFoot } from '../../kit/list-foot.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { t } from '../../text/webhooks.js';
import { operationWords } from '../biosec/operations.js';
import type { WebhookProps } from './webhook-dialogs.js';

const PAGE_SIZE = 50;

const columns: readonly Column<DeadLetterJson>[] = [
  {
    label: t.event,
    cell: ({ event, eventId }) => (
      <div className="stack" data-tight>
        <span>{event ? operationWords(event.data?.operation) : t.gone}</span>
        <code className="small">{eventId}</code>
      </div>
    ),
  },
  { label: t.happened, whole: true, cell: ({ event }) => <Time at={event?.time} /> },
  { label: t.attempts, number: true, cell: ({ attempts }) => t.count(attempts ?? 0) },
  { label: t.lastAttempt, whole: true, cell: ({ lastAttempt }) => <Time at={lastAttempt} relative /> },
  { label: t.fault, cell: ({ lastFault }) => <span lang="en">{lastFault}</span> },
];

export function DeadLetters({ read, webhook, reload }: WebhookProps): ReactNode {
  const { webhookId = '', deadLetters = 0 } = webhook;
  // The count comes with the webhook: the list is reloaded when it has changed.
  const pages = usePages(
    { list: `dead letters ${webhookId}`, view: String(deadLetters) },
    async (pageToken, signal) => {
      const request = { context: read, webhookId, pageSize: PAGE_SIZE, pageToken };
      const answer = await call('ListDeadLetters', request, signal);
      return { rows: answer.deadLetters ?? [], next: answer.nextPageToken };
    },
  );
  const again = useAction(async () => {
    const request = { context: read, webhookId, deadLettersOnly: true };
    const { events = 0, webhookIsOff = false } = await call('ReplayWebhook', request);
    toast(webhookIsOff ? t.replayedLater(events) : t.replayed(events));
    reload();
  });
  return (
    <Card
      title={t.dead}
      hint={t.deadHint}
      actions={
        deadLetters > 0 ? (
          <Allowed to="ReplayWebhook">
            <Button busy={again.busy} onClick={() => void again.run()}>
              {t.resendDead}
            </Button>
          </Allowed>
        ) : undefined
      }
    >
      {again.error ? <ErrorNotice error={again.error} /> : null}
      <Loaded query={pages.query} what={t.deadLoading}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon="webhooks" title={t.deadNone}>
              {t.deadNoneText}
            </EmptyState>
          ) : (
            <>
              <Table caption={t.dead} rows={rows} rowKey={({ eventId }) => eventId ?? ''} columns={columns} />
              <ListFoot pages={pages} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
