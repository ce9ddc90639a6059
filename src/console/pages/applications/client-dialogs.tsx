// Dialogs about one client: a new one, a new secret with an overlap, a lock with its reason.
import { useState, type ReactNode } from 'react';
import type { ClientJson, EnvironmentJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { dateTime } from '../../format/text.js';
import { FormDialog } from '../../kit/dialog.js';
import { CheckGroup, Checkbox, SelectField, TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/applications.js';
import { nameOf, scopeOptions } from './model.js';
import type { ShownSecret } from './secrets-dialog.js';

const text = t.client;

/** A secret to be shown, and the title and note above it. */
export type NamedSecret = ShownSecret & { title: string; note?: ReactNode };

export function NewClientDialog({
  environment,
  grantable,
  onClose,
  onCreated,
}: {
  environment: EnvironmentJson;
  grantable: readonly string[];
  onClose: () => void;
  onCreated: (secret: NamedSecret) => void;
}): ReactNode {
  const { geographies = [], appId } = environment;
  const form = useForm(
    {
      name: '',
      geography: geographies[0] ?? '',
      allowedScopes: grantable.includes('biosec')
        ? ['biosec']
        : scopeOptions(grantable).map(({ value }) => value),
      dpopBound: false,
      withKeys: false,
      jwksJson: '',
    },
    async ({ name, withKeys, jwksJson, ...draft }) => {
      const { client = {}, clientSecret } = await call('CreateClient', {
        appId,
        ...draft,
        name: name.trim(),
        jwksJson: withKeys ? jwksJson : undefined,
      });
      if (clientSecret)
        onCreated({
          title: text.ready(nameOf(client)),
          clientId: client.clientId ?? '',
          secret: clientSecret,
          scopes: client.allowedScopes ?? [],
        });
      else {
        toast(text.readyKeys(nameOf(client)));
        onClose();
      }
    },
  );
  return (
    <FormDialog title={text.add} onClose={onClose} submitLabel={text.create} {...form.submit}>
      <TextField label={text.name} hint={text.nameHint} autoFocus spellCheck={false} {...form.text('name')} />
      <SelectField
        label={text.geography}
        options={geographies.map((value) => ({ value, label: value }))}
        {...form.text('geography')}
      />
      <CheckGroup label={text.scopes} options={scopeOptions(grantable)} {...form.list('allowedScopes')} />
      <Checkbox label={text.dpop} hint={text.dpopHint} {...form.flag('dpopBound')} />
      <Checkbox label={text.withKeys} hint={text.withKeysHint} {...form.flag('withKeys')} />
      {form.draft.withKeys ? (
        <TextArea
          label={text.keys}
          spellCheck={false}
          className="input mono"
          placeholder='{"keys":[{"kty":"EC", …}]}'
          {...form.text('jwksJson')}
        />
      ) : null}
    </FormDialog>
  );
}

const overlaps = Object.entries(text.overlaps).map(([value, label]) => ({ value, label }));

export function NewSecretDialog({
  client,
  onClose,
  onMade,
}: {
  client: ClientJson;
  onClose: () => void;
  onMade: (secret: NamedSecret) => void;
}): ReactNode {
  const { clientId = '' } = client;
  const [overlap, setOverlap] = useState('86400');
  const make = useAction(async () => {
    const answer = await call('RegenerateClientSecret', { clientId, overlapSeconds: Number(overlap) });
    const until = answer.client?.previousSecretExpiresTimestamp;
    onMade({
      title: text.secretMade(nameOf(client)),
      clientId,
      secret: answer.clientSecret ?? '',
      scopes: client.allowedScopes ?? [],
      note: <p>{until ? text.oldUntil(dateTime(until)) : text.oldGone}</p>,
    });
  });
  return (
    <FormDialog
      title={text.secretTitle(nameOf(client))}
      onClose={onClose}
      onSubmit={() => void make.run()}
      submitLabel={text.makeSecret}
      busy={make.busy}
      error={make.error}
      danger={overlap === '0'}
    >
      <SelectField
        label={text.overlap}
        value={overlap}
        onValue={setOverlap}
        options={overlaps}
        hint={text.overlapHint}
      />
      {overlap === '0' ? <Notice tone="warn">{text.overlapWarning}</Notice> : null}
    </FormDialog>
  );
}

export function LockDialog({
  name,
  lock,
  onClose,
  onDone,
}: {
  name: string;
  lock: (reason: string) => Promise<unknown>;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const form = useForm({ reason: '' }, async ({ reason }) => {
    await lock(reason.trim());
    toast(text.locked(name));
    onDone();
  });
  return (
    <FormDialog
      title={text.lockTitle(name)}
      onClose={onClose}
      submitLabel={text.lock}
      danger
      {...form.submit}
    >
      <p>{text.lockText}</p>
      <TextField label={text.reason} optional hint={text.reasonHint} autoFocus {...form.text('reason')} />
    </FormDialog>
  );
}
