// Credentials for the tooling interface: programs that act with the permissions of this user.
import { useState, type ReactNode } from 'react';
import type { ToolingCredentialJson } from '../../../gen/voxgate/management/v1/users_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { Badge } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/account.js';
import { t as shell } from '../../text/shell.js';
import type { NamedSecret } from '../applications/client-dialogs.js';
import { SecretsDialog } from '../applications/secrets-dialog.js';
import { enrolledFactors } from './proof-question.js';
import { NewCredentialDialog, SERVICE_ACCOUNT } from './new-credential.js';

const text = t.credentials;

/** `isLeft`: what still works after everything else has ended, to be deleted; nothing if there is none. */
export function Credentials({ isLeft = false }: { isLeft?: boolean }): ReactNode {
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<ToolingCredentialJson>();
  const [shown, setShown] = useState<NamedSecret>();
  const list = useQuery(
    'credentials',
    async (signal) => (await call('ListToolingCredentials', {}, signal)).credentials ?? [],
  );
  const factors = useQuery(isLeft ? undefined : 'second-factors', (signal) =>
    call('GetSecondFactors', {}, signal),
  );
  const add = isLeft ? null : (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {text.add}
    </Button>
  );
  return (
    <div className="stack">
      <Loaded query={list}>
        {(credentials) =>
          credentials.length === 0 && isLeft ? null : credentials.length === 0 ? (
            <EmptyState icon="key" title={text.none} action={add}>
              {text.noneText}
            </EmptyState>
          ) : (
            <>
              {isLeft ? <p>{text.left}</p> : <div className="row">{add}</div>}
              <CredentialTable credentials={credentials} onDelete={setDeleting} />
            </>
          )
        }
      </Loaded>
      {creating && factors.data ? (
        <NewCredentialDialog
          held={enrolledFactors(factors.data)}
          onClose={() => setCreating(false)}
          onCreated={(secret) => {
            setCreating(false);
            list.reload();
            if (secret) setShown(secret);
          }}
        />
      ) : null}
      {shown ? (
        <SecretsDialog title={shown.title} secrets={[shown]} onClose={() => setShown(undefined)} />
      ) : null}
      {deleting ? (
        <DeleteDialog
          credential={deleting}
          onClose={() => setDeleting(undefined)}
          onDone={() => {
            setDeleting(undefined);
            list.reload();
          }}
        />
      ) : null}
    </div>
  );
}

function CredentialTable({
  credentials,
  onDelete,
}: {
  credentials: readonly ToolingCredentialJson[];
  onDelete: (credential: ToolingCredentialJson) => void;
}): ReactNode {
  return (
    <Table
      caption={text.caption}
      rows={credentials}
      rowKey={(credential) => credential.clientId ?? ''}
      columns={[
        {
          label: text.credential,
          cell: ({ name = '', clientId = '', redirectUris = [] }) => (
            <div className="stack" data-tight>
              <strong>{name}</strong>
              <Copy text={clientId} label={text.idOf(name)} wrap />
              {redirectUris.map((uri) => (
                <code key={uri} className="soft">
                  {uri}
                </code>
              ))}
            </div>
          ),
        },
        {
          label: text.type,
          cell: (credential) => (
            <span className="row">
              {credential.type === SERVICE_ACCOUNT ? (
                <Badge tone="info">{text.service}</Badge>
              ) : (
                <Badge tone="accent">{text.user}</Badge>
              )}
              {credential.public ? <Badge plain>{text.public}</Badge> : null}
              {credential.hasKeys ? <Badge plain>{text.ownKeys}</Badge> : null}
              {credential.locked ? <Badge tone="bad">{text.locked}</Badge> : null}
            </span>
          ),
        },
        {
          label: text.created,
          whole: true,
          cell: (credential) => <Time at={credential.creationTimestamp} />,
        },
        { label: text.lastToken, cell: (credential) => <Time at={credential.lastUsedTimestamp} relative /> },
        {
          label: shell.actions,
          actions: true,
          cell: (credential) => (
            <Button size="small" kind="danger" onClick={() => onDelete(credential)}>
              {shell.delete}
            </Button>
          ),
        },
      ]}
    />
  );
}

function DeleteDialog({
  credential: { name = '', clientId },
  onClose,
  onDone,
}: {
  credential: ToolingCredentialJson;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const remove = useAction(async () => {
    await call('DeleteToolingCredential', { clientId });
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
