// The people of an application: owners, who may make secrets, and members.
import { useState, type ReactNode } from 'react';
import { del, get, put } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../auth/session.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { SelectField, TextField } from '../../kit/field.js';
import { Badge } from '../../kit/layout.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { applicationPath, type Application, type Member } from './model.js';

interface MembersProps {
  application: Application;
  mayChange: boolean;
  onChanged: (application: Application) => void;
}

export function Members({ application, mayChange, onChanged }: MembersProps): ReactNode {
  const [dialog, setDialog] = useState<{ kind: 'add' } | { kind: 'remove'; member: Member }>();
  const path = `${applicationPath(application.applicationId)}/members`;
  const setRole = useAction(async (member: Member, role: Member['role']) => {
    const answer = await put<{ application: Application }>(`${path}/${encodeURIComponent(member.userId)}`, {
      role,
    });
    onChanged(answer.application);
    toast('The role is changed.');
  });
  const remove = useAction(async (member: Member) => {
    const answer = await del<{ application: Application }>(`${path}/${encodeURIComponent(member.userId)}`);
    onChanged(answer.application);
    setDialog(undefined);
    toast(`${nameOf(member)} is no longer a member.`);
  });
  return (
    <div className="stack">
      {mayChange ? (
        <div className="row">
          <Button kind="primary" onClick={() => setDialog({ kind: 'add' })}>
            Add a person
          </Button>
        </div>
      ) : null}
      <Table
        caption="People of this application"
        rows={application.members ?? []}
        rowKey={(member) => member.userId}
        columns={[
          { label: 'Name', cell: (member) => nameOf(member) },
          {
            label: 'Role',
            cell: (member) =>
              member.role === 'APPLICATION_ROLE_OWNER' ? (
                <Badge tone="accent">Owner</Badge>
              ) : (
                <Badge>Member</Badge>
              ),
          },
          {
            label: 'Actions',
            actions: true,
            cell: (member) =>
              mayChange ? (
                <>
                  <Button
                    size="small"
                    busy={setRole.busy}
                    onClick={() =>
                      void setRole.run(
                        member,
                        member.role === 'APPLICATION_ROLE_OWNER'
                          ? 'APPLICATION_ROLE_MEMBER'
                          : 'APPLICATION_ROLE_OWNER',
                      )
                    }
                  >
                    {member.role === 'APPLICATION_ROLE_OWNER' ? 'Make member' : 'Make owner'}
                  </Button>
                  <Button size="small" kind="danger" onClick={() => setDialog({ kind: 'remove', member })}>
                    Remove
                  </Button>
                </>
              ) : null,
          },
        ]}
      />
      {setRole.error ? (
        <p className="field-error" role="alert">
          {setRole.error.message}
        </p>
      ) : null}
      {dialog?.kind === 'add' ? (
        <AddDialog
          path={path}
          members={application.members ?? []}
          onClose={() => setDialog(undefined)}
          onChanged={onChanged}
        />
      ) : null}
      {dialog?.kind === 'remove' ? (
        <ConfirmDialog
          title={`Remove ${nameOf(dialog.member)}?`}
          word={dialog.member.username ?? dialog.member.userId}
          consequence="This person will no longer see the application. The credentials stay as they are."
          action="Remove"
          onClose={() => {
            remove.clear();
            setDialog(undefined);
          }}
          onConfirm={() => void remove.run(dialog.member)}
          busy={remove.busy}
          error={remove.error}
        />
      ) : null}
    </div>
  );
}

const nameOf = (member: Member): string => member.displayName || member.username || member.userId;

function AddDialog({
  path,
  members,
  onClose,
  onChanged,
}: {
  path: string;
  members: readonly Member[];
  onClose: () => void;
  onChanged: (application: Application) => void;
}): ReactNode {
  const me = useMe();
  const [userId, setUserId] = useState('');
  const [role, setRole] = useState<string>('APPLICATION_ROLE_MEMBER');
  // Only administrators may list users; others are given an ID by the person.
  const users = useQuery(isAdministrator(me) ? 'users' : undefined, (signal) =>
    get<{ users?: { userId: string; username: string; displayName?: string }[] }>(
      '/v1/management/users',
      { pageSize: 1000 },
      signal,
    ),
  );
  const others = (users.data?.users ?? []).filter(
    (user) => !members.some((member) => member.userId === user.userId),
  );
  const add = useAction(async () => {
    const answer = await put<{ application: Application }>(`${path}/${encodeURIComponent(userId.trim())}`, {
      role,
    });
    onChanged(answer.application);
    onClose();
  });
  return (
    <FormDialog
      title="Add a person"
      onClose={onClose}
      onSubmit={() => void add.run()}
      submitLabel="Add"
      busy={add.busy}
      error={add.error}
      disabled={userId.trim() === ''}
    >
      {isAdministrator(me) ? (
        <SelectField
          label="Person"
          value={userId}
          onValue={setUserId}
          options={[
            { value: '', label: others.length === 0 ? 'Everybody is in already' : 'Choose …' },
            ...others.map((user) => ({
              value: user.userId,
              label: user.displayName ? `${user.displayName} (${user.username})` : user.username,
            })),
          ]}
        />
      ) : (
        <TextField
          label="User ID"
          hint="The person finds it on the profile page."
          value={userId}
          onValue={setUserId}
          autoFocus
        />
      )}
      <SelectField
        label="Role"
        value={role}
        onValue={setRole}
        hint="Owners may also make secrets and delete things."
        options={[
          { value: 'APPLICATION_ROLE_MEMBER', label: 'Member' },
          { value: 'APPLICATION_ROLE_OWNER', label: 'Owner' },
        ]}
      />
    </FormDialog>
  );
}
