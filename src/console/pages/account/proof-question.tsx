// Asks for the password and, if the user has one, a second factor, before the user's sign-in data is changed.
import type { ReactNode } from 'react';
import type {
  GetSecondFactorsResponseJson,
  SecondFactorProofJson,
} from '../../../gen/voxgate/management/v1/factors_pb.js';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { answerPasskey, hasPasskeys } from '../../api/passkey.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm, type Form } from '../../kit/form.js';
import { t } from '../../text/account.js';

const text = t.proof;

/** What the user can be asked for; people of an identity provider have neither a password nor factors here. */
export interface EnrolledFactors {
  password: boolean;
  app: boolean;
  passkey: boolean;
}

export function enrolledFactors({
  authenticatorTimestamp,
  passkeys = [],
  hasPassword = false,
}: GetSecondFactorsResponseJson): EnrolledFactors {
  return {
    password: hasPassword,
    app: authenticatorTimestamp !== undefined,
    passkey: passkeys.length > 0,
  };
}

interface Draft {
  currentPassword: string;
  code: string;
}

export const emptyProof: Draft = { currentPassword: '', code: '' };

/** In the form that the operations expect. */
interface GivenProof {
  currentPassword: string;
  proof?: SecondFactorProofJson;
}

/** Returns the code or, without one, the passkey, for which the browser asks now. */
export async function givenProof({ app, passkey }: EnrolledFactors, draft: Draft): Promise<GivenProof> {
  const { currentPassword } = draft;
  const code = draft.code.trim();
  if (!app && !passkey) return { currentPassword };
  if (code !== '') return { currentPassword, proof: { code } };
  const { proofToken, optionsJson = '' } = await call('BeginSecondFactorProof', {});
  const credentialJson = await answerPasskey(optionsJson);
  if (proofToken === undefined || credentialJson === undefined)
    throw new ApiError(text.notUsed, { code: 'PASSKEY_NOT_USED' });
  return { currentPassword, proof: { proofToken, credentialJson } };
}

export function isComplete(
  { password, app, passkey }: EnrolledFactors,
  { currentPassword, code }: Draft,
): boolean {
  if (!password) return true;
  if (currentPassword === '') return false;
  return code.trim() !== '' || (passkey && hasPasskeys()) || (!app && !passkey);
}

export function ProofFields<D extends Draft>({
  form,
  held: { password, app, passkey },
  autoFocus = false,
  children,
}: {
  form: Form<D>;
  held: EnrolledFactors;
  autoFocus?: boolean;
  children?: ReactNode;
}): ReactNode {
  const fields = form as unknown as Form<Draft>;
  if (!password) return null;
  const hint = passkey && hasPasskeys() ? (app ? text.codeOrPasskey : text.recoveryOrPasskey) : text.codeHint;
  return (
    <>
      <TextField
        label={t.password.current}
        type="password"
        autoComplete="current-password"
        autoFocus={autoFocus}
        {...fields.text('currentPassword')}
      />
      {app || passkey ? (
        <TextField label={text.code} hint={hint} autoComplete="one-time-code" {...fields.text('code')} />
      ) : null}
      {children}
    </>
  );
}

export function ProofQuestion({
  title,
  action,
  about,
  danger = false,
  held,
  onClose,
  run,
}: {
  title: string;
  action: string;
  about?: string;
  danger?: boolean;
  held: EnrolledFactors;
  onClose: () => void;
  run: (shown: GivenProof) => Promise<unknown>;
}): ReactNode {
  const form = useForm(emptyProof, async (draft) => run(await givenProof(held, draft)));
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      submitLabel={action}
      danger={danger}
      disabled={!isComplete(held, form.draft)}
      {...form.submit}
    >
      {about ? <p>{about}</p> : null}
      <ProofFields form={form} held={held} autoFocus>
        <p className="soft small">{text.elsewhere}</p>
      </ProofFields>
    </FormDialog>
  );
}
