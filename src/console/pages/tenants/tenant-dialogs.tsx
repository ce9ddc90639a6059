// Creates a tenant, ready to use, and edits the names of an existing one.
import type { ReactNode } from 'react';
import type { ScopeTypeJson } from '../../../gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { call } from '../../api/client.js';
import { FormDialog } from '../../kit/dialog.js';
import { SelectField, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { toast } from '../../kit/toast.js';
import type { Tenant } from '../../tenant/tenant.js';
import { t } from '../../text/tenants.js';

const CONFIGSET = 'telephone';
const TEMPLATE = 'ContactCenterDefault';

const types = [
  { value: 'SCOPE_TYPE_PRODUCTION', label: t.types.PRODUCTION },
  { value: 'SCOPE_TYPE_INTERNAL', label: t.types.INTERNAL },
  { value: 'SCOPE_TYPE_DEMO', label: t.types.DEMO },
] as const satisfies readonly { value: ScopeTypeJson; label: string }[];

/** Creates and opens the tenant and gives it a first config set, so that the voice lab works at once. */
async function makeTenant(draft: {
  scopeId: string;
  customerName: string;
  type: string;
  persons: number;
}): Promise<void> {
  const { gkScopeId } = await call('CreateScope', {
    scopeId: draft.scopeId,
    details: {
      customerName: draft.customerName,
      scopeType: types.find(({ value }) => value === draft.type)?.value,
    },
    scopeProfile: 'SCOPE_PROFILE_DEFAULT',
    expectedPersonsNumber: draft.persons,
  });
  await call('SetScopeState', { gkScopeId, scopeState: 'SCOPE_STATE_ACTIVE' });
  const context = { gkScopeId };
  const { gkConfigsetRevisionId } = await call('CreateConfigset', {
    context,
    configsetId: CONFIGSET,
    type: 'CONFIGSET_TYPE_OPERATIONAL',
    performValidation: true,
    sourceTemplateId: TEMPLATE,
  });
  await call('ActivateConfigsetRevision', { context, gkConfigsetRevisionId });
}

export function CreateDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }): ReactNode {
  const form = useForm(
    { scopeId: '', customerName: '', type: types[0].value as string, expectedPersonsNumber: '1000' },
    async (draft) => {
      const scopeId = draft.scopeId.trim();
      await makeTenant({
        scopeId,
        customerName: draft.customerName.trim(),
        type: draft.type,
        persons: Number(draft.expectedPersonsNumber),
      });
      toast(t.created(scopeId));
      onDone();
    },
  );
  return (
    <FormDialog title={t.add} onClose={onClose} submitLabel={t.create} {...form.submit}>
      <TextField label={t.name} hint={t.nameHint} autoFocus spellCheck={false} {...form.text('scopeId')} />
      <TextField label={t.customer} optional {...form.text('customerName')} />
      <SelectField label={t.usedFor} options={types} {...form.text('type')} />
      <TextField label={t.expected} type="number" min={1} {...form.text('expectedPersonsNumber')} />
    </FormDialog>
  );
}

export function RenameDialog({
  tenant: { id, name, details },
  onClose,
  onDone,
}: {
  tenant: Tenant;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const expected = {
    scopeId: name,
    customerName: details.customerName ?? '',
    description: details.description ?? '',
  };
  const form = useForm(expected, async ({ scopeId, customerName, description }) => {
    await call('UpdateTenant', {
      gkScopeId: id,
      tenant: {
        scopeId: scopeId.trim(),
        customerName: customerName.trim(),
        description: description.trim(),
      },
      expected,
    });
    toast(t.saved);
    onDone();
  });
  return (
    <FormDialog title={t.renameTitle(name)} onClose={onClose} submitLabel={t.save} {...form.submit}>
      <TextField label={t.name} hint={t.renameHint} autoFocus spellCheck={false} {...form.text('scopeId')} />
      <TextField label={t.customer} optional {...form.text('customerName')} />
      <TextField label={t.description} optional {...form.text('description')} />
    </FormDialog>
  );
}
