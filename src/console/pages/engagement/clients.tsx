// Clients of the engagement API: register with the sites they may touch, lock, unlock.
import { useState, type ReactNode } from 'react';
import { del, get, post, put } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { relativeTime } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { FormDialog } from '../../kit/dialog.js';
import { CheckGroup, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { LockDialog } from '../applications/client-dialogs.js';
import { splitList } from '../applications/model.js';
import { SecretsDialog, type ShownSecret } from '../applications/secrets-dialog.js';
import { ENGAGEMENT, engagementScopes, loadSites, type EngagementClient } from './model.js';

const clientPath = (id: string): string => `${ENGAGEMENT}/clients/${encodeURIComponent(id)}`;

export function EngagementClients(): ReactNode {
  const [registering, setRegistering] = useState(false);
  const [locking, setLocking] = useState<EngagementClient>();
  const [shown, setShown] = useState<ShownSecret & { title: string }>();
  const list = useQuery(
    'engagement-clients',
    async (signal) =>
      (await get<{ clients?: EngagementClient[] }>(`${ENGAGEMENT}/clients`, {}, signal)).clients ?? [],
  );
  const unlock = useAction(async (client: EngagementClient) => {
    await del(`${clientPath(client.clientId)}/lock`);
    toast(`${client.name} is open again.`);
    list.reload();
  });
  const add = (
    <Button kind="primary" onClick={() => setRegistering(true)}>
      Register a client
    </Button>
  );
  return (
    <div className="stack">
      {unlock.error ? <ErrorNotice error={unlock.error} /> : null}
      <Loaded query={list}>
        {(clients) =>
          clients.length === 0 ? (
            <EmptyState icon="engagement" title="No engagement client yet" action={add}>
              A client asks whether agents are available on the sites you give it.
            </EmptyState>
          ) : (
            <>
              <div className="row">{add}</div>
              <Table
                caption="Engagement clients"
                rows={clients}
                rowKey={(client) => client.clientId}
                columns={[
                  {
                    label: 'Client',
                    cell: (client) => (
                      <div className="stack" data-tight>
                        <strong>{client.name}</strong>
                        <Copy text={client.clientId} label={`client ID ${client.name}`} wrap />
                      </div>
                    ),
                  },
                  {
                    label: 'Sites',
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
                    label: 'Scopes',
                    cell: (client) => <span className="small">{(client.scopes ?? []).join(' ')}</span>,
                  },
                  {
                    label: 'State',
                    cell: (client) =>
                      client.locked ? <Badge tone="bad">Locked</Badge> : <Badge tone="good">Active</Badge>,
                  },
                  { label: 'Last token', cell: (client) => relativeTime(client.lastUsedTimestamp) },
                  {
                    label: 'Actions',
                    actions: true,
                    cell: (client) =>
                      client.locked ? (
                        <Button size="small" busy={unlock.busy} onClick={() => void unlock.run(client)}>
                          Unlock
                        </Button>
                      ) : (
                        <Button size="small" kind="danger" onClick={() => setLocking(client)}>
                          Lock
                        </Button>
                      ),
                  },
                ]}
              />
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
          name={locking.name}
          lock={(reason) => put(`${clientPath(locking.clientId)}/lock`, { reason })}
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

function RegisterDialog({
  onClose,
  onRegistered,
}: {
  onClose: () => void;
  onRegistered: (secret: ShownSecret & { title: string }) => void;
}): ReactNode {
  const sites = useQuery('sites', loadSites);
  const known = sites.data ?? [];
  const form = useForm(
    { name: '', sites: [] as string[], other: '', scopes: engagementScopes },
    async (draft) => {
      const { client, clientSecret } = await post<{ client: EngagementClient; clientSecret: string }>(
        `${ENGAGEMENT}/clients`,
        {
          name: draft.name.trim(),
          sites: [...new Set([...draft.sites, ...splitList(draft.other)])],
          scopes: draft.scopes,
        },
      );
      onRegistered({
        title: `${client.name} is registered`,
        clientId: client.clientId,
        secret: clientSecret,
      });
    },
  );
  return (
    <FormDialog
      title="Register an engagement client"
      onClose={onClose}
      submitLabel="Register"
      {...form.submit}
    >
      <TextField label="Name" autoFocus {...form.text('name')} />
      {known.length > 0 ? (
        <CheckGroup
          label="Sites"
          options={known.map((site) => ({
            value: site.siteId,
            label: site.name ? `${site.name} (${site.siteId})` : site.siteId,
          }))}
          {...form.list('sites')}
        />
      ) : null}
      <TextField
        label={known.length > 0 ? 'Other site IDs' : 'Site IDs'}
        hint="Separated by commas. Its tokens may touch these sites only."
        optional={known.length > 0}
        {...form.text('other', known.length > 0 ? 'other' : 'sites')}
      />
      <CheckGroup
        label="What it may ask"
        options={engagementScopes.map((value) => ({ value, label: value }))}
        {...form.list('scopes')}
      />
    </FormDialog>
  );
}
