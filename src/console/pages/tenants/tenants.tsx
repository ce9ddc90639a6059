// Tenants: partitions whose voices never mix. Administrators make them ready to use, and end them.
import { useState, type ReactNode } from 'react';
import { del, patch, post, put } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { SelectField, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge, PageHead, type BadgeTone } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, ErrorState, Loading } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { useTenant, type Scope } from '../../tenant/tenant.js';

const scopePath = (gkScopeId: string): string => `/v1/scopes/${encodeURIComponent(gkScopeId)}`;

const tones: Record<string, BadgeTone> = {
  SCOPE_STATE_ACTIVE: 'good',
  SCOPE_STATE_PENDING_DELETION: 'warn',
  SCOPE_STATE_DELETED: 'bad',
};

export function TenantsPage(): ReactNode {
  const { scopes, scope: current, loading, error, reload, selectScope } = useTenant();
  const [creating, setCreating] = useState(false);
  const [editing, setEditing] = useState<Scope>();
  const [deleting, setDeleting] = useState<Scope>();
  const remove = useAction(async (scope: Scope) => {
    await put(`${scopePath(scope.gkScopeId.value)}/attributes/deleted`);
    setDeleting(undefined);
    toast(`${scope.scopeId} is marked for deletion.`);
    reload();
  });
  const keep = useAction(async (scope: Scope) => {
    await del(`${scopePath(scope.gkScopeId.value)}/attributes/deleted`);
    toast(`${scope.scopeId} is kept.`);
    reload();
  });
  const add = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      New tenant
    </Button>
  );
  return (
    <>
      <PageHead title="Tenants" actions={add}>
        A tenant holds its own people, voiceprints, thresholds and audit trail. Nothing crosses from one to
        another.
      </PageHead>
      <div className="stack">
        {keep.error ? <ErrorNotice error={keep.error} /> : null}
        {error ? <ErrorState error={error} onRetry={reload} /> : null}
        {loading && scopes.length === 0 ? <Loading /> : null}
        {!loading && !error && scopes.length === 0 ? (
          <EmptyState icon="people" title="No tenant yet" action={add}>
            Voices need a tenant to live in.
          </EmptyState>
        ) : null}
        {scopes.length > 0 ? (
          <Table
            caption="Tenants"
            rows={scopes}
            rowKey={(scope) => scope.gkScopeId.value}
            columns={[
              {
                label: 'Tenant',
                cell: (scope) => (
                  <div>
                    <strong>{scope.customerName || scope.scopeId}</strong>
                    {scope === current ? <span className="soft small"> (in use here)</span> : null}
                    <div className="soft small">{scope.scopeId}</div>
                  </div>
                ),
              },
              { label: 'ID', cell: (scope) => <span className="mono">{scope.gkScopeId.value}</span> },
              {
                label: 'State',
                cell: (scope) => (
                  <Badge tone={tones[scope.scopeState ?? ''] ?? 'neutral'}>
                    {words(scope.scopeState, 'SCOPE_STATE')}
                  </Badge>
                ),
              },
              {
                label: 'Actions',
                actions: true,
                cell: (scope) =>
                  scope.scopeState === 'SCOPE_STATE_PENDING_DELETION' ? (
                    <Button size="small" busy={keep.busy} onClick={() => void keep.run(scope)}>
                      Keep it
                    </Button>
                  ) : (
                    <>
                      <Button
                        size="small"
                        disabled={scope === current}
                        onClick={() => selectScope(scope.gkScopeId.value)}
                      >
                        Use
                      </Button>
                      <Button size="small" onClick={() => setEditing(scope)}>
                        Rename
                      </Button>
                      <Button size="small" kind="danger" onClick={() => setDeleting(scope)}>
                        Delete
                      </Button>
                    </>
                  ),
              },
            ]}
          />
        ) : null}
      </div>
      {creating ? (
        <CreateDialog
          onClose={() => setCreating(false)}
          onDone={(gkScopeId) => {
            setCreating(false);
            selectScope(gkScopeId);
            reload();
          }}
        />
      ) : null}
      {editing ? (
        <RenameDialog
          scope={editing}
          onClose={() => setEditing(undefined)}
          onDone={() => {
            setEditing(undefined);
            reload();
          }}
        />
      ) : null}
      {deleting ? (
        <ConfirmDialog
          title={`Delete tenant ${deleting.scopeId}?`}
          word={deleting.scopeId}
          consequence="All its people, voiceprints, recordings and settings will be erased after the waiting time of this server. Until then you can keep it. Afterwards nobody can."
          action="Delete tenant"
          onClose={() => {
            remove.clear();
            setDeleting(undefined);
          }}
          onConfirm={() => void remove.run(deleting)}
          busy={remove.busy}
          error={remove.error}
        />
      ) : null}
    </>
  );
}

const CONFIGSET = 'telephone';
const TEMPLATE = 'ContactCenterDefault';

/** Makes the scope, opens it and gives it a first config set, so that the voice lab works at once. */
async function makeTenant(draft: {
  scopeId: string;
  customerName: string;
  type: string;
  persons: number;
}): Promise<string> {
  const { gkScopeId } = await post<{ gkScopeId: { value: string } }>('/v1/scopes', {
    scopeId: draft.scopeId,
    details: { customerName: draft.customerName, scopeType: draft.type },
    scopeProfile: 'SCOPE_PROFILE_DEFAULT',
    expectedPersonsNumber: draft.persons,
  });
  await put(`${scopePath(gkScopeId.value)}/state`, { scopeState: 'SCOPE_STATE_ACTIVE' });
  const context = { gkScopeId };
  const made = await post<{ gkConfigsetRevisionId: { value: string } }>('/v1/configsets', {
    context,
    configsetId: CONFIGSET,
    type: 'CONFIGSET_TYPE_OPERATIONAL',
    performValidation: true,
    sourceTemplateId: TEMPLATE,
  });
  await put(`/v1/configsets/revisions/${made.gkConfigsetRevisionId.value}:activate`, { context });
  return gkScopeId.value;
}

function CreateDialog({
  onClose,
  onDone,
}: {
  onClose: () => void;
  onDone: (gkScopeId: string) => void;
}): ReactNode {
  const form = useForm(
    { scopeId: '', customerName: '', type: 'SCOPE_TYPE_PRODUCTION', expectedPersonsNumber: '1000' },
    async (draft) => {
      const scopeId = draft.scopeId.trim();
      const made = await makeTenant({
        scopeId,
        customerName: draft.customerName.trim(),
        type: draft.type,
        persons: Number(draft.expectedPersonsNumber),
      });
      toast(`${scopeId} is ready and in use here.`);
      onDone(made);
    },
  );
  return (
    <FormDialog title="New tenant" onClose={onClose} submitLabel="Create tenant" {...form.submit}>
      <TextField
        label="Tenant name"
        hint="Programs know the tenant by it."
        autoFocus
        spellCheck={false}
        {...form.text('scopeId')}
      />
      <TextField label="Customer" optional {...form.text('customerName')} />
      <SelectField
        label="Used for"
        options={['PRODUCTION', 'INTERNAL', 'DEMO'].map((value) => ({
          value: `SCOPE_TYPE_${value}`,
          label: words(value),
        }))}
        {...form.text('type')}
      />
      <TextField label="People expected" type="number" min={1} {...form.text('expectedPersonsNumber')} />
    </FormDialog>
  );
}

function RenameDialog({
  scope,
  onClose,
  onDone,
}: {
  scope: Scope;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const path = scopePath(scope.gkScopeId.value);
  const form = useForm(
    {
      newScopeId: scope.scopeId,
      customerName: scope.customerName ?? '',
      description: scope.description ?? '',
    },
    async ({ newScopeId, customerName, description }) => {
      await patch(path, {
        details: { customerName: customerName.trim(), description: description.trim() },
        fieldMask: 'customerName,description',
      });
      if (newScopeId.trim() !== scope.scopeId)
        await patch(`${path}/scope_id`, { newScopeId: newScopeId.trim() });
      toast('The tenant is saved.');
      onDone();
    },
  );
  return (
    <FormDialog
      title={`Rename ${scope.scopeId}`}
      onClose={onClose}
      submitLabel="Save tenant"
      {...form.submit}
    >
      <TextField
        label="Tenant name"
        hint="Programs that look it up by name need the new one; its ID stays."
        autoFocus
        spellCheck={false}
        {...form.text('newScopeId')}
      />
      <TextField label="Customer" optional {...form.text('customerName')} />
      <TextField label="Description" optional {...form.text('description')} />
    </FormDialog>
  );
}
