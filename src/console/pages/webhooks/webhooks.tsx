// The webhooks of the tenant: where its events are sent, which of them, and whether the receivers accept
// them.
import { useState, type ReactNode } from 'react';
import type { WebhookJson } from '../../../gen/voxgate/events/v1/webhooks_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Badge, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { Link } from '../../router.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t as shell } from '../../text/shell.js';
import { t } from '../../text/webhooks.js';
import { AddWebhook, hostOf, SecretDialog, type NewSecret } from './webhook-dialogs.js';

const EVERY_MS = 10_000;

export function WebhooksPage(): ReactNode {
  const read = useReadContext();
  return (
    <>
      <PageHead title={t.title}>{t.about}</PageHead>
      {read ? <Webhooks read={read} /> : <EmptyState icon="webhooks" title={shell.chooseTenant} />}
    </>
  );
}

function Webhooks({ read }: { read: Context }): ReactNode {
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<NewSecret>();
  const list = useQuery(
    `webhooks ${read.gkScopeId.value}`,
    async (signal) => (await call('ListWebhooks', { context: read }, signal)).webhooks ?? [],
    { everyMs: EVERY_MS },
  );
  const add = (
    <Allowed to="CreateWebhook">
      <Button kind="primary" onClick={() => setAdding(true)}>
        {t.add}
      </Button>
    </Allowed>
  );
  return (
    <div className="stack">
      <Loaded query={list} what={t.loading}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <EmptyState icon="webhooks" title={t.none} action={add}>
              {t.noneText}
            </EmptyState>
          ) : (
            <>
              <div className="row">{add}</div>
              <WebhookTable webhooks={webhooks} />
            </>
          )
        }
      </Loaded>
      {adding ? (
        <AddWebhook
          read={read}
          onClose={() => setAdding(false)}
          onAdded={(made) => {
            setAdding(false);
            setSecret(made);
            list.reload();
          }}
        />
      ) : null}
      {secret ? <SecretDialog {...secret} onClose={() => setSecret(undefined)} /> : null}
    </div>
  );
}

function WebhookTable({ webhooks }: { webhooks: readonly WebhookJson[] }): ReactNode {
  return (
    <Table
      caption={t.caption}
      rows={webhooks}
      rowKey={({ webhookId }) => webhookId ?? ''}
      columns={[
        {
          label: t.address,
          cell: ({ webhookId = '', url, description }) => (
            <div className="stack" data-tight>
              <Link to={`/webhooks/${webhookId}`}>{hostOf(url)}</Link>
              {description ? (
                <span className="small soft" translate="no">
                  {description}
                </span>
              ) : null}
            </div>
          ),
        },
        { label: t.events, cell: ({ types = [] }) => <Types types={types} /> },
        { label: t.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
        { label: t.waiting, number: true, cell: ({ waiting }) => t.count(waiting ?? 0) },
        { label: t.deadLetters, number: true, cell: ({ deadLetters }) => t.count(deadLetters ?? 0) },
        {
          label: t.added,
          whole: true,
          cell: ({ creationTimestamp }) => <Time at={creationTimestamp} />,
        },
      ]}
    />
  );
}

export function Types({ types }: { types: readonly string[] }): ReactNode {
  return types.length === 0 ? (
    t.allEvents
  ) : (
    <span className="small">
      {types.map((type) => (
        <code key={type}>{type} </code>
      ))}
    </span>
  );
}

export function WebhookState({ webhook: { enabled, failingSince } }: { webhook: WebhookJson }): ReactNode {
  if (!enabled) return <Badge tone="warn">{t.states.off}</Badge>;
  return failingSince ? (
    <Badge tone="bad">{t.states.failing}</Badge>
  ) : (
    <Badge tone="accent">{t.states.on}</Badge>
  );
}
