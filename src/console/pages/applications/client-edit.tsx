// Changing a client that is there: its scopes, its token binding, and how it proves who it is.
import type { ReactNode } from 'react';
import type { ClientJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import { call } from '../../api/client.js';
import { FormDialog } from '../../kit/dialog.js';
import { CheckGroup, Checkbox, SelectField, TextArea } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/applications.js';
import { nameOf, runtimeScopes } from './model.js';

const text = t.client;

export function EditClientDialog({
  client,
  isOwner,
  onClose,
  onDone,
}: {
  client: ClientJson;
  /** Only owners change what a client proves itself with. */
  isOwner: boolean;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const before = client.hasKeys ? 'keys' : 'secret';
  const { clientId } = client;
  const form = useForm(
    {
      allowedScopes: client.allowedScopes ?? [],
      dpopBound: client.dpopBound ?? false,
      proof: before as string,
      jwksJson: '',
    },
    async ({ allowedScopes, dpopBound, proof, jwksJson }) => {
      const fieldMask = 'allowedScopes,dpopBound';
      await call('UpdateClient', { clientId, allowedScopes, dpopBound, fieldMask });
      if (proof === 'keys' && jwksJson.trim() !== '') await call('SetClientKeys', { clientId, jwksJson });
      if (proof === 'secret' && before === 'keys') await call('DeleteClientKeys', { clientId });
      toast(text.saved(nameOf(client)));
      onDone();
    },
  );
  const { proof, jwksJson } = form.draft;
  return (
    <FormDialog
      title={text.editTitle(nameOf(client))}
      onClose={onClose}
      submitLabel={text.save}
      disabled={proof === 'keys' && before === 'secret' && jwksJson.trim() === ''}
      {...form.submit}
    >
      <CheckGroup
        label={text.scopes}
        options={runtimeScopes.map((value) => ({ value, label: value }))}
        {...form.list('allowedScopes')}
      />
      <Checkbox label={text.dpop} hint={text.dpopHint} {...form.flag('dpopBound')} />
      {isOwner ? (
        <SelectField
          label={text.proof}
          {...form.text('proof')}
          options={[
            { value: 'secret', label: text.proofSecret },
            { value: 'keys', label: text.proofKeys },
          ]}
        />
      ) : null}
      {proof === 'keys' ? (
        <TextArea
          label={text.keys}
          hint={before === 'keys' ? text.keepKeys : text.secretEnds}
          spellCheck={false}
          className="input mono"
          {...form.text('jwksJson')}
        />
      ) : null}
      {proof === 'secret' && before === 'keys' ? <Notice tone="warn">{text.keysEnd}</Notice> : null}
    </FormDialog>
  );
}
