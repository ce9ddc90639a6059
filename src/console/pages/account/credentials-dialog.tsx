// Somebody else's tooling credentials, which an administrator can lock one by one.
import type { ReactNode } from 'react';
import type { ToolingCredentialJson, UserJson } from '../../../gen/voxgate/management/v1/users_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { Badge } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { t } from '../../text/account.js';
import { t as shell } from '../../text/shell.js';

const text = t.credentials;

export function CredentialsDialog({
  user: { userId, username = '' },
  onClose,
}: {
  user: UserJson;
  onClose: () => void;
}): ReactNode {
  const list = useQuery(
    `credentials of ${userId ?? ''}`,
    async (signal) => (await call('ListToolingCredentials', { userId }, signal)).credentials ?? [],
  );
  const change = useAction(async ({ clientId, locked }: ToolingCredentialJson) => {
    await call(locked ? 'UnlockToolingCredential' : 'LockToolingCredential', { clientId });
    list.reload();
  });
  return (
    <Dialog title={text.titleOf(username)} onClose={onClose} wide>
      {change.error ? <ErrorNotice error={change.error} /> : null}
      <Loaded query={list}>
        {(credentials) =>
          credentials.length === 0 ? (
            <EmptyState icon="key" title={text.none} />
          ) : (
            <Table
              caption={text.caption}
              rows={credentials}
              rowKey={({ clientId = '' }) => clientId}
              columns={[
                {
                  label: text.credential,
                  cell: ({ name, locked }) => (
                    <span className="row">
                      <strong>{name}</strong>
                      {locked ? <Badge tone="bad">{text.locked}</Badge> : null}
                    </span>
                  ),
                },
                { label: text.created, cell: (credential) => <Time at={credential.creationTimestamp} /> },
                {
                  label: text.lastToken,
                  cell: (credential) => <Time at={credential.lastUsedTimestamp} relative />,
                },
                {
                  label: shell.actions,
                  actions: true,
                  cell: (credential) => (
                    <Button size="small" busy={change.busy} onClick={() => void change.run(credential)}>
                      {credential.locked ? text.unlock : text.lock}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Dialog>
  );
}
