// Dialogs about one user: create, edit, set the password, disable, delete.
import type { ReactNode } from 'react';
import type { TenantRoleJson, UserJson, UserRoleJson } from '../../../gen/voxgate/management/v1/users_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { changedMask } from '../../kit/changed.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { SelectField, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { useTenant } from '../../tenant/tenant.js';
import { t } from '../../text/account.js';

const text = t.users;

const roles = [
  { value: 'USER_ROLE_MEMBER', label: text.roleMember },
  { value: 'USER_ROLE_AUDITOR', label: text.roleAuditor },
  { value: 'USER_ROLE_ADMINISTRATOR', label: text.roleAdministrator },
] as const satisfies readonly { value: UserRoleJson; label: string }[];

export function UserDialog({
  user,
  onClose,
  onDone,
}: {
  user: UserJson | undefined;
  onClose: () => void;
  /** `link`: by which a new user chooses the password. */
  onDone: (user: UserJson, link: string | undefined) => void;
}): ReactNode {
  const { tenants } = useTenant();
  const form = useForm(
    {
      username: user?.username ?? '',
      displayName: user?.displayName ?? '',
      role: (user?.role ?? 'USER_ROLE_MEMBER') as string,
      grants: Object.fromEntries(
        (user?.tenantRoles ?? []).map(({ gkScopeId = '', role = NO_ACCESS }) => [gkScopeId, role]),
      ) as Grants,
    },
    async ({ username, displayName, role, grants }) => {
      const details = {
        displayName: displayName.trim(),
        role: roles.find(({ value }) => value === role)?.value,
        tenantRoles: Object.entries(grants)
          .filter(([, granted]) => granted !== NO_ACCESS)
          .map(([gkScopeId, granted]) => ({ gkScopeId, role: granted })),
      };
      if (user) {
        const { displayName: name = '', role: held = 'USER_ROLE_MEMBER', tenantRoles = [] } = user;
        const fieldMask = changedMask({ displayName: name, role: held, tenantRoles }, details);
        const answer = fieldMask
          ? await call('UpdateUser', { userId: user.userId, ...details, expected: user, fieldMask })
          : { user };
        onDone(answer.user ?? {}, undefined);
      } else {
        const answer = await call('CreateUser', { username: username.trim(), ...details, invite: true });
        onDone(answer.user ?? {}, answer.invitationUrl);
      }
    },
  );
  return (
    <FormDialog
      title={user ? text.editTitle(user.username ?? '') : text.add}
      onClose={onClose}
      submitLabel={user ? text.save : text.create}
      {...form.submit}
    >
      {user ? null : (
        <TextField
          label={text.userName}
          hint={text.userNameHint}
          autoFocus
          autoCapitalize="none"
          spellCheck={false}
          {...form.text('username')}
        />
      )}
      <TextField label={text.displayName} {...form.text('displayName')} />
      <SelectField label={text.role} options={roles} {...form.text('role')} />
      {tenants.length > 0 && form.draft.role === 'USER_ROLE_MEMBER' ? (
        <TenantGrants grants={form.draft.grants} onGrants={(grants) => form.set({ grants })} />
      ) : null}
    </FormDialog>
  );
}

const NO_ACCESS = 'TENANT_ROLE_UNSPECIFIED' satisfies TenantRoleJson;

/** Roles by system identifier of the tenant. */
type Grants = Readonly<Record<string, TenantRoleJson>>;

/** A role in each tenant, or none. */
function TenantGrants({
  grants,
  onGrants,
}: {
  grants: Grants;
  onGrants: (grants: Grants) => void;
}): ReactNode {
  const { tenants } = useTenant();
  return (
    <fieldset className="field">
      <legend>{text.tenants}</legend>
      <div className="grid">
        {tenants.map(({ id, label }) => (
          <SelectField
            key={id}
            label={text.roleIn(label)}
            value={grants[id] ?? NO_ACCESS}
            onValue={(role) => onGrants({ ...grants, [id]: role as TenantRoleJson })}
            options={Object.entries(t.tenantRoles).map(([value, name]) => ({ value, label: name }))}
          />
        ))}
      </div>
    </fieldset>
  );
}

export function PasswordDialog({
  user,
  onClose,
  onDone,
}: {
  user: UserJson;
  onClose: () => void;
  onDone: (link: string) => void;
}): ReactNode {
  const make = useAction(async () => {
    const answer = await call('SetPassword', { userId: user.userId, invite: true });
    onDone(answer.invitationUrl ?? '');
  });
  return (
    <FormDialog
      title={text.passwordTitle(user.username ?? '')}
      onClose={onClose}
      submitLabel={text.setPassword}
      onSubmit={() => void make.run()}
      busy={make.busy}
      error={make.error}
    >
      <p>{text.passwordText}</p>
    </FormDialog>
  );
}

const endings = {
  'sign-out': {
    title: text.signOutTitle,
    consequence: text.signOutText,
    action: text.signOutAction,
    said: text.signedOut,
    run: (userId: string | undefined) => call('SignOutEverywhere', { userId }),
  },
  'reset-factors': {
    title: text.resetFactorsTitle,
    consequence: text.resetFactorsText,
    action: text.resetFactorsAction,
    said: text.factorsReset,
    run: (userId: string | undefined) => call('ResetSecondFactors', { userId }),
  },
  disable: {
    title: text.disableTitle,
    consequence: text.disableText,
    action: text.disableAction,
    said: text.nowDisabled,
    run: (userId: string | undefined) => call('DisableUser', { userId }),
  },
  delete: {
    title: text.deleteTitle,
    consequence: text.deleteText,
    action: text.deleteAction,
    said: text.deleted,
    run: (userId: string | undefined) => call('DeleteUser', { userId }),
  },
};

export function EndUserDialog({
  user: { userId, username = '' },
  what,
  onClose,
  onDone,
}: {
  user: UserJson;
  what: keyof typeof endings;
  onClose: () => void;
  onDone: (said: string) => void;
}): ReactNode {
  const { title, consequence, action, said, run } = endings[what];
  const end = useAction(async () => {
    await run(userId);
    onDone(said(username));
  });
  return (
    <ConfirmDialog
      title={title(username)}
      word={username}
      consequence={consequence}
      action={action}
      onClose={onClose}
      onConfirm={() => void end.run()}
      busy={end.busy}
      error={end.error}
    />
  );
}
