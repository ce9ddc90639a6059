// The user's passkeys: each has a name and can be removed; adding one asks for the password and, if there is
// one, a second factor.
import { useState, type ReactNode } from 'react';
import type { PasskeyJson } from '../../../gen/voxgate/management/v1/factors_pb.js';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { hasPasskeys, makePasskey } from '../../api/passkey.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Card } from '../../kit/layout.js';
import { Notice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/account.js';
import { t as shell } from '../../text/shell.js';
import {
  ProofFields,
  ProofQuestion,
  emptyProof,
  isComplete,
  givenProof,
  type EnrolledFactors,
} from './proof-question.js';

const text = t.passkeys;

type Open = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: PasskeyJson };

export function Passkeys({
  passkeys,
  available,
  held,
  onChanged,
  onCodes,
}: {
  passkeys: readonly PasskeyJson[];
  /** Whether passkeys work at the address of this server. */
  available: boolean;
  held: EnrolledFactors;
  onChanged: () => void;
  onCodes: (codes: readonly string[]) => void;
}): ReactNode {
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const changed = (said: string): void => {
    close();
    toast(said);
    onChanged();
  };
  return (
    <Card title={text.title} hint={text.hint}>
      <div className="stack">
        {passkeys.length > 0 ? <PasskeyTable passkeys={passkeys} onOpen={setOpen} /> : null}
        {available && hasPasskeys() ? (
          <div>
            <Button onClick={() => setOpen({ kind: 'add' })}>{text.add}</Button>
          </div>
        ) : (
          <Notice>{available ? text.browserHasNone : text.addressHasNone}</Notice>
        )}
      </div>
      {open?.kind === 'add' ? (
        <AddDialog
          held={held}
          onClose={close}
          onDone={(name, codes) => {
            changed(text.added(name));
            if (codes.length > 0) onCodes(codes);
          }}
        />
      ) : null}
      {open?.kind === 'rename' ? (
        <RenameDialog passkey={open.passkey} onClose={close} onDone={() => changed(text.renamed)} />
      ) : null}
      {open?.kind === 'remove' ? (
        <ProofQuestion
          held={held}
          title={text.removeTitle(open.passkey.name ?? '')}
          about={text.removeText}
          action={text.remove}
          danger
          onClose={close}
          run={async (shown) => {
            await call('RemovePasskey', { passkeyId: open.passkey.passkeyId, ...shown });
            changed(text.removed(open.passkey.name ?? ''));
          }}
        />
      ) : null}
    </Card>
  );
}

function PasskeyTable({
  passkeys,
  onOpen,
}: {
  passkeys: readonly PasskeyJson[];
  onOpen: (open: Open) => void;
}): ReactNode {
  return (
    <Table
      caption={text.title}
      rows={passkeys}
      rowKey={(passkey) => passkey.passkeyId ?? ''}
      columns={[
        { label: text.name, cell: (passkey) => passkey.name },
        { label: text.since, cell: (passkey) => <Time at={passkey.creationTimestamp} /> },
        {
          label: text.lastUsed,
          cell: (passkey) => (passkey.lastUsedTimestamp ? <Time at={passkey.lastUsedTimestamp} /> : '–'),
        },
        {
          label: shell.actions,
          actions: true,
          cell: (passkey) => (
            <>
              <Button size="small" onClick={() => onOpen({ kind: 'rename', passkey })}>
                {text.rename}
              </Button>
              <Button size="small" kind="danger" onClick={() => onOpen({ kind: 'remove', passkey })}>
                {text.remove}
              </Button>
            </>
          ),
        },
      ]}
    />
  );
}

function AddDialog({
  held,
  onClose,
  onDone,
}: {
  held: EnrolledFactors;
  onClose: () => void;
  onDone: (name: string, codes: readonly string[]) => void;
}): ReactNode {
  const form = useForm({ name: '', ...emptyProof }, async ({ name, ...draft }) => {
    const { setupToken, optionsJson = '' } = await call('BeginPasskey', await givenProof(held, draft));
    const credentialJson = await makePasskey(optionsJson);
    if (credentialJson === undefined) throw new ApiError(text.notMade, { code: 'PASSKEY_NOT_MADE' });
    const { recoveryCodes = [] } = await call('CreatePasskey', { setupToken, name, credentialJson });
    onDone(name, recoveryCodes);
  });
  return (
    <FormDialog
      title={text.addTitle}
      onClose={onClose}
      submitLabel={text.add}
      disabled={form.draft.name.trim() === '' || !isComplete(held, form.draft)}
      {...form.submit}
    >
      <p>{text.addText}</p>
      <TextField label={text.name} hint={text.nameHint} autoFocus {...form.text('name')} />
      <ProofFields form={form} held={held}>
        <p className="soft small">{t.proof.elsewhere}</p>
      </ProofFields>
    </FormDialog>
  );
}

function RenameDialog({
  passkey: { passkeyId, name = '' },
  onClose,
  onDone,
}: {
  passkey: PasskeyJson;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const form = useForm({ name }, async (draft) => {
    await call('RenamePasskey', { passkeyId, name: draft.name });
    onDone();
  });
  return (
    <FormDialog title={text.renameTitle(name)} onClose={onClose} submitLabel={text.rename} {...form.submit}>
      <TextField label={text.name} autoFocus {...form.text('name')} />
    </FormDialog>
  );
}
