// Dialogs about one user: make, change, set the password.
import type { ReactNode } from 'react';
import { patch, post, put } from '../../api/client.js';
import { FormDialog } from '../../kit/dialog.js';
import { CheckGroup, SelectField, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { useTenant } from '../../tenant/tenant.js';
import { userPath, type User } from './users.js';

const roles = [
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
  const form = useForm(
    {
      username: user?.username ?? '',
      displayName: user?.displayName ?? '',
      role: (user?.role ?? 'USER_ROLE_MEMBER') as string,
      gkScopeIds: user?.gkScopeIds ?? [],
    },
    async ({ username, displayName, role, gkScopeIds }) => {
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
    },
  );
  return (
    <FormDialog
      title={user ? `Edit ${user.username}` : 'New user'}
      onClose={onClose}
      submitLabel={user ? 'Save' : 'Create user'}
      {...form.submit}
    >
      {user ? null : (
        <TextField
          label="User name"
          hint="To sign in with. A first password is made for you."
          autoFocus
          autoCapitalize="none"
          spellCheck={false}
          {...form.text('username')}
        />
      )}
      <TextField label="Display name" {...form.text('displayName')} />
      <SelectField label="Role" options={roles} {...form.text('role')} />
      {scopes.length > 0 && form.draft.role === 'USER_ROLE_MEMBER' ? (
        <CheckGroup
          label="Tenants beside those of their applications"
          options={scopes.map((scope) => ({
            value: scope.gkScopeId.value,
            label: scope.customerName || scope.scopeId,
          }))}
          {...form.list('gkScopeIds')}
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
  const form = useForm({ password: '' }, async ({ password }) => {
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
      submitLabel="Set password"
      danger
      {...form.submit}
    >
      <p>All sessions and tokens of this person end.</p>
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        optional
        hint="Left empty, one is made and shown once."
        autoFocus
        {...form.text('password')}
      />
    </FormDialog>
  );
}
