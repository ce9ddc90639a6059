// Sends past events again, by the days on which they happened.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { Button } from '../../kit/button.js';
import { DateFields, spanOf } from '../../kit/dates.js';
import { useForm } from '../../kit/form.js';
import { Card } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/webhooks.js';
import type { WebhookProps } from './webhook-dialogs.js';

export function Replay({ read, webhook: { webhookId }, reload }: WebhookProps): ReactNode {
  const form = useForm({ from: '', to: '' }, async ({ from, to }) => {
    const { events = 0, webhookIsOff = false } = await call('ReplayWebhook', {
      context: read,
      webhookId,
      ...spanOf(from, to),
    });
    toast(webhookIsOff ? t.replayedLater(events) : t.replayed(events));
    reload();
  });
  const { from, to } = form.draft;
  const { onSubmit, busy, error } = form.submit;
  return (
    <Card title={t.replayTitle} hint={t.replayHint}>
      <form
        className="list-bar"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <DateFields from={from} to={to} onDates={form.set} />
        <div className="list-actions">
          <Button type="submit" busy={busy} disabled={from === ''}>
            {t.replayAction}
          </Button>
        </div>
      </form>
      {error ? <ErrorNotice error={error} /> : null}
    </Card>
  );
}
