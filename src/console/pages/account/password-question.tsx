// Asks for the password before something changes that the user signs in with.
import type { ReactNode } from 'react';
import { FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { t } from '../../text/account.js';

export function PasswordQuestion({
  title,
  action,
  about,
  danger = false,
  onClose,
  run,
}: {
  title: string;
  action: string;
  about?: string;
  danger?: boolean;
  onClose: () => void;
  run: (password: string) => Promise<unknown>;
}): ReactNode {
  const form = useForm({ currentPassword: '' }, ({ currentPassword }) => run(currentPassword));
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      submitLabel={action}
      danger={danger}
      disabled={form.draft.currentPassword === ''}
      {...form.submit}
    >
      {about ? <p>{about}</p> : null}
      <TextField
        label={t.password.current}
        type="password"
        autoComplete="current-password"
        autoFocus
        {...form.text('currentPassword')}
      />
    </FormDialog>
  );
}
