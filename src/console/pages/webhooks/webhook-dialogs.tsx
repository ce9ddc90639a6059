// Dialogs about a webhook: add it, edit it, renew its secret; and the secret itself, the only time it can be
// seen.
import type { ReactNode } from 'react';
import type { WebhookJson } from '../../../gen/voxgate/events/v1/webhooks_pb.js';
import { call } from '../../api/client.js';
import { Copy } from '../../kit/copy.js';
import { FormDialog } from '../../kit/dialog.js';
import { SelectField, TextArea, TextField } from '../../kit/field.js';
import { useForm, type Form } from '../../kit/form.js';
import { OnceDialog } from '../../kit/once-dialog.js';
import { toast } from '../../kit/toast.js';
import type { Context } from '../../tenant/context.js';
import { t as done } from '../../text/operations.js';
import { t } from '../../text/webhooks.js';
import { operationWords } from '../biosec/operations.js';

export interface NewSecret {
  title: string;
  secret: string;
}

/** The part of an address that lists show: anything after the host may be a token of the receiver. */
export function hostOf(url = ''): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** The props of every part of a webhook's page. */
export interface WebhookProps {
  read: Context;
  webhook: WebhookJson;
  reload: () => void;
}

type Draft = Required<Pick<WebhookJson, 'url' | 'description'>> & { typeLines: string };

const settingsOf = ({ url, description, typeLines }: Draft) => ({
  url: url.trim(),
  description: description.trim(),
  types: linesOf(typeLines),
});

const linesOf = (lines: string): string[] => lines.split(/[\s,]+/).filter(Boolean);

/**
 * Event types of tenants, in words; actions on the installation have two types, one of which only older
 * records have.
 */
const typeOptions = () =>
  [...Object.keys(done.operations), 'LiveAudio']
    .filter((act) => !act.includes('.') && act !== 'AgentWord')
    .map((act) => ({ value: `voxgate.v1.${act}`, label: `${operationWords(act)} (${act})` }))
    .sort((a, b) => a.label.localeCompare(b.label));

function SettingsFields({ form }: { form: Form<Draft> }): ReactNode {
  return (
    <>
      <TextField
        label={t.address}
        hint={t.addressHint}
        type="url"
        autoFocus
        spellCheck={false}
        {...form.text('url')}
      />
      <TextField label={t.description} optional {...form.text('description')} />
      <TextArea
        label={t.types}
        hint={t.typesHint}
        optional
        rows={4}
        spellCheck={false}
        {...form.text('typeLines', 'types')}
      />
      <SelectField
        label={t.addType}
        options={[{ value: '', label: t.chooseType }, ...typeOptions()]}
        value=""
        onValue={(type) =>
          form.set({ typeLines: [...new Set([...linesOf(form.draft.typeLines), type])].join('\n') })
        }
      />
    </>
  );
}

export function AddWebhook({
  read,
  onClose,
  onAdded,
}: {
  read: Context;
  onClose: () => void;
  onAdded: (made: NewSecret) => void;
}): ReactNode {
  const form = useForm({ url: '', description: '', typeLines: '' }, async (draft) => {
    const { webhook, secret = '' } = await call('CreateWebhook', { context: read, ...settingsOf(draft) });
    onAdded({ title: t.created(hostOf(webhook?.url)), secret });
  });
  return (
    <FormDialog
      title={t.add}
      submitLabel={t.add}
      onClose={onClose}
      disabled={form.draft.url.trim() === ''}
      {...form.submit}
    >
      <SettingsFields form={form} />
    </FormDialog>
  );
}

export function EditWebhook({
  read,
  webhook,
  onClose,
  onDone,
}: {
  read: Context;
  webhook: WebhookJson;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const { webhookId, url = '', description = '', types = [], enabled } = webhook;
  const form = useForm({ url, description, typeLines: types.join('\n') }, async (draft) => {
    await call('UpdateWebhook', {
      context: read,
      webhookId,
      ...settingsOf(draft),
      enabled: enabled ?? false,
      expected: webhook,
    });
    toast(t.saved);
    onDone();
  });
  return (
    <FormDialog title={t.editTitle} submitLabel={t.save} onClose={onClose} {...form.submit}>
      <SettingsFields form={form} />
    </FormDialog>
  );
}

export function RotateSecret({
  read,
  webhookId,
  onClose,
  onRotated,
}: {
  read: Context;
  webhookId: string;
  onClose: () => void;
  onRotated: (made: NewSecret) => void;
}): ReactNode {
  const form = useForm({ overlap: '86400' }, async ({ overlap }) => {
    const { secret = '' } = await call('RotateWebhookSecret', {
      context: read,
      webhookId,
      overlapSeconds: Number(overlap),
    });
    onRotated({ title: t.newSecret, secret });
  });
  return (
    <FormDialog title={t.rotateTitle} submitLabel={t.rotateAction} onClose={onClose} {...form.submit}>
      <p>{t.rotateText}</p>
      <SelectField
        label={t.overlap}
        options={Object.entries(t.overlaps).map(([value, label]) => ({ value, label }))}
        {...form.text('overlap', 'overlapSeconds')}
      />
    </FormDialog>
  );
}

export function SecretDialog({ title, secret, onClose }: NewSecret & { onClose: () => void }): ReactNode {
  return (
    <OnceDialog title={title} text={t} onClose={onClose}>
      <div>
        <div className="field-label">{t.secret}</div>
        <Copy text={secret} label={t.secretLabel} wrap />
      </div>
      <p className="soft small">{t.secretText}</p>
    </OnceDialog>
  );
}
