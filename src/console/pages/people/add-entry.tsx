// A new person, fraudster, group or watchlist: an identifier is all it takes.
import type { ReactNode } from 'react';
import { FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { toast } from '../../kit/toast.js';
import { navigate } from '../../router.js';
import { useInSession } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import type { PartyKind } from '../biosec/party-picker.js';
import { collectionKinds, partyKinds, type CollectionKind } from './kinds.js';

const kinds = { ...partyKinds, ...collectionKinds };

export function AddEntry({
  kind,
  onClose,
}: {
  kind: PartyKind | CollectionKind;
  onClose: () => void;
}): ReactNode {
  const { text, path, create, idField } = kinds[kind];
  const inSession = useInSession();
  const form = useForm({ id: '' }, async (draft) => {
    const id = draft.id.trim();
    const made = await inSession((context) => create(context, id));
    toast(t.added(id));
    navigate(`/people/${path}/${made ?? ''}`);
  });
  return (
    <FormDialog
      title={text.add}
      submitLabel={t.addButton}
      onClose={onClose}
      disabled={form.draft.id.trim() === ''}
      {...form.submit}
    >
      <TextField
        label={t.columns.identifier}
        hint={t.identifierHint}
        autoFocus
        spellCheck={false}
        {...form.text('id', idField)}
      />
    </FormDialog>
  );
}
