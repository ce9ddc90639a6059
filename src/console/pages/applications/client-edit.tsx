// Changing a client that is there: its scopes, its token binding, and how it proves who it is.
import { useState, type ReactNode } from 'react';
import { del, patch, put } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { FormDialog } from '../../kit/dialog.js';
import { CheckGroup, Checkbox, SelectField, TextArea } from '../../kit/field.js';
import { Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { RUNTIME_SCOPES, clientPath, type Client } from './model.js';

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
  const [scopes, setScopes] = useState(client.allowedScopes ?? []);
  const [dpop, setDpop] = useState(client.dpopBound ?? false);
  const before = client.hasKeys ? 'keys' : 'secret';
  const [proof, setProof] = useState<string>(before);
  const [jwks, setJwks] = useState('');
  const path = clientPath(client.clientId);
  const save = useAction(async () => {
    await patch(path, { allowedScopes: scopes, dpopBound: dpop, fieldMask: 'allowedScopes,dpopBound' });
    if (proof === 'keys' && jwks.trim() !== '') await put(`${path}/keys`, { jwksJson: jwks });
    if (proof === 'secret' && before === 'keys') await del(`${path}/keys`);
    toast(`${client.name} is saved.`);
    onDone();
  });
  return (
    <FormDialog
      title={`Edit ${client.name}`}
      onClose={onClose}
      onSubmit={() => void save.run()}
      submitLabel="Save client"
      busy={save.busy}
      error={save.error}
      disabled={proof === 'keys' && before === 'secret' && jwks.trim() === ''}
    >
      <CheckGroup
        label="Scopes it may ask for"
        options={RUNTIME_SCOPES.map((value) => ({ value, label: value }))}
        value={scopes}
        onValue={setScopes}
        error={save.error?.problem('allowedScopes')}
      />
      <Checkbox
        label="Bind tokens to a key of the client (DPoP)"
        checked={dpop}
        onChecked={setDpop}
        hint="A stolen token is then of no use. The client must send proofs."
      />
      {isOwner ? (
        <SelectField
          label="It proves itself with"
          value={proof}
          onValue={setProof}
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
          value={jwks}
          onValue={setJwks}
          spellCheck={false}
          className="input mono"
          error={save.error?.problem('jwksJson')}
        />
      ) : null}
      {proof === 'secret' && before === 'keys' ? (
        <Notice tone="warn">Its keys are removed; make a new secret afterwards.</Notice>
      ) : null}
    </FormDialog>
  );
}
