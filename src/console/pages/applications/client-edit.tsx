// Changing a client that is there: its scopes, its token binding, and how it proves who it is.
import type { ReactNode } from 'react';
import { del, patch, put } from '../../api/client.js';
import { FormDialog } from '../../kit/dialog.js';
import { CheckGroup, Checkbox, SelectField, TextArea } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { runtimeScopes, clientPath, type Client } from './model.js';

export function EditClientDialog({
  client,
  isOwner,
  onClose,
  onDone,
}: {
  client: Client;
  /** Only owners change what a client proves itself with. */
  isOwner: boolean;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const before = client.hasKeys ? 'keys' : 'secret';
  const path = clientPath(client.clientId);
  const form = useForm(
    {
      allowedScopes: client.allowedScopes ?? [],
      dpopBound: client.dpopBound ?? false,
      proof: before as string,
      jwksJson: '',
    },
    async ({ allowedScopes, dpopBound, proof, jwksJson }) => {
      await patch(path, { allowedScopes, dpopBound, fieldMask: 'allowedScopes,dpopBound' });
      if (proof === 'keys' && jwksJson.trim() !== '') await put(`${path}/keys`, { jwksJson });
      if (proof === 'secret' && before === 'keys') await del(`${path}/keys`);
      toast(`${client.name} is saved.`);
      onDone();
    },
  );
  const { proof, jwksJson } = form.draft;
  return (
    <FormDialog
      title={`Edit ${client.name}`}
      onClose={onClose}
      submitLabel="Save client"
      disabled={proof === 'keys' && before === 'secret' && jwksJson.trim() === ''}
      {...form.submit}
    >
      <CheckGroup
        label="Scopes it may ask for"
        options={runtimeScopes.map((value) => ({ value, label: value }))}
        {...form.list('allowedScopes')}
      />
      <Checkbox
        label="Bind tokens to a key of the client (DPoP)"
        hint="A stolen token is then of no use. The client must send proofs."
        {...form.flag('dpopBound')}
      />
      {isOwner ? (
        <SelectField
          label="It proves itself with"
          {...form.text('proof')}
          options={[
            { value: 'secret', label: 'A secret' },
            { value: 'keys', label: 'Its own keys (private_key_jwt)' },
          ]}
        />
      ) : null}
      {proof === 'keys' ? (
        <TextArea
          label="Public keys (JWK set)"
          hint={before === 'keys' ? 'Leave empty to keep the registered ones.' : 'Its secret ends.'}
          spellCheck={false}
          className="input mono"
          {...form.text('jwksJson')}
        />
      ) : null}
      {proof === 'secret' && before === 'keys' ? (
        <Notice tone="warn">Its keys are removed; make a new secret afterwards.</Notice>
      ) : null}
    </FormDialog>
  );
}
