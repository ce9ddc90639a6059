// Tenants: partitions whose voices never mix. Administrators make them ready to use, and end them.
import { useState, type ReactNode } from 'react';
import type { ScopeStateJson } from '../../../gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { Badge, PageHead, type BadgeTone } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, ErrorState, Loading } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { useTenant, type Tenant } from '../../tenant/tenant.js';
import { t as shell } from '../../text/shell.js';
import { t } from '../../text/tenants.js';
import { CreateDialog, RenameDialog } from './tenant-dialogs.js';

const tones: Partial<Record<ScopeStateJson, BadgeTone>> = {
  SCOPE_STATE_ACTIVE: 'good',
  SCOPE_STATE_PENDING_DELETION: 'warn',
  SCOPE_STATE_DELETED: 'bad',
};

type Question = { kind: 'create' } | { kind: 'rename' | 'delete'; tenant: Tenant };

export function TenantsPage(): ReactNode {
  const { tenants, loading, error, reload } = useTenant();
  const [question, setQuestion] = useState<Question>();
  const close = (): void => setQuestion(undefined);
  const done = (): void => {
    close();
    reload();
  };
  const add = (
    <Button kind="primary" onClick={() => setQuestion({ kind: 'create' })}>
      {t.add}
    </Button>
  );
  return (
    <>
      <PageHead title={t.title} actions={add}>
        {t.about}
      </PageHead>
      <div className="stack">
        {error ? <ErrorState error={error} onRetry={reload} /> : null}
        {loading && tenants.length === 0 ? <Loading /> : null}
        {!loading && !error && tenants.length === 0 ? (
          <EmptyState icon="people" title={t.none} action={add}>
            {t.noneText}
          </EmptyState>
        ) : null}
        {tenants.length > 0 ? <TenantTable onQuestion={setQuestion} /> : null}
      </div>
      {question?.kind === 'create' ? <CreateDialog onClose={close} onDone={done} /> : null}
      {question?.kind === 'rename' ? (
        <RenameDialog tenant={question.tenant} onClose={close} onDone={done} />
      ) : null}
      {question?.kind === 'delete' ? (
        <DeleteDialog tenant={question.tenant} onClose={close} onDone={done} />
      ) : null}
    </>
  );
}

function TenantTable({ onQuestion }: { onQuestion: (question: Question) => void }): ReactNode {
  const { tenants, tenant: current, reload, selectTenant } = useTenant();
  const keep = useAction(async ({ id, name }: Tenant) => {
    await call('UnMarkScopeForDeletion', { gkScopeId: { value: id } });
    toast(t.kept(name));
    reload();
  });
  return (
    <>
      {keep.error ? <ErrorNotice error={keep.error} /> : null}
      <Table
        caption={t.caption}
        rows={tenants}
        rowKey={({ id }) => id}
        columns={[
          {
            label: t.tenant,
            cell: ({ id, name, details }) => (
              <div>
                <strong>{name}</strong>
                {id === current?.id ? <span className="soft small"> {t.inUse}</span> : null}
                <div className="soft small">{details.customerName}</div>
              </div>
            ),
          },
          { label: t.id, cell: ({ id }) => <span className="mono">{id}</span> },
          { label: t.state, cell: ({ details }) => <StateBadge state={details.scopeState} /> },
          {
            label: shell.actions,
            actions: true,
            cell: (tenant) =>
              tenant.details.scopeState === 'SCOPE_STATE_PENDING_DELETION' ? (
                <Button size="small" busy={keep.busy} onClick={() => void keep.run(tenant)}>
                  {t.keep}
                </Button>
              ) : (
                <>
                  <Button
                    size="small"
                    disabled={tenant.id === current?.id}
                    onClick={() => selectTenant(tenant.name, '/')}
                  >
                    {t.open}
                  </Button>
                  <Button size="small" onClick={() => onQuestion({ kind: 'rename', tenant })}>
                    {t.rename}
                  </Button>
                  <Button size="small" kind="danger" onClick={() => onQuestion({ kind: 'delete', tenant })}>
                    {shell.delete}
                  </Button>
                </>
              ),
          },
        ]}
      />
    </>
  );
}

function StateBadge({ state }: { state: ScopeStateJson | undefined }): ReactNode {
  if (!state) return shell.none;
  return <Badge tone={tones[state] ?? 'neutral'}>{t.states[state] ?? words(state, 'SCOPE_STATE')}</Badge>;
}

function DeleteDialog({
  tenant: { id, name },
  onClose,
  onDone,
}: {
  tenant: Tenant;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const remove = useAction(async () => {
    await call('MarkScopeForDeletion', { gkScopeId: { value: id } });
    toast(t.deleted(name));
    onDone();
  });
  return (
    <ConfirmDialog
      title={t.deleteTitle(name)}
      word={name}
      consequence={t.deleteText}
      action={t.delete}
      onClose={onClose}
      onConfirm={() => void remove.run()}
      busy={remove.busy}
      error={remove.error}
    />
  );
}
