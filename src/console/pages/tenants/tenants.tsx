// Tenants: partitions whose voices never mix. Administrators create, activate and delete them.
import { useState, type ReactNode } from 'react';
import type { AnswerOf } from '../../../client/contract.js';
import type { ScopeStateJson } from '../../../gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { dateTime } from '../../format/text.js';
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
  const deletions = useQuery('tenant deletions', (signal) => call('ListTenantDeletions', {}, signal));
  const [question, setQuestion] = useState<Question>();
  const close = (): void => setQuestion(undefined);
  const changed = (): void => {
    reload();
    deletions.reload();
  };
  const done = (): void => {
    close();
    changed();
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
        {deletions.error ? <ErrorNotice error={deletions.error} /> : null}
        {tenants.length > 0 ? (
          <TenantTable deletions={deletions.data} onQuestion={setQuestion} onKept={changed} />
        ) : null}
      </div>
      {question?.kind === 'create' ? <CreateDialog onClose={close} onDone={done} /> : null}
      {question?.kind === 'rename' ? (
        <RenameDialog tenant={question.tenant} onClose={close} onDone={done} />
      ) : null}
      {question?.kind === 'delete' && deletions.data ? (
        <DeleteDialog tenant={question.tenant} deletions={deletions.data} onClose={close} onDone={done} />
      ) : null}
    </>
  );
}

type Deletions = AnswerOf<'ListTenantDeletions'>;

const deletionOf = (deletions: Deletions | undefined, { id }: Tenant) =>
  deletions?.tenants?.find(({ gkScopeId }) => gkScopeId === id);

function TenantTable({
  deletions,
  onQuestion,
  onKept,
}: {
  deletions: Deletions | undefined;
  onQuestion: (question: Question) => void;
  onKept: () => void;
}): ReactNode {
  const { tenants, tenant: current, selectTenant } = useTenant();
  const keep = useAction(async ({ id, name }: Tenant) => {
    const gkScopeId = { value: id };
    try {
      await call('UnMarkScopeForDeletion', { gkScopeId });
      // The contract leaves it READY; only a tenant that was active waits to be deleted.
      await call('SetScopeState', { gkScopeId, scopeState: 'SCOPE_STATE_ACTIVE' });
      toast(t.kept(name));
    } finally {
      onKept();
    }
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
          {
            label: t.state,
            cell: (tenant) => {
              const { deleteTime } = deletionOf(deletions, tenant) ?? {};
              return (
                <>
                  <StateBadge state={tenant.details.scopeState} />
                  {deleteTime ? <div className="soft small">{t.deletedOn(dateTime(deleteTime))}</div> : null}
                </>
              );
            },
          },
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
                  <Button
                    size="small"
                    kind="danger"
                    // Disabled until the date can be shown.
                    disabled={!deletions}
                    onClick={() => onQuestion({ kind: 'delete', tenant })}
                  >
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
  return <Badge tone={tones[state] ?? 'neutral'}>{t.states[state]}</Badge>;
}

const DAY_MS = 24 * 60 * 60_000;

function DeleteDialog({
  tenant,
  deletions,
  onClose,
  onDone,
}: {
  tenant: Tenant;
  deletions: Deletions;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const { id, name } = tenant;
  const [endMs] = useState(() => Date.now() + (deletions.waitingDays ?? 0) * DAY_MS);
  const isImmediate = deletionOf(deletions, tenant)?.isImmediate === true;
  const remove = useAction(async () => {
    await call('MarkScopeForDeletion', { gkScopeId: { value: id } });
    toast(t.deleted(name));
    onDone();
  });
  return (
    <ConfirmDialog
      title={t.deleteTitle(name)}
      word={name}
      consequence={isImmediate ? t.deleteAtOnceText : t.deleteText(dateTime(new Date(endMs).toISOString()))}
      action={t.delete}
      onClose={onClose}
      onConfirm={() => void remove.run()}
      busy={remove.busy}
      error={remove.error}
    />
  );
}
