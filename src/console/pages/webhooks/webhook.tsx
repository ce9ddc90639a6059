// One webhook: its settings, its deliveries, a test event, replays of past events, and events that were given
// up.
import { useState, type ReactNode } from 'react';
import type { WebhookJson } from '../../../gen/voxgate/events/v1/webhooks_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded, Notice } from '../../kit/notice.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { navigate } from '../../router.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t as shell } from '../../text/shell.js';
import { t } from '../../text/webhooks.js';
import type { PageProps } from '../page.js';
import { DeadLetters } from './dead-letters.js';
import { Replay } from './replay.js';
import {
  EditWebhook,
  hostOf,
  RotateSecret,
  SecretDialog,
  type NewSecret,
  type WebhookProps,
} from './webhook-dialogs.js';
import { Types, WebhookState } from './webhooks.js';

const EVERY_MS = 10_000;

export function WebhookPage({ params }: PageProps): ReactNode {
  const webhookId = params['webhookId'] ?? '';
  const read = useReadContext();
  const query = useQuery(
    read && `webhook ${webhookId}`,
    async (signal) => (await call('GetWebhook', { context: read, webhookId }, signal)).webhook ?? {},
    { everyMs: EVERY_MS },
  );
  const url = query.data?.url;
  return (
    <>
      <PageHead title={url ? hostOf(url) : t.title} crumbs={[{ label: t.title, to: '/webhooks' }]} />
      {read ? (
        <Loaded query={query} what={t.loading}>
          {(webhook) => (
            <div className="stack">
              <Settings read={read} webhook={webhook} reload={query.reload} />
              <DeadLetters read={read} webhook={webhook} reload={query.reload} />
              <Allowed to="ReplayWebhook">
                <Replay read={read} webhook={webhook} reload={query.reload} />
              </Allowed>
            </div>
          )}
        </Loaded>
      ) : (
        <EmptyState icon="webhooks" title={shell.chooseTenant} />
      )}
    </>
  );
}

type Question = 'edit' | 'rotate' | 'off' | 'delete';

function Settings({ read, webhook, reload }: WebhookProps): ReactNode {
  const { webhookId = '', url = '', description = '', types = [], enabled = false } = webhook;
  const [asked, setAsked] = useState<Question>();
  const [secret, setSecret] = useState<NewSecret>();
  const close = (): void => setAsked(undefined);
  const turn = useAction(async () => {
    const settings = { url, description, types, enabled: !enabled };
    try {
      await call('UpdateWebhook', { context: read, webhookId, ...settings, expected: webhook });
      toast(enabled ? t.turnedOff : t.turnedOn);
      close();
    } finally {
      reload();
    }
  });
  const [answer, setAnswer] = useState<AnswerOf<'PingWebhook'>>();
  const ping = useAction(async () => {
    setAnswer(undefined);
    const given = await call('PingWebhook', { context: read, webhookId });
    setAnswer(given);
    if (given.delivered) toast(t.pinged(given.httpStatus ?? 0));
  });
  return (
    <Card
      title={t.details}
      actions={
        <Allowed to="UpdateWebhook">
          <Button busy={ping.busy} onClick={() => void ping.run()}>
            {t.ping}
          </Button>
          <Button onClick={() => setAsked('edit')}>{t.edit}</Button>
          <Button onClick={() => setAsked('rotate')}>{t.rotate}</Button>
          <Button busy={turn.busy} onClick={() => (enabled ? setAsked('off') : void turn.run())}>
            {enabled ? t.turnOff : t.turnOn}
          </Button>
          <Button kind="danger" onClick={() => setAsked('delete')}>
            {t.delete}
          </Button>
        </Allowed>
      }
    >
      <div className="stack">
        <Troubles webhook={webhook} />
        {turn.error && asked !== 'off' ? <ErrorNotice error={turn.error} isOfButton /> : null}
        {ping.error ? <ErrorNotice error={ping.error} /> : null}
        {answer && !answer.delivered ? <NotDelivered answer={answer} /> : null}
        <WebhookFacts webhook={webhook} />
      </div>
      {asked === 'edit' ? (
        <EditWebhook
          read={read}
          webhook={webhook}
          onClose={close}
          onDone={() => {
            close();
            reload();
          }}
        />
      ) : null}
      {asked === 'rotate' ? (
        <RotateSecret
          read={read}
          webhookId={webhookId}
          onClose={close}
          onRotated={(made) => {
            close();
            setSecret(made);
            reload();
          }}
        />
      ) : null}
      {asked === 'off' ? (
        <FormDialog
          title={t.turnOffTitle}
          submitLabel={t.turnOff}
          onClose={close}
          onSubmit={() => void turn.run()}
          busy={turn.busy}
          error={turn.error}
          danger
        >
          <p>{t.turnOffText(hostOf(url), webhook.waiting ?? 0)}</p>
          <p>{t.turnOffKept}</p>
        </FormDialog>
      ) : null}
      {asked === 'delete' ? <DeleteWebhook read={read} webhook={webhook} onClose={close} /> : null}
      {secret ? <SecretDialog {...secret} onClose={() => setSecret(undefined)} /> : null}
    </Card>
  );
}

function NotDelivered({ answer: { httpStatus = 0, fault } }: { answer: AnswerOf<'PingWebhook'> }): ReactNode {
  return (
    <Notice tone="bad" title={t.notPinged}>
      {httpStatus > 0 ? <span>{t.answered(httpStatus)}</span> : <span lang="en">{fault}</span>}
    </Notice>
  );
}

function DeleteWebhook({
  read,
  webhook: { webhookId, url, waiting = 0 },
  onClose,
}: {
  read: Context;
  webhook: WebhookJson;
  onClose: () => void;
}): ReactNode {
  const host = hostOf(url);
  const deletion = useAction(async () => {
    await call('DeleteWebhook', { context: read, webhookId });
    toast(t.deleted);
    navigate('/webhooks');
  });
  return (
    <ConfirmDialog
      title={t.delete}
      word={host}
      consequence={t.deleteText(host, waiting)}
      action={t.delete}
      onClose={onClose}
      onConfirm={() => void deletion.run()}
      busy={deletion.busy}
      error={deletion.error}
    />
  );
}

function Troubles({
  webhook: { disabledReason, failingSince, enabled = false },
}: {
  webhook: WebhookJson;
}): ReactNode {
  if (disabledReason)
    return (
      <Notice tone="bad" title={t.switchedOff}>
        <span lang="en">{disabledReason}</span>
      </Notice>
    );
  if (!enabled) return <Notice>{t.offText}</Notice>;
  return failingSince ? (
    <Notice tone="warn">
      <span>
        <Time at={failingSince} within={t.failingSince} />. {t.failingHint}
      </span>
    </Notice>
  ) : null;
}

function WebhookFacts({ webhook }: { webhook: WebhookJson }): ReactNode {
  const { url, description, types = [], previousSecretExpiry } = webhook;
  return (
    <Facts
      items={[
        [t.address, <code key="url">{url}</code>],
        [
          t.description,
          <span key="text" translate="no">
            {description || shell.none}
          </span>,
        ],
        [t.events, <Types key="types" types={types} />],
        [t.state, <WebhookState key="state" webhook={webhook} />],
        [t.waiting, t.count(webhook.waiting ?? 0)],
        [t.deadLetters, t.count(webhook.deadLetters ?? 0)],
        [t.added, <Time key="added" at={webhook.creationTimestamp} />],
        ...(previousSecretExpiry
          ? [[t.oldSecretUntil, <Time key="until" at={previousSecretExpiry} />] as const]
          : []),
      ]}
    />
  );
}
