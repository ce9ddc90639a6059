// The client IDs of an environment: make, renew the secret, lock, delete.
import { useState, type ReactNode } from 'react';
import { del, get, put } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { dateTime, relativeTime } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog, Dialog } from '../../kit/dialog.js';
import { Badge } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { LockDialog, NewClientDialog, NewSecretDialog } from './client-dialogs.js';
import { EditClientDialog } from './client-edit.js';
import { clientPath, environmentPath, tokenCurl, type Client, type Environment } from './model.js';
import { SecretsDialog, type ShownSecret } from './secrets-dialog.js';

type Open = { kind: 'new' } | { kind: 'secret' | 'lock' | 'delete' | 'curl' | 'edit'; client: Client };

export function Clients({
  environment,
  isOwner,
  mayChange,
}: {
  environment: Environment;
  isOwner: boolean;
  mayChange: boolean;
}): ReactNode {
  const [open, setOpen] = useState<Open>();
  const [shown, setShown] = useState<ShownSecret & { title: string; note?: ReactNode }>();
  const list = useQuery(
    `clients ${environment.appId}`,
    async (signal) =>
      (await get<{ clients?: Client[] }>(`${environmentPath(environment.appId)}/clients`, {}, signal))
        .clients ?? [],
  );
  const close = (): void => setOpen(undefined);
  const unlock = useAction(async (client: Client) => {
    await del(`${clientPath(client.clientId)}/lock`);
    toast(`${client.name} is open again.`);
    list.reload();
  });
  const show = (secret: ShownSecret & { title: string; note?: ReactNode }): void => {
    close();
    setShown(secret);
    list.reload();
  };
  const create = isOwner ? (
    <Button kind="primary" onClick={() => setOpen({ kind: 'new' })}>
      New client
    </Button>
  ) : null;
  return (
    <div className="stack">
      {create ? (
        <div className="row">{create}</div>
      ) : (
        <p className="soft small">Only owners of the application make clients and secrets.</p>
      )}
      {unlock.error ? <ErrorNotice error={unlock.error} /> : null}
      <Loaded query={list}>
        {(clients) =>
          clients.length === 0 ? (
            <EmptyState icon="key" title="No client" action={create}>
              A client ID and its secret fetch the tokens for this environment.
            </EmptyState>
          ) : (
            <Table
              caption="Client IDs"
              rows={clients}
              rowKey={(client) => client.clientId}
              columns={[
                { label: 'Client', cell: (client) => <ClientCell client={client} /> },
                { label: 'State', cell: (client) => <StateCell client={client} /> },
                {
                  label: 'Actions',
                  actions: true,
                  cell: (client) => (
                    <>
                      <Button size="small" onClick={() => setOpen({ kind: 'curl', client })}>
                        curl
                      </Button>
                      {mayChange ? (
                        <Button size="small" onClick={() => setOpen({ kind: 'edit', client })}>
                          Edit
                        </Button>
                      ) : null}
                      {isOwner ? (
                        <Button size="small" onClick={() => setOpen({ kind: 'secret', client })}>
                          New secret
                        </Button>
                      ) : null}
                      {mayChange ? (
                        client.locked ? (
                          <Button size="small" busy={unlock.busy} onClick={() => void unlock.run(client)}>
                            Unlock
                          </Button>
                        ) : (
                          <Button size="small" onClick={() => setOpen({ kind: 'lock', client })}>
                            Lock
                          </Button>
                        )
                      ) : null}
                      {mayChange ? (
                        <Button
                          size="small"
                          kind="danger"
                          onClick={() => setOpen({ kind: 'delete', client })}
                        >
                          Delete
                        </Button>
                      ) : null}
                    </>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {open?.kind === 'new' ? (
        <NewClientDialog environment={environment} onClose={close} onCreated={show} />
      ) : null}
      {open?.kind === 'secret' ? (
        <NewSecretDialog client={open.client} onClose={close} onMade={show} />
      ) : null}
      {open?.kind === 'lock' ? (
        <LockDialog
          name={open.client.name}
          lock={(reason) => put(`${clientPath(open.client.clientId)}/lock`, { reason })}
          onClose={close}
          onDone={() => {
            close();
            list.reload();
          }}
        />
      ) : null}
      {open?.kind === 'delete' ? (
        <DeleteDialog
          client={open.client}
          onClose={close}
          onDone={() => {
            close();
            list.reload();
          }}
        />
      ) : null}
      {open?.kind === 'edit' ? (
        <EditClientDialog
          client={open.client}
          isOwner={isOwner}
          onClose={close}
          onDone={() => {
            close();
            list.reload();
          }}
        />
      ) : null}
      {open?.kind === 'curl' ? (
        <Dialog title="Fetch a token" onClose={close} wide>
          <p>Put the secret in place of $CLIENT_SECRET.</p>
          <Copy
            text={tokenCurl(open.client.clientId, '\'"$CLIENT_SECRET"\'', open.client.allowedScopes ?? [])}
            label="curl command"
            block
          />
        </Dialog>
      ) : null}
      {shown ? (
        <SecretsDialog
          title={shown.title}
          note={shown.note}
          secrets={[shown]}
          onClose={() => setShown(undefined)}
        />
      ) : null}
    </div>
  );
}

function ClientCell({ client }: { client: Client }): ReactNode {
  return (
    <div className="stack" data-tight>
      <span className="row">
        <strong>{client.name}</strong>
        <Badge plain>{client.geography ?? '-'}</Badge>
      </span>
      <Copy text={client.clientId} label={`client ID ${client.name}`} wrap />
      <span className="soft small">{(client.allowedScopes ?? []).join(' ')}</span>
    </div>
  );
}

function StateCell({ client }: { client: Client }): ReactNode {
  return (
    <div className="stack" data-tight>
      <span>{client.locked ? <Badge tone="bad">Locked</Badge> : <Badge tone="good">Active</Badge>}</span>
      <span className="soft small">Last token: {relativeTime(client.lastUsedTimestamp)}</span>
      {client.hasKeys ? <span className="soft small">Signs with its own keys</span> : null}
      {client.hasSecret ? (
        <span className="soft small">Secret of {dateTime(client.secretCreatedTimestamp)}</span>
      ) : null}
      {client.previousSecretExpiresTimestamp ? (
        <span className="soft small">
          Old secret works until {dateTime(client.previousSecretExpiresTimestamp)}
        </span>
      ) : null}
    </div>
  );
}

function DeleteDialog({
  client,
  onClose,
  onDone,
}: {
  client: Client;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const remove = useAction(async () => {
    await del(clientPath(client.clientId));
    toast(`Client ${client.name} is deleted.`);
    onDone();
  });
  return (
    <ConfirmDialog
      title={`Delete client ${client.name}?`}
      word={client.name}
      consequence="Its secret and its tokens stop working at once. The last client of an application ID cannot be deleted: a program must be able to get in."
      action="Delete client"
      onClose={onClose}
      onConfirm={() => void remove.run()}
      busy={remove.busy}
      error={remove.error}
    />
  );
}
