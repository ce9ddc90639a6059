// Edits an existing client: its scopes, its token binding, and how it authenticates (a secret, its own keys,
// or a certificate).
import type { ReactNode } from 'react';
import type { ClientJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import { call } from '../../api/client.js';
import { changedMask } from '../../kit/changed.js';
import { FormDialog } from '../../kit/dialog.js';
import { CheckGroup, Checkbox, SelectField, TextArea, TextField } from '../../kit/field.js';
import { useForm, type Form } from '../../kit/form.js';
import { Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/applications.js';
import { nameOf, scopeOptions } from './model.js';

const text = t.client;

/** How a certificate is recognized; spelled as in the request. */
const certificateRules = ['certificatesPem', 'subjectDn', 'sanDns', 'sanUri'] as const;
type CertificateRule = (typeof certificateRules)[number];

type Proof = 'secret' | 'keys' | 'certificate';

const proofOf = ({ hasKeys, hasCertificate }: ClientJson): Proof =>
  hasCertificate ? 'certificate' : hasKeys ? 'keys' : 'secret';

export function EditClientDialog({
  client,
  grantable,
  isOwner,
  onClose,
  onDone,
}: {
  client: ClientJson;
  grantable: readonly string[];
  /** Only owners may change how a client authenticates. */
  isOwner: boolean;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const before = proofOf(client);
  const { clientId } = client;
  const form = useForm(
    {
      allowedScopes: client.allowedScopes ?? [],
      dpopBound: client.dpopBound ?? false,
      proof: before as string,
      jwksJson: '',
      rule: 'certificatesPem' as string,
      certificate: '',
    },
    async ({ allowedScopes, dpopBound, proof, jwksJson, rule, certificate }) => {
      const after = { allowedScopes, dpopBound };
      const fieldMask = changedMask(
        { allowedScopes: client.allowedScopes ?? [], dpopBound: client.dpopBound ?? false },
        after,
      );
      if (fieldMask) await call('UpdateClient', { clientId, ...after, expected: client, fieldMask });
      if (proof === 'keys' && jwksJson.trim() !== '') await call('SetClientKeys', { clientId, jwksJson });
      if (proof === 'certificate' && certificate.trim() !== '')
        await call('SetClientCertificate', { clientId, [rule]: certificate.trim() });
      if (proof === 'secret' && before !== 'secret') await call('DeleteClientKeys', { clientId });
      toast(text.saved(nameOf(client)));
      onDone();
    },
  );
  const { proof, jwksJson, certificate } = form.draft;
  const given = proof === 'keys' ? jwksJson : certificate;
  return (
    <FormDialog
      title={text.editTitle(nameOf(client))}
      onClose={onClose}
      submitLabel={text.save}
      disabled={proof !== 'secret' && proof !== before && given.trim() === ''}
      {...form.submit}
    >
      <CheckGroup
        label={text.scopes}
        options={scopeOptions([...grantable, ...(client.allowedScopes ?? [])])}
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
            { value: 'certificate', label: text.proofCertificate },
          ]}
        />
      ) : null}
      {proof === 'keys' ? (
        <TextArea
          label={text.keys}
          hint={before === 'keys' ? text.keepKeys : text.endsOf[before]}
          spellCheck={false}
          className="input mono"
          {...form.text('jwksJson')}
        />
      ) : null}
      {proof === 'certificate' ? <CertificateFields form={form} before={before} /> : null}
      {proof === 'secret' && before !== 'secret' ? (
        <Notice tone="warn">
          {text.endsOf[before]} {text.thenSecret}
        </Notice>
      ) : null}
    </FormDialog>
  );
}

function CertificateFields({
  form,
  before,
}: {
  form: Form<{ rule: string; certificate: string }>;
  before: Proof;
}): ReactNode {
  const rule = form.draft.rule as CertificateRule;
  const Input = rule === 'certificatesPem' ? TextArea : TextField;
  return (
    <>
      <SelectField
        label={text.certificateBy}
        options={certificateRules.map((value) => ({ value, label: text.certificateRules[value].choice }))}
        {...form.text('rule')}
      />
      <Input
        label={text.certificateRules[rule].label}
        hint={
          before === 'certificate' ? text.keepCertificate : `${text.endsOf[before]} ${text.certificateBinds}`
        }
        spellCheck={false}
        className="input mono"
        placeholder={text.certificateRules[rule].example}
        {...form.text('certificate', rule)}
      />
    </>
  );
}
