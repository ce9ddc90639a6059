// People who may sign in. Administrators only.
import { useState, type ReactNode } from 'react';
import type { TenantGrantJson, UserJson } from '../../../gen/voxgate/management/v1/users_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { useMe } from '../../api/session.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { OnceDialog } from '../../kit/once-dialog.js';
import { TextField } from '../../kit/field.js';
import { useFilters, usePaused } from '../../kit/filters.js';
import { Badge, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { useTenant } from '../../tenant/tenant.js';
import { t } from '../../text/account.js';
import { t as shell } from '../../text/shell.js';
import { CredentialsDialog } from './credentials-dialog.js';
import { EndUserDialog, PasswordDialog, UserDialog } from './user-dialogs.js';

const text = t.users;

type UserQuestion = 'edit' | 'credentials' | 'password' | 'sign-out' | 'reset-factors' | 'disable' | 'delete';
type Open =
  | { kind: 'new' }
  | { kind: UserQuestion; user: UserJson }
  | { kind: 'shown'; username: string; link: string };

export function UsersPage(): ReactNode {
  const filters = useFilters({ q: '' });
  const search = usePaused(filters.values.q.trim());
  const [open, setOpen] = useState<Open>();
  const list = useQuery(`users ${search}`, (signal) =>
    call('ListUsers', { pageSize: 500, query: search }, signal),
  );
  const changed = (said: string): void => {
    setOpen(undefined);
    toast(said);
    list.reload();
  };
  const enable = useAction(async ({ userId, username = '' }: UserJson) => {
    await call('EnableUser', { userId });
    changed(text.enabled(username));
  });
  return (
    <>
      <PageHead
        title={text.title}
        actions={
          <Button kind="primary" onClick={() => setOpen({ kind: 'new' })}>
            {text.add}
          </Button>
        }
      >
        {text.about}
      </PageHead>
      <div className="stack">
        <div className="grid">
          <TextField
            label={text.find}
            type="search"
            value={filters.values.q}
            onValue={(q) => filters.set({ q })}
          />
        </div>
        {enable.error ? <ErrorNotice error={enable.error} /> : null}
        <Loaded query={list}>
          {({ users = [], nextPageToken }) =>
            users.length === 0 ? (
              <EmptyState icon="users" title={text.noMatch}>
                {text.noMatchText}
              </EmptyState>
            ) : (
              <>
                <UserTable
                  users={users}
                  onOpen={(kind, user) => setOpen({ kind, user })}
                  onEnable={(user) => void enable.run(user)}
                  busy={enable.busy}
                />
                {nextPageToken ? <p className="soft small">{shell.table.narrow}</p> : null}
              </>
            )
          }
        </Loaded>
      </div>
      {open ? (
        <OpenDialog
          open={open}
          onClose={() => setOpen(undefined)}
          onChanged={changed}
          onLink={(username, link) => setOpen({ kind: 'shown', username, link })}
        />
      ) : null}
    </>
  );
}

const TENANTS_SHOWN_MAX = 3;

/** The user's roles by tenant; being a member of the installation alone gives no rights. */
function TenantRoles({ granted }: { granted: readonly TenantGrantJson[] }): ReactNode {
  const { tenants } = useTenant();
  const named = granted.flatMap(({ gkScopeId, role = 'TENANT_ROLE_UNSPECIFIED' }) => {
    const tenant = tenants.find(({ id }) => id === gkScopeId);
    return tenant ? [{ id: tenant.id, words: text.inTenant(t.tenantRoles[role], tenant.label) }] : [];
  });
  const more = named.length - TENANTS_SHOWN_MAX;
  return (
    <>
      {named.slice(0, TENANTS_SHOWN_MAX).map(({ id, words }) => (
        <div key={id} className="soft small">
          {words}
        </div>
      ))}
      {more > 0 ? <div className="soft small">{text.moreTenants(more)}</div> : null}
    </>
  );
}

function UserTable({
  users,
  onOpen,
  onEnable,
  busy,
}: {
  users: readonly UserJson[];
  onOpen: (kind: UserQuestion, user: UserJson) => void;
  onEnable: (user: UserJson) => void;
  busy: boolean;
}): ReactNode {
  const me = useMe();
  return (
    <Table
      caption={text.caption}
      rows={users}
      rowKey={(user) => user.userId ?? ''}
      columns={[
        {
          label: text.name,
          cell: (user) => (
            <div>
              <strong>{user.displayName || user.username}</strong>
              {user.userId === me.userId ? <span className="soft small"> {text.you}</span> : null}
              <div className="soft small">{user.username}</div>
            </div>
          ),
        },
        {
          label: text.role,
          cell: ({ role = 'USER_ROLE_UNSPECIFIED', tenantRoles = [] }) => (
            <>
              <Badge tone={role === 'USER_ROLE_ADMINISTRATOR' ? 'accent' : 'neutral'}>{t.roles[role]}</Badge>
              <TenantRoles granted={role === 'USER_ROLE_MEMBER' ? tenantRoles : []} />
            </>
          ),
        },
        {
          label: text.state,
          cell: (user) => (
            <>
              <StateBadge user={user} />{' '}
              {user.hasSecondFactor ? <Badge tone="neutral">{text.secondFactor}</Badge> : null}
              {user.mustChangePassword ? <Badge tone="neutral">{text.firstPassword}</Badge> : null}
            </>
          ),
        },
        { label: text.since, whole: true, cell: (user) => <Time at={user.creationTimestamp} /> },
        {
          label: shell.actions,
          actions: true,
          cell: (user) => (
            <>
              <Button size="small" onClick={() => onOpen('edit', user)}>
                {shell.edit}
              </Button>
              <Button size="small" onClick={() => onOpen('credentials', user)}>
                {text.credentials}
              </Button>
              {user.userId === me.userId ? null : (
                <>
                  <Button size="small" onClick={() => onOpen('password', user)}>
                    {text.password}
                  </Button>
                  <Button size="small" onClick={() => onOpen('sign-out', user)}>
                    {text.signOut}
                  </Button>
                  {user.hasSecondFactor ? (
                    <Button size="small" onClick={() => onOpen('reset-factors', user)}>
                      {text.resetFactors}
                    </Button>
                  ) : null}
                  {user.disabled || user.lockedUntilTimestamp ? (
                    <Button size="small" busy={busy} onClick={() => onEnable(user)}>
                      {text.enable}
                    </Button>
                  ) : (
                    <Button size="small" onClick={() => onOpen('disable', user)}>
                      {text.disable}
                    </Button>
                  )}
                  <Button size="small" kind="danger" onClick={() => onOpen('delete', user)}>
                    {shell.delete}
                  </Button>
                </>
              )}
            </>
          ),
        },
      ]}
    />
  );
}

function OpenDialog({
  open,
  onClose,
  onChanged,
  onLink,
}: {
  open: Open;
  onClose: () => void;
  onChanged: (said: string) => void;
  onLink: (username: string, link: string) => void;
}): ReactNode {
  switch (open.kind) {
    case 'new':
    case 'edit':
      return (
        <UserDialog
          user={open.kind === 'edit' ? open.user : undefined}
          onClose={onClose}
          onDone={({ username = '' }, link) => {
            onChanged(text.saved(username));
            if (link) onLink(username, link);
          }}
        />
      );
    case 'password':
      return (
        <PasswordDialog
          user={open.user}
          onClose={onClose}
          onDone={(link) => onLink(open.user.username ?? '', link)}
        />
      );
    case 'credentials':
      return <CredentialsDialog user={open.user} onClose={onClose} />;
    case 'shown':
      return (
        <OnceDialog title={text.linkFor(open.username)} text={text} onClose={onClose}>
          <Copy text={open.link} label={text.linkLabel} wrap />
        </OnceDialog>
      );
    case 'sign-out':
    case 'reset-factors':
    case 'disable':
    case 'delete':
      return <EndUserDialog user={open.user} what={open.kind} onClose={onClose} onDone={onChanged} />;
  }
}

function StateBadge({ user }: { user: UserJson }): ReactNode {
  if (user.disabled) return <Badge tone="bad">{text.disabled}</Badge>;
  if (user.lockedUntilTimestamp)
    return (
      <Badge tone="warn">
        <Time at={user.lockedUntilTimestamp} within={text.lockedUntil} />
      </Badge>
    );
  if (user.invited) return <Badge tone="info">{text.invited}</Badge>;
  return <Badge tone="good">{text.active}</Badge>;
}
