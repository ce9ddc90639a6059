// A new credential for the tooling interface: for a program of its own, or for one in which the user signs
// in.
import type { ReactNode } from 'react';
import type { ToolingCredentialTypeJson } from '../../../gen/voxgate/management/v1/users_pb.js';
import { call } from '../../api/client.js';
import { FormDialog } from '../../kit/dialog.js';
import { Checkbox, SelectField, TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/account.js';
import { ProofFields, emptyProof, givenProof, isComplete, type EnrolledFactors } from './proof-question.js';
import type { NamedSecret } from '../applications/client-dialogs.js';

const text = t.credentials;

export const SERVICE_ACCOUNT = 'TOOLING_CREDENTIAL_TYPE_SERVICE_ACCOUNT' satisfies ToolingCredentialTypeJson;
const USER_ACCOUNT = 'TOOLING_CREDENTIAL_TYPE_USER_ACCOUNT' satisfies ToolingCredentialTypeJson;

export function NewCredentialDialog({
  held,
  onClose,
  onCreated,
}: {
  held: EnrolledFactors;
  onClose: () => void;
  /** Called without a secret if the program has none. */
  onCreated: (secret: NamedSecret | undefined) => void;
}): ReactNode {
  const form = useForm(
    {
      name: '',
      type: SERVICE_ACCOUNT as string,
      redirectUris: '',
      public: false,
      withKeys: false,
      jwksJson: '',
      ...emptyProof,
    },
    async (draft) => {
      const interactive = draft.type === USER_ACCOUNT;
      const isPublic = interactive && draft.public;
      const { credential = {}, clientSecret } = await call('CreateToolingCredential', {
        name: draft.name.trim(),
        type: interactive ? USER_ACCOUNT : SERVICE_ACCOUNT,
        redirectUris: interactive ? draft.redirectUris.split(/\s+/).filter(Boolean) : undefined,
        public: interactive ? isPublic : undefined,
        jwksJson: draft.withKeys && !isPublic ? draft.jwksJson : undefined,
        ...(await givenProof(held, draft)),
      });
      const name = credential.name ?? '';
      if (!clientSecret) {
        toast(credential.hasKeys ? text.readyKeys(name) : text.readyPublic(name));
        onCreated(undefined);
        return;
      }
      onCreated({
        title: text.ready(name),
        clientId: credential.clientId ?? '',
        secret: clientSecret,
        ...(interactive ? {} : { scopes: ['platform-api'] }),
      });
    },
  );
  const isUser = form.draft.type === USER_ACCOUNT;
  const isPublic = isUser && form.draft.public;
  return (
    <FormDialog
      title={text.newTitle}
      onClose={onClose}
      submitLabel={text.create}
      disabled={!isComplete(held, form.draft)}
      {...form.submit}
    >
      <TextField label={text.name} autoFocus {...form.text('name')} />
      <SelectField
        label={text.type}
        hint={isUser ? text.userHint : text.serviceHint}
        options={[
          { value: SERVICE_ACCOUNT, label: text.service },
          { value: USER_ACCOUNT, label: text.user },
        ]}
        {...form.text('type')}
      />
      {isUser ? (
        <>
          <TextArea
            label={text.redirects}
            hint={text.redirectsHint}
            spellCheck={false}
            {...form.text('redirectUris')}
          />
          <Checkbox label={text.noSecret} hint={text.noSecretHint} {...form.flag('public')} />
        </>
      ) : null}
      {isPublic ? null : (
        <Checkbox label={text.withKeys} hint={text.withKeysHint} {...form.flag('withKeys')} />
      )}
      {form.draft.withKeys && !isPublic ? (
        <TextArea
          label={text.keys}
          spellCheck={false}
          className="input mono"
          placeholder='{"keys":[{"kty":"EC", …}]}'
          {...form.text('jwksJson')}
        />
      ) : null}
      <ProofFields form={form} held={held} />
    </FormDialog>
  );
}
