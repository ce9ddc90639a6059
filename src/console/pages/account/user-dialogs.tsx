// Dialogs about one user: make, change, set the password.
import { useState, type ReactNode } from 'react';
import { patch, post, put } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { FormDialog } from '../../kit/dialog.js';
import { CheckGroup, SelectField, TextField } from '../../kit/field.js';
import { useTenant } from '../../tenant/tenant.js';
import { userPath, type User } from './users.js';

const ROLES = [
  { value: 'USER_ROLE_MEMBER', label: 'Member: what their applications and tenants allow' },
  { value: 'USER_ROLE_ADMINISTRATOR', label: 'Administrator: everything' },
];

export function UserDialog({
  user,
  onClose,
  onDone,
}: {
  user: User | undefined;
  onClose: () => void;
  onDone: (user: User, password: string | undefined) => void;
}): ReactNode {
  const { scopes } = useTenant();
  const [username, setUsername] = useState(user?.username ?? '');
  const [displayName, setDisplayName] = useState(user?.displayName ?? '');
  const [role, setRole] = useState<string>(user?.role ?? 'USER_ROLE_MEMBER');
  const [gkScopeIds, setGkScopeIds] = useState(user?.gkScopeIds ?? []);
  const save = useAction(async () => {
    const details = { displayName: displayName.trim(), role, gkScopeIds };
    const answer = user
      ? await patch<{ user: User; password?: string }>(userPath(user.userId), {
          ...details,
          fieldMask: 'displayName,role,gkScopeIds',
        })
      : await post<{ user: User; password?: string }>('/v1/management/users', {
          username: username.trim(),
          ...details,
        });
    onDone(answer.user, answer.password);
  });
  return (
    <FormDialog
      title={user ? `Edit ${user.username}` : 'New user'}
      onClose={onClose}
      onSubmit={() => void save.run()}
      submitLabel={user ? 'Save' : 'Create user'}
      busy={save.busy}
      error={save.error}
    >
      {user ? null : (
        <TextField
          label="User name"
          hint="To sign in with. A first password is made for you."
          value={username}
          onValue={setUsername}
          autoFocus
          autoCapitalize="none"
          spellCheck={false}
          error={save.error?.problem('username')}
        />
      )}
      <TextField
        label="Display name"
        value={displayName}
        onValue={setDisplayName}
        error={save.error?.problem('displayName')}
      />
      <SelectField
        label="Role"
        value={role}
        onValue={setRole}
        options={ROLES}
        error={save.error?.problem('role')}
      />
      {scopes.length > 0 && role === 'USER_ROLE_MEMBER' ? (
        <CheckGroup
          label="Tenants beside those of their applications"
          options={scopes.map((scope) => ({
            value: scope.gkScopeId.value,
            label: scope.customerName || scope.scopeId,
          }))}
          value={gkScopeIds}
          onValue={setGkScopeIds}
        />
      ) : null}
    </FormDialog>
  );
}

export function PasswordDialog({
  user,
  onClose,
  onDone,
}: {
  user: User;
  onClose: () => void;
  onDone: (password: string | undefined) => void;
}): ReactNode {
  const [password, setPassword] = useState('');
  const set = useAction(async () => {
    const answer = await put<{ password?: string }>(
      `${userPath(user.userId)}/password`,
      password === '' ? {} : { password },
    );
    onDone(answer.password);
  });
  return (
    <FormDialog
      title={`New password for ${user.username}`}
      onClose={onClose}
      onSubmit={() => void set.run()}
      submitLabel="Set password"
      danger
      busy={set.busy}
      error={set.error}
    >
      <p>All sessions and tokens of this person end.</p>
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        optional
        hint="Left empty, one is made and shown once."
        value={password}
        onValue={setPassword}
        autoFocus
        error={set.error?.problem('password')}
      />
    </FormDialog>
  );
}
