// The client IDs of an environment: create, renew the secret, lock, delete.
import { useState, type ReactNode } from 'react';
import type { ClientJson, EnvironmentJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog, Dialog } from '../../kit/dialog.js';
import { fill } from '../../kit/fill.js';
import { Badge } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/applications.js';
import { t as shell } from '../../text/shell.js';
import { LockDialog, NewClientDialog, NewSecretDialog, type NamedSecret } from './client-dialogs.js';
import { EditClientDialog } from './client-edit.js';
import { tokenCurl } from './curl.js';
import { nameOf } from './model.js';
import { SecretsDialog } from './secrets-dialog.js';

const text = t.client;

type ClientQuestion = 'secret' | 'lock' | 'delete' | 'curl' | 'edit';
type Open = { kind: 'new' } | { kind: ClientQuestion; client: ClientJson };

interface Rights {
  isOwner: boolean;
  mayChange: boolean;
}

export function Clients({ environment, ...rights }: Rights & { environment: EnvironmentJson }): ReactNode {
  const { appId } = environment;
  const [open, setOpen] = useState<Open>();
  const [shown, setShown] = useState<NamedSecret>();
  const list = useQuery(`clients ${appId ?? ''}`, (signal) => call('ListClients', { appId }, signal));
  const create = rights.isOwner ? (
    <Button kind="primary" onClick={() => setOpen({ kind: 'new' })}>
      {text.add}
    </Button>
  ) : null;
  return (
    <div className="stack">
      {create ? <div className="row">{create}</div> : <p className="soft small">{text.ownersOnly}</p>}
      <Loaded query={list}>
        {({ clients = [] }) =>
          clients.length === 0 ? (
            <EmptyState icon="key" title={text.none} action={create}>
              {text.noneText}
            </EmptyState>
          ) : (
            <ClientTable clients={clients} {...rights} onOpen={setOpen} reload={list.reload} />
          )
        }
      </Loaded>
      {open ? (
        <OpenDialog
          open={open}
          environment={environment}
          grantable={list.data?.grantableScopes ?? []}
          isOwner={rights.isOwner}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            setOpen(undefined);
            list.reload();
          }}
          onSecret={(secret) => {
            setOpen(undefined);
            setShown(secret);
            list.reload();
          }}
        />
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

function ClientTable({
  clients,
  isOwner,
  mayChange,
  onOpen,
  reload,
}: Rights & {
  clients: readonly ClientJson[];
  onOpen: (open: Open) => void;
  reload: () => void;
}): ReactNode {
  const unlock = useAction(async (client: ClientJson) => {
    await call('UnlockClient', { clientId: client.clientId });
    toast(text.unlocked(nameOf(client)));
    reload();
  });
  const button = (kind: ClientQuestion, label: string, client: ClientJson): ReactNode => (
    <Button
      size="small"
      {...(kind === 'delete' ? { kind: 'danger' as const } : {})}
      onClick={() => onOpen({ kind, client })}
    >
      {label}
    </Button>
  );
  return (
    <>
      {unlock.error ? <ErrorNotice error={unlock.error} /> : null}
      <Table
        caption={text.caption}
        rows={clients}
        rowKey={(client) => client.clientId ?? ''}
        columns={[
          { label: text.client, cell: (client) => <ClientCell client={client} /> },
          { label: text.state, cell: (client) => <StateCell client={client} /> },
          {
            label: shell.actions,
            actions: true,
            cell: (client) => (
              <>
                {button('curl', text.curl, client)}
                {mayChange ? button('edit', shell.edit, client) : null}
                {isOwner ? button('secret', text.newSecret, client) : null}
                {!mayChange ? null : client.locked ? (
                  <Button size="small" busy={unlock.busy} onClick={() => void unlock.run(client)}>
                    {text.unlock}
                  </Button>
                ) : (
                  button('lock', text.lock, client)
                )}
                {mayChange ? button('delete', shell.delete, client) : null}
              </>
            ),
          },
        ]}
      />
    </>
  );
}

function OpenDialog({
  open,
  environment,
  grantable,
  isOwner,
  onClose,
  onDone,
  onSecret,
}: {
  open: Open;
  environment: EnvironmentJson;
  grantable: readonly string[];
  isOwner: boolean;
  onClose: () => void;
  onDone: () => void;
  onSecret: (secret: NamedSecret) => void;
}): ReactNode {
  switch (open.kind) {
    case 'new':
      return (
        <NewClientDialog
          environment={environment}
          grantable={grantable}
          onClose={onClose}
          onCreated={onSecret}
        />
      );
    case 'secret':
      return <NewSecretDialog client={open.client} onClose={onClose} onMade={onSecret} />;
    case 'lock':
      return (
        <LockDialog
          name={nameOf(open.client)}
          lock={(reason) => call('LockClient', { clientId: open.client.clientId, reason })}
          onClose={onClose}
          onDone={onDone}
        />
      );
    case 'edit':
      return (
        <EditClientDialog
          client={open.client}
          grantable={grantable}
          isOwner={isOwner}
          onClose={onClose}
          onDone={onDone}
        />
      );
    case 'delete':
      return <DeleteDialog client={open.client} onClose={onClose} onDone={onDone} />;
    case 'curl':
      return <CurlDialog client={open.client} onClose={onClose} />;
  }
}

function ClientCell({ client }: { client: ClientJson }): ReactNode {
  return (
    <div className="stack" data-tight>
      <span className="row">
        <strong>{nameOf(client)}</strong>
        <Badge plain>{client.geography ?? shell.none}</Badge>
      </span>
      <Copy text={client.clientId ?? ''} label={text.idOf(nameOf(client))} wrap />
      <span className="soft small">{(client.allowedScopes ?? []).join(' ')}</span>
    </div>
  );
}

function StateCell({ client }: { client: ClientJson }): ReactNode {
  const lines = [
    fill(text.lastToken, { time: <Time at={client.lastUsedTimestamp} relative /> }),
    ...(client.hasKeys ? [text.ownKeys] : []),
    ...(client.hasCertificate ? [text.ownCertificate] : []),
    ...(client.hasSecret ? [fill(text.secretOf, { time: <Time at={client.secretCreatedTimestamp} /> })] : []),
    ...(client.previousSecretExpiresTimestamp
      ? [fill(text.oldSecret, { time: <Time at={client.previousSecretExpiresTimestamp} /> })]
      : []),
  ];
  return (
    <div className="stack" data-tight>
      <span>
        <Badge tone={client.locked ? 'bad' : 'good'}>
          {client.locked ? text.lockedBadge : text.activeBadge}
        </Badge>
      </span>
      {lines.map((line, index) => (
        <span key={index} className="soft small">
          {line}
        </span>
      ))}
    </div>
  );
}

function CurlDialog({ client, onClose }: { client: ClientJson; onClose: () => void }): ReactNode {
  return (
    <Dialog title={text.fetchToken} onClose={onClose} wide>
      <p>{text.curlHint}</p>
      <Copy
        text={tokenCurl(client.clientId ?? '', '\'"$CLIENT_SECRET"\'', client.allowedScopes ?? [])}
        label={text.curlCommand}
        block
      />
    </Dialog>
  );
}

function DeleteDialog({
  client,
  onClose,
  onDone,
}: {
  client: ClientJson;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const name = nameOf(client);
  const remove = useAction(async () => {
    await call('DeleteClient', { clientId: client.clientId });
    toast(text.deleted(name));
    onDone();
  });
  return (
    <ConfirmDialog
      title={text.deleteTitle(name)}
      word={name}
      consequence={text.deleteText}
      action={text.delete}
      onClose={onClose}
      onConfirm={() => void remove.run()}
      busy={remove.busy}
      error={remove.error}
    />
  );
}
