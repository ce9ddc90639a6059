// The audit trail of the installation: sign-ins, users, applications, clients, secrets and keys, by whom and to what.
import type { ReactNode } from 'react';
import type { MemberJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SystemAuditRecordJson } from '../../../gen/voxgate/management/v1/system_pb.js';
import { toCsv } from '../../../manifest/csv.js';
import { call } from '../../api/client.js';
import { usePages, type Page } from '../../api/use-pages.js';
import { shortId } from '../../format/text.js';
import { DateFields, spanOf } from '../../kit/dates.js';
import { useFilters, usePaused } from '../../kit/filters.js';
import { ChoiceFilter, List } from '../../kit/list.js';
import { EmptyState } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { Link } from '../../router.js';
import { useTenant } from '../../tenant/tenant.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { useMemberNames } from '../biosec/members.js';
import { operationWords, targetWords } from '../biosec/operations.js';
import { ByField, CHANGES, useActor } from './audit-tab.js';
import { useProof } from './proof.js';
import { RecordView } from './record-view.js';
import { targetPlace, type NameOfId } from './record-words.js';

const text = t.audit;
const EVERY_MS = 10_000;

/** Members of a record that identify a user. */
const userMembers: ReadonlySet<string> = new Set(['user', 'userId']);

const memberOf = ({ actorUsername = '', actor = '' }: SystemAuditRecordJson): MemberJson => ({
  externalId: actor,
  label: actor === 'system' ? checks.system : actorUsername,
});

const columnsWith = (
  nameOf: ReturnType<typeof useMemberNames>,
  tenantOf: NameOfId,
  nameOfId: NameOfId,
): readonly Column<SystemAuditRecordJson>[] => [
  { label: text.number, number: true, cell: (row) => row.sequence },
  { label: text.time, whole: true, cell: (row) => <Time at={row.createTime} /> },
  { label: text.what, cell: (row) => operationWords(row.operation) },
  {
    label: text.by,
    cell: (row) => nameOf(memberOf(row)),
  },
  {
    label: text.object,
    cell: (row) => {
      const { targetType, targetId, targetName } = row;
      if (!targetId) return shell.none;
      const isMember = !targetName && (targetType === 'user' || targetId.startsWith('appID:'));
      const words = isMember ? nameOf({ externalId: targetId }) : objectWords(row, tenantOf);
      const to = targetPlace(targetType, targetId);
      return to ? (
        <Link to={to} title={targetId}>
          {words}
        </Link>
      ) : (
        <span title={targetId}>{words}</span>
      );
    },
  },
  {
    label: text.record,
    cell: (row) => (
      <RecordView
        summary={text.details}
        sequence={row.sequence ?? ''}
        json={row.recordAsJson}
        hash={row.hash}
        nameOf={nameOfId}
      />
    ),
  },
];

/** The target; a tenant has no type of its own in its records. */
function objectWords(
  { targetType, targetId = '', targetName }: SystemAuditRecordJson,
  tenantOf: NameOfId,
): string {
  const tenant = targetType ? undefined : tenantOf(targetId);
  if (tenant) return `${targetWords('tenant')} ${tenant}`;
  return `${targetWords(targetType)} ${targetName || shortId(targetId)}`.trim();
}

export function SystemAuditTab(): ReactNode {
  const filters = useFilters({ q: '', kind: '', by: '', from: '', to: '' }, { kind: [CHANGES] });
  const { q, kind, by, from, to } = filters.values;
  const sought = usePaused(q.trim());
  const actor = useActor(by);
  const load = async (
    pageToken: string,
    signal?: AbortSignal,
    pageSize = 50,
  ): Promise<Page<SystemAuditRecordJson>> => {
    const asked = { query: sought, actor, changesOnly: kind === CHANGES, ...spanOf(from, to) };
    const request = { ...asked, pageSize, pageToken };
    const answer = await call('ListSystemAuditRecords', request, signal);
    return { rows: answer.records ?? [], next: answer.nextPageToken };
  };
  const nameOf = useMemberNames();
  const { tenants } = useTenant();
  // Only tenants that still exist.
  const tenantOf: NameOfId = (id) => tenants.find((tenant) => tenant.id === id)?.label;
  const nameOfId: NameOfId = (id, member = '') =>
    tenantOf(id) ?? (userMembers.has(member) ? nameOf({ externalId: id }) : undefined);
  const proof = useProof(() => call('VerifySystemAudit', {}));
  const pages = usePages({ list: 'system audit', view: `${sought} ${kind} ${actor} ${from} ${to}` }, load, {
    everyMs: EVERY_MS,
  });
  return (
    <div className="stack">
      <p className="soft">{text.systemAbout}</p>
      <List
        filters={filters}
        find={text.find}
        findHint={text.systemFindHint}
        fields={
          <>
            <ChoiceFilter
              label={text.kind}
              value={kind}
              onValue={(value) => filters.set({ kind: value })}
              options={[{ value: CHANGES, label: text.changes }]}
            />
            <ByField
              by={by}
              onBy={(value) => filters.set({ by: value })}
              members={(pages.query.data ?? []).map(memberOf)}
            />
            <DateFields from={from} to={to} onDates={filters.set} />
          </>
        }
        views="system-audit"
        isShared
        export={{
          file: 'installation-audit',
          count: text.count,
          toCsv: systemAuditCsv,
          json: true,
          load: (token, pageSize) => load(token, undefined, pageSize),
        }}
        actions={proof.button}
        above={proof.verdict}
        pages={pages}
        note={t.list.refreshed(EVERY_MS / 1000)}
        loading={text.loading}
        empty={<EmptyState icon="sessions" title={filters.isNarrowed ? text.noMatch : text.none} />}
      >
        {(rows) => (
          <Table
            caption={text.systemCaption}
            rows={rows}
            rowKey={(row) => row.sequence ?? row.hash ?? ''}
            columns={columnsWith(nameOf, tenantOf, nameOfId)}
          />
        )}
      </List>
    </div>
  );
}

function systemAuditCsv(records: readonly SystemAuditRecordJson[]): string {
  return toCsv(
    ['sequence', 'time', 'operation', 'by', 'target_type', 'target', 'target_name', 'record', 'hash'],
    records.map((row) => [
      row.sequence,
      row.createTime,
      row.operation,
      row.actorUsername || row.actor,
      row.targetType,
      row.targetId,
      row.targetName,
      row.recordAsJson,
      row.hash,
    ]),
  );
}
