// Dialogs about one client: a new one, a new secret with an overlap, a lock with its reason.
import { useState, type ReactNode } from 'react';
import { post } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { dateTime } from '../../format/text.js';
import { FormDialog } from '../../kit/dialog.js';
import { CheckGroup, Checkbox, SelectField, TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { runtimeScopes, clientPath, environmentPath, type Client, type Environment } from './model.js';
import type { ShownSecret } from './secrets-dialog.js';

export function NewClientDialog({
  environment,
  onClose,
  onCreated,
}: {
  environment: Environment;
  onClose: () => void;
  onCreated: (secret: ShownSecret & { title: string }) => void;
}): ReactNode {
  const geographies = environment.geographies ?? [];
  const form = useForm(
    {
      name: '',
      geography: geographies[0] ?? '',
      allowedScopes: runtimeScopes,
      dpopBound: false,
      withKeys: false,
      jwksJson: '',
    },
    async ({ name, withKeys, jwksJson, ...draft }) => {
      const answer = await post<{ client: Client; clientSecret?: string }>(
        `${environmentPath(environment.appId)}/clients`,
        { ...draft, name: name.trim(), ...(withKeys ? { jwksJson } : {}) },
      );
      if (answer.clientSecret)
        onCreated({
          title: `Client ${answer.client.name} is ready`,
          clientId: answer.client.clientId,
          secret: answer.clientSecret,
          scopes: answer.client.allowedScopes ?? [],
        });
      else {
        toast(`Client ${answer.client.name} is ready. It signs with its own keys.`);
        onClose();
      }
    },
  );
  return (
    <FormDialog title="New client" onClose={onClose} submitLabel="Create client" {...form.submit}>
      <TextField
        label="Name"
        hint="Becomes part of the client ID."
        autoFocus
        spellCheck={false}
        {...form.text('name')}
      />
      <SelectField
        label="Geography"
        options={geographies.map((value) => ({ value, label: value }))}
        {...form.text('geography')}
      />
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
      <Checkbox
        label="Sign with own keys instead of a secret"
        hint="private_key_jwt: the server holds public keys only."
        {...form.flag('withKeys')}
      />
      {form.draft.withKeys ? (
        <TextArea
          label="Public keys (JWK set)"
          spellCheck={false}
          className="input mono"
          placeholder='{"keys":[{"kty":"EC", …}]}'
          {...form.text('jwksJson')}
        />
      ) : null}
    </FormDialog>
  );
}

const overlaps = [
  { value: '0', label: 'End it now' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

export function NewSecretDialog({
  client,
  onClose,
  onMade,
}: {
  client: Client;
  onClose: () => void;
  onMade: (secret: ShownSecret & { title: string; note?: ReactNode }) => void;
}): ReactNode {
  const [overlap, setOverlap] = useState('86400');
  const make = useAction(async () => {
    const answer = await post<{ clientSecret: string; client: Client }>(
      `${clientPath(client.clientId)}/secret`,
      { overlapSeconds: Number(overlap) },
    );
    const until = answer.client.previousSecretExpiresTimestamp;
    onMade({
      title: `New secret of ${client.name}`,
      clientId: client.clientId,
      secret: answer.clientSecret,
      scopes: client.allowedScopes ?? [],
      note: until ? (
        <p>The old secret works until {dateTime(until)}.</p>
      ) : (
        <p>The old secret no longer works.</p>
      ),
    });
  });
  return (
    <FormDialog
      title={`New secret for ${client.name}`}
      onClose={onClose}
      onSubmit={() => void make.run()}
      submitLabel="Make a new secret"
      busy={make.busy}
      error={make.error}
      danger={overlap === '0'}
    >
      <SelectField
        label="The old secret still works for"
        value={overlap}
        onValue={setOverlap}
        options={overlaps}
        hint="Long enough to bring the new one to every place that uses the old one."
      />
      {overlap === '0' ? (
        <Notice tone="warn">Programs that use the old secret fail until they have the new one.</Notice>
      ) : null}
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
    toast(`${name} is locked.`);
    onDone();
  });
  return (
    <FormDialog title={`Lock ${name}?`} onClose={onClose} submitLabel="Lock" danger {...form.submit}>
      <p>
        Its secret and its tokens stop working at once. You can unlock it later; the secret stays the same.
      </p>
      <TextField
        label="Reason"
        optional
        hint="Goes into the audit trail."
        autoFocus
        {...form.text('reason')}
      />
    </FormDialog>
  );
}
