// The people of an application: owners, who may create secrets, and members.
import { useState, type ReactNode } from 'react';
import type {
  ApplicationJson,
  ApplicationMemberJson,
  ApplicationRoleJson,
} from '../../../gen/voxgate/management/v1/applications_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../api/session.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { SelectField, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/applications.js';
import { t as shell } from '../../text/shell.js';

const text = t.members;

interface MembersProps {
  application: ApplicationJson;
  mayChange: boolean;
  onChanged: (application: ApplicationJson) => void;
}

const memberName = ({ displayName, username, userId }: ApplicationMemberJson): string =>
  displayName || username || userId || '';
const roles = [
  'APPLICATION_ROLE_DEVELOPER',
  'APPLICATION_ROLE_OPERATOR',
  'APPLICATION_ROLE_FRAUD_ANALYST',
  'APPLICATION_ROLE_AUDITOR',
  'APPLICATION_ROLE_DATA_PROTECTION',
  'APPLICATION_ROLE_OWNER',
] as const satisfies readonly ApplicationRoleJson[];
const roleNamed = (value: string): (typeof roles)[number] =>
  roles.find((role) => role === value) ?? 'APPLICATION_ROLE_DEVELOPER';

export function Members({ application, mayChange, onChanged }: MembersProps): ReactNode {
  const { applicationId, members = [] } = application;
  const [dialog, setDialog] = useState<{ kind: 'add' } | { kind: 'remove'; member: ApplicationMemberJson }>();
  const setRole = useAction(async ({ userId }: ApplicationMemberJson, role: ApplicationRoleJson) => {
    const answer = await call('SetApplicationMember', { applicationId, userId, role });
    onChanged(answer.application ?? {});
    toast(text.roleChanged);
  });
  const close = (): void => setDialog(undefined);
  return (
    <div className="stack">
      {mayChange ? (
        <div className="row">
          <Button kind="primary" onClick={() => setDialog({ kind: 'add' })}>
            {text.add}
          </Button>
        </div>
      ) : null}
      <Table
        caption={text.caption}
        rows={members}
        rowKey={(member) => member.userId ?? ''}
        columns={[
          { label: text.name, cell: (member) => memberName(member) },
          {
            label: text.role,
            cell: (member) => (
              <Badge tone={member.role === 'APPLICATION_ROLE_OWNER' ? 'accent' : 'neutral'}>
                {t.roles[member.role ?? 'APPLICATION_ROLE_UNSPECIFIED']}
              </Badge>
            ),
          },
          {
            label: shell.actions,
            actions: true,
            cell: (member) =>
              mayChange ? (
                <>
                  <select
                    className="input input-small"
                    aria-label={text.roleOf(memberName(member))}
                    value={roleNamed(member.role ?? '')}
                    onChange={(event) => void setRole.run(member, roleNamed(event.target.value))}
                  >
                    {roles.map((role) => (
                      <option key={role} value={role}>
                        {t.roles[role]}
                      </option>
                    ))}
                  </select>
                  <Button size="small" kind="danger" onClick={() => setDialog({ kind: 'remove', member })}>
                    {text.remove}
                  </Button>
                </>
              ) : null,
          },
        ]}
      />
      {setRole.error ? <ErrorNotice error={setRole.error} /> : null}
      {dialog?.kind === 'add' ? (
        <AddDialog application={application} onClose={close} onChanged={onChanged} />
      ) : null}
      {dialog?.kind === 'remove' ? (
        <RemoveDialog
          member={dialog.member}
          applicationId={applicationId}
          onClose={close}
          onChanged={(changed) => {
            close();
            onChanged(changed);
          }}
        />
      ) : null}
    </div>
  );
}

function RemoveDialog({
  member,
  applicationId,
  onClose,
  onChanged,
}: {
  member: ApplicationMemberJson;
  applicationId: string | undefined;
  onClose: () => void;
  onChanged: (application: ApplicationJson) => void;
}): ReactNode {
  const remove = useAction(async () => {
    const answer = await call('RemoveApplicationMember', { applicationId, userId: member.userId });
    toast(text.removed(memberName(member)));
    onChanged(answer.application ?? {});
  });
  return (
    <ConfirmDialog
      title={text.removeTitle(memberName(member))}
      word={member.username ?? member.userId ?? ''}
      consequence={text.removeText}
      action={text.remove}
      onClose={onClose}
      onConfirm={() => void remove.run()}
      busy={remove.busy}
      error={remove.error}
    />
  );
}

function AddDialog({
  application: { applicationId, members = [] },
  onClose,
  onChanged,
}: {
  application: ApplicationJson;
  onClose: () => void;
  onChanged: (application: ApplicationJson) => void;
}): ReactNode {
  const isAdmin = isAdministrator(useMe());
  // Only administrators may list users; others have to ask the person for their ID.
  const users = useQuery(isAdmin ? 'users' : undefined, (signal) =>
    call('ListUsers', { pageSize: 1000 }, signal),
  );
  const others = (users.data?.users ?? []).filter(
    (user) => !members.some((member) => member.userId === user.userId),
  );
  const form = useForm({ userId: '', role: roles[0] as string }, async ({ userId, role }) => {
    const answer = await call('SetApplicationMember', {
      applicationId,
      userId: userId.trim(),
      role: roleNamed(role),
    });
    onChanged(answer.application ?? {});
    onClose();
  });
  return (
    <FormDialog
      title={text.add}
      onClose={onClose}
      submitLabel={text.addAction}
      disabled={form.draft.userId.trim() === ''}
      {...form.submit}
    >
      {isAdmin ? (
        <SelectField
          label={text.person}
          options={[
            { value: '', label: others.length === 0 ? text.everyone : text.choose },
            ...others.map(({ userId = '', displayName, username = '' }) => ({
              value: userId,
              label: displayName ? `${displayName} (${username})` : username,
            })),
          ]}
          {...form.text('userId')}
        />
      ) : (
        <TextField label={text.userId} hint={text.userIdHint} autoFocus {...form.text('userId')} />
      )}
      <SelectField
        label={text.role}
        hint={text.roleHints[roleNamed(form.draft.role)]}
        options={roles.map((value) => ({ value, label: t.roles[value] }))}
        {...form.text('role')}
      />
    </FormDialog>
  );
}
