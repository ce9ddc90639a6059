// Clients of the engagement API: register with the sites they may touch, lock, unlock with a new secret.
import { useState, type ReactNode } from 'react';
import type { EngagementClientJson } from '../../../gen/voxgate/management/v1/engagement_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { FormDialog } from '../../kit/dialog.js';
import { CheckGroup, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { t } from '../../text/engagement.js';
import { t as shell } from '../../text/shell.js';
import { LockDialog, type NamedSecret } from '../applications/client-dialogs.js';
import { splitList } from '../applications/model.js';
import { SecretsDialog } from '../applications/secrets-dialog.js';
import { engagementScopes, loadSites } from './model.js';

const text = t.client;

export function EngagementClients(): ReactNode {
  const [registering, setRegistering] = useState(false);
  const [locking, setLocking] = useState<EngagementClientJson>();
  const [shown, setShown] = useState<NamedSecret>();
  const list = useQuery(
    'engagement-clients',
    async (signal) => (await call('ListEngagementClients', {}, signal)).clients ?? [],
  );
  const add = (
    <Allowed to="administrator">
      <Button kind="primary" onClick={() => setRegistering(true)}>
        {text.register}
      </Button>
    </Allowed>
  );
  return (
    <div className="stack">
      <Loaded query={list}>
        {(clients) =>
          clients.length === 0 ? (
            <EmptyState icon="engagement" title={text.none} action={add}>
              {text.noneText}
            </EmptyState>
          ) : (
            <>
              <div className="row">{add}</div>
              <ClientTable clients={clients} onLock={setLocking} onUnlocked={setShown} reload={list.reload} />
            </>
          )
        }
      </Loaded>
      {registering ? (
        <RegisterDialog
          onClose={() => setRegistering(false)}
          onRegistered={(secret) => {
            setRegistering(false);
            setShown(secret);
            list.reload();
          }}
        />
      ) : null}
      {locking ? (
        <LockDialog
          name={locking.name ?? ''}
          lock={(reason) => call('LockEngagementClient', { clientId: locking.clientId, reason })}
          onClose={() => setLocking(undefined)}
          onDone={() => {
            setLocking(undefined);
            list.reload();
          }}
        />
      ) : null}
      {shown ? (
        <SecretsDialog title={shown.title} secrets={[shown]} onClose={() => setShown(undefined)} />
      ) : null}
    </div>
  );
}

function ClientTable({
  clients,
  onLock,
  onUnlocked,
  reload,
}: {
  clients: readonly EngagementClientJson[];
  onLock: (client: EngagementClientJson) => void;
  onUnlocked: (secret: NamedSecret) => void;
  reload: () => void;
}): ReactNode {
  const unlock = useAction(async ({ clientId = '', name = '' }: EngagementClientJson) => {
    const { clientSecret = '' } = await call('UnlockEngagementClient', { clientId });
    if (clientSecret === '') toast(text.unlocked(name));
    else onUnlocked({ title: text.unlocked(name), clientId, secret: clientSecret });
    reload();
  });
  return (
    <>
      {unlock.error ? <ErrorNotice error={unlock.error} /> : null}
      <Table
        caption={text.caption}
        rows={clients}
        rowKey={(client) => client.clientId ?? ''}
        columns={[
          {
            label: text.client,
            cell: ({ name = '', clientId = '' }) => (
              <div className="stack" data-tight>
                <strong>{name}</strong>
                <Copy text={clientId} label={text.idOf(name)} wrap />
              </div>
            ),
          },
          {
            label: text.sites,
            cell: (client) => (
              <span className="row">
                {(client.sites ?? []).map((site) => (
                  <Badge key={site} plain>
                    {site}
                  </Badge>
                ))}
              </span>
            ),
          },
          {
            label: text.scopes,
            cell: (client) => <span className="small">{(client.scopes ?? []).join(' ')}</span>,
          },
          {
            label: text.state,
            cell: ({ locked }) => (
              <Badge tone={locked ? 'bad' : 'good'}>{locked ? text.locked : text.active}</Badge>
            ),
          },
          { label: text.lastToken, cell: (client) => <Time at={client.lastUsedTimestamp} relative /> },
          {
            label: shell.actions,
            actions: true,
            cell: (client) => (
              <Allowed to="administrator">
                {client.locked ? (
                  <Button size="small" busy={unlock.busy} onClick={() => void unlock.run(client)}>
                    {text.unlock}
                  </Button>
                ) : (
                  <Button size="small" onClick={() => onLock(client)}>
                    {text.lock}
                  </Button>
                )}
              </Allowed>
            ),
          },
        ]}
      />
    </>
  );
}

function RegisterDialog({
  onClose,
  onRegistered,
}: {
  onClose: () => void;
  onRegistered: (secret: NamedSecret) => void;
}): ReactNode {
  const known = useQuery('sites', loadSites).data ?? [];
  const form = useForm(
    { name: '', sites: [] as string[], other: '', scopes: engagementScopes },
    async (draft) => {
      const { client, clientSecret } = await call('RegisterEngagementClient', {
        name: draft.name.trim(),
        sites: [...new Set([...draft.sites, ...splitList(draft.other)])],
        scopes: draft.scopes,
      });
      onRegistered({
        title: text.registered(client?.name ?? ''),
        clientId: client?.clientId ?? '',
        secret: clientSecret ?? '',
      });
    },
  );
  return (
    <FormDialog
      title={text.registerTitle}
      onClose={onClose}
      submitLabel={text.registerAction}
      {...form.submit}
    >
      <TextField label={text.name} autoFocus {...form.text('name')} />
      {known.length > 0 ? (
        <CheckGroup
          label={text.sites}
          options={known.map(({ siteId = '', name }) => ({
            value: siteId,
            label: name ? `${name} (${siteId})` : siteId,
          }))}
          {...form.list('sites')}
        />
      ) : null}
      <TextField
        label={known.length > 0 ? text.otherSites : text.siteIds}
        hint={text.sitesHint}
        optional={known.length > 0}
        {...form.text('other', known.length > 0 ? 'other' : 'sites')}
      />
      <CheckGroup
        label={text.mayAsk}
        options={engagementScopes.map((value) => ({ value, label: value }))}
        {...form.list('scopes')}
      />
    </FormDialog>
  );
}
