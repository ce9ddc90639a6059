// People who may sign in. Administrators only.
import { useState, type ReactNode } from 'react';
import { del, get, put } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { useMe } from '../../auth/session.js';
import { dateTime, words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog, Dialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { Badge, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded, Notice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { PasswordDialog, UserDialog } from './user-dialogs.js';

export interface User {
  userId: string;
  username: string;
  displayName?: string;
  role: 'USER_ROLE_ADMINISTRATOR' | 'USER_ROLE_MEMBER';
  disabled?: boolean;
  lockedUntilTimestamp?: string;
  gkScopeIds?: string[];
  creationTimestamp?: string;
}

export const userPath = (id: string): string => `/v1/management/users/${encodeURIComponent(id)}`;

type Open =
  | { kind: 'new' }
  | { kind: 'edit' | 'password' | 'disable' | 'delete'; user: User }
  | { kind: 'shown'; username: string; password: string };

export function UsersPage(): ReactNode {
  const me = useMe();
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const list = useQuery(`users ${search}`, (signal) =>
    get<{ users?: User[]; nextPageToken?: string }>(
      '/v1/management/users',
      { pageSize: 500, query: search },
      signal,
    ),
  );
  const changed = (text: string): void => {
    close();
    toast(text);
    list.reload();
  };
  const enable = useAction(async (user: User) => {
    await del(`${userPath(user.userId)}/disabled`);
    changed(`${user.username} may sign in again.`);
  });
  const disable = useAction(async (user: User) => {
    await put(`${userPath(user.userId)}/disabled`);
    changed(`${user.username} can no longer sign in.`);
  });
  const remove = useAction(async (user: User) => {
    await del(userPath(user.userId));
    changed(`${user.username} is deleted.`);
  });
  return (
    <>
      <PageHead
        title="Users"
        actions={
          <Button kind="primary" onClick={() => setOpen({ kind: 'new' })}>
            New user
          </Button>
        }
      >
        People who sign in to this console or to the tooling interface.
      </PageHead>
      <div className="stack">
        <div className="grid">
          <TextField label="Find by name" type="search" value={search} onValue={setSearch} />
        </div>
        {enable.error ? <ErrorNotice error={enable.error} /> : null}
        <Loaded query={list}>
          {({ users = [], nextPageToken }) =>
            users.length === 0 ? (
              <EmptyState icon="users" title="Nobody by that name" />
            ) : (
              <>
                <Table
                  caption="Users"
                  rows={users}
                  rowKey={(user) => user.userId}
                  columns={[
                    {
                      label: 'Name',
                      cell: (user) => (
                        <div>
                          <strong>{user.displayName || user.username}</strong>
                          {user.userId === me.userId ? <span className="soft small"> (you)</span> : null}
                          <div className="soft small">{user.username}</div>
                        </div>
                      ),
                    },
                    {
                      label: 'Role',
                      cell: (user) => (
                        <Badge tone={user.role === 'USER_ROLE_ADMINISTRATOR' ? 'accent' : 'neutral'}>
                          {words(user.role, 'USER_ROLE')}
                        </Badge>
                      ),
                    },
                    { label: 'State', cell: (user) => <StateBadge user={user} /> },
                    { label: 'Since', cell: (user) => dateTime(user.creationTimestamp) },
                    {
                      label: 'Actions',
                      actions: true,
                      cell: (user) => (
                        <>
                          <Button size="small" onClick={() => setOpen({ kind: 'edit', user })}>
                            Edit
                          </Button>
                          {user.userId === me.userId ? null : (
                            <>
                              <Button size="small" onClick={() => setOpen({ kind: 'password', user })}>
                                Password
                              </Button>
                              {user.disabled || user.lockedUntilTimestamp ? (
                                <Button size="small" busy={enable.busy} onClick={() => void enable.run(user)}>
                                  Enable
                                </Button>
                              ) : (
                                <Button size="small" onClick={() => setOpen({ kind: 'disable', user })}>
                                  Disable
                                </Button>
                              )}
                              <Button
                                size="small"
                                kind="danger"
                                onClick={() => setOpen({ kind: 'delete', user })}
                              >
                                Delete
                              </Button>
                            </>
                          )}
                        </>
                      ),
                    },
                  ]}
                />
                {nextPageToken ? (
                  <p className="soft small">There are more; narrow the search to see them.</p>
                ) : null}
              </>
            )
          }
        </Loaded>
      </div>
      {open?.kind === 'new' || open?.kind === 'edit' ? (
        <UserDialog
          user={open.kind === 'edit' ? open.user : undefined}
          onClose={close}
          onDone={(user, password) => {
            changed(`${user.username} is saved.`);
            if (password) setOpen({ kind: 'shown', username: user.username, password });
          }}
        />
      ) : null}
      {open?.kind === 'password' ? (
        <PasswordDialog
          user={open.user}
          onClose={close}
          onDone={(password) => {
            changed('The password is set.');
            if (password) setOpen({ kind: 'shown', username: open.user.username, password });
          }}
        />
      ) : null}
      {open?.kind === 'shown' ? (
        <Dialog title={`Password of ${open.username}`} onClose={close}>
          <Notice tone="warn" title="Shown only now">
            <span>Hand it over by a safe way. The person can change it on the profile page.</span>
          </Notice>
          <Copy text={open.password} label="password" wrap />
        </Dialog>
      ) : null}
      {open?.kind === 'disable' ? (
        <ConfirmDialog
          title={`Disable ${open.user.username}?`}
          word={open.user.username}
          consequence="All sessions of this person end, and nobody can sign in by this name until you enable it again."
          action="Disable user"
          onClose={close}
          onConfirm={() => void disable.run(open.user)}
          busy={disable.busy}
          error={disable.error}
        />
      ) : null}
      {open?.kind === 'delete' ? (
        <ConfirmDialog
          title={`Delete ${open.user.username}?`}
          word={open.user.username}
          consequence="Sessions, tokens and tooling credentials of this person end. Applications stay with their other owners. This cannot be undone."
          action="Delete user"
          onClose={close}
          onConfirm={() => void remove.run(open.user)}
          busy={remove.busy}
          error={remove.error}
        />
      ) : null}
    </>
  );
}

function StateBadge({ user }: { user: User }): ReactNode {
  if (user.disabled) return <Badge tone="bad">Disabled</Badge>;
  if (user.lockedUntilTimestamp)
    return <Badge tone="warn">Locked out until {dateTime(user.lockedUntilTimestamp)}</Badge>;
  return <Badge tone="good">Active</Badge>;
}
