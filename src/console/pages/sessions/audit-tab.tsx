// The audit trail: search, export, and the proof that nothing was changed or removed.
import type { ReactNode } from 'react';
import type { MemberJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { RecordTypeJson } from '../../../gen/vendor/biosec/v1/history/history_pb.js';
import type { AuditRecordJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { usePages, type Page } from '../../api/use-pages.js';
import { toCsv } from '../../../manifest/csv.js';
import { useMe } from '../../api/session.js';
import { Combobox } from '../../kit/combobox.js';
import { useFilters, usePaused } from '../../kit/filters.js';
import { DateFields, spanOf } from '../../kit/dates.js';
import { ChoiceFilter, List } from '../../kit/list.js';
import { EmptyState } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { useMemberNames } from '../biosec/members.js';
import { recordWords } from '../biosec/operations.js';
import { SessionLink } from '../biosec/session-link.js';
import { useProof } from './proof.js';
import { RecordAct, RecordObject, RecordView } from './record-view.js';

const text = t.audit;
const EVERY_MS = 10_000;
const types = Object.keys(checks.records) as RecordTypeJson[];
export const CHANGES = 'changes';
/** What the installation does by itself, in its records. */
const SYSTEM = 'system';

export function AuditTab(): ReactNode {
  const read = useReadContext();
  if (!read) return <EmptyState icon="sessions" title={shell.chooseTenant} />;
  return <Audit read={read} />;
}

function Audit({ read }: { read: Context }): ReactNode {
  const filters = useFilters({ q: '', kind: '', by: '', from: '', to: '' }, { kind: [CHANGES, ...types] });
  const { q, kind, by, from, to } = filters.values;
  const sought = usePaused(q.trim());
  const actor = useActor(by);
  const proof = useProof(() => call('VerifyAuditChain', { context: read }));
  const load = async (
    pageToken: string,
    signal?: AbortSignal,
    pageSize = 50,
  ): Promise<Page<AuditRecordJson>> => {
    const recordType = types.filter((type) => type === kind);
    const asked = { query: sought, recordType, actor, changesOnly: kind === CHANGES, ...spanOf(from, to) };
    const request = { context: read, ...asked, pageSize, pageToken };
    const answer = await call('ListAuditRecords', request, signal);
    return { rows: answer.records ?? [], next: answer.nextPageToken };
  };
  const pages = usePages(
    { list: `audit ${read.gkScopeId.value}`, view: `${sought} ${kind} ${actor} ${from} ${to}` },
    load,
    { everyMs: EVERY_MS },
  );
  return (
    <List
      filters={filters}
      find={text.find}
      findHint={text.findHint}
      fields={
        <>
          <ChoiceFilter
            label={text.kind}
            value={kind}
            onValue={(value) => filters.set({ kind: value })}
            options={[
              { value: CHANGES, label: text.changes },
              ...types.map((value) => ({ value, label: recordWords(value) })),
            ]}
          />
          <ByField
            by={by}
            onBy={(value) => filters.set({ by: value })}
            members={(pages.query.data ?? []).map(({ member }) => member)}
          />
          <DateFields from={from} to={to} onDates={filters.set} />
        </>
      }
      views="audit"
      export={{
        file: 'audit',
        count: text.count,
        toCsv: auditCsv,
        json: true,
        load: (token, pageSize) => load(token, undefined, pageSize),
      }}
      actions={proof.button}
      above={proof.verdict}
      pages={pages}
      note={t.list.refreshed(EVERY_MS / 1000)}
      loading={text.loading}
      empty={
        <EmptyState icon="sessions" title={filters.isNarrowed ? text.noMatch : text.none}>
          {filters.isNarrowed ? text.noMatchText : text.noneText}
        </EmptyState>
      }
    >
      {(rows) => <Records rows={rows} />}
    </List>
  );
}

/** As the server knows whoever the column shows. */
export function useActor(by: string): string {
  const me = useMe();
  const actor = usePaused(by.trim());
  if (actor === checks.you) return me.userId;
  return actor === checks.system ? SYSTEM : actor;
}

/** Suggests whoever the column shows. */
export function ByField({
  by,
  onBy,
  members,
}: {
  by: string;
  onBy: (value: string) => void;
  members: readonly (MemberJson | undefined)[];
}): ReactNode {
  const nameOf = useMemberNames();
  const sought = by.trim().toLowerCase();
  const names = [...new Set([checks.you, checks.system, ...members.map(nameOf)])];
  const suggestions = names.filter((name) => name.toLowerCase().includes(sought) && name !== by);
  return (
    <Combobox
      label={text.by}
      value={by}
      onValue={onBy}
      suggestions={suggestions.map((value) => ({ value }))}
    />
  );
}

function Records({ rows }: { rows: readonly AuditRecordJson[] }): ReactNode {
  const nameOf = useMemberNames();
  return (
    <Table
      caption={text.caption}
      rows={rows}
      rowKey={(row) => row.sequence ?? row.hash ?? ''}
      columns={[
        { label: text.number, number: true, cell: (row) => row.sequence },
        { label: text.time, whole: true, cell: (row) => <Time at={row.createTime} /> },
        { label: text.what, cell: (row) => <RecordAct row={row} /> },
        { label: text.by, whole: true, cell: (row) => nameOf(row.member) },
        {
          label: text.object,
          cell: (row) => <RecordObject row={row} />,
        },
        {
          label: text.session,
          whole: true,
          cell: (row) =>
            row.gkSessionId?.value ? (
              <SessionLink gkId={row.gkSessionId.value} name={row.sessionId} />
            ) : (
              shell.none
            ),
        },
        {
          label: text.record,
          cell: (row) => (
            <RecordView
              summary={recordWords(row.recordType)}
              operation={row.operation}
              sequence={row.sequence ?? ''}
              json={row.recordAsJson}
              hash={row.hash}
            />
          ),
        },
      ]}
    />
  );
}

function auditCsv(records: readonly AuditRecordJson[]): string {
  return toCsv(
    [
      'sequence',
      'time',
      'type',
      'operation',
      'by',
      'by_name',
      'object_name',
      'session',
      'session_name',
      'engagement',
      'record',
      'hash',
      'previous_hash',
    ],
    records.map((row) => [
      row.sequence,
      row.createTime,
      row.recordType,
      row.operation,
      row.member?.externalId,
      row.member?.label,
      row.objectName,
      row.gkSessionId?.value,
      row.sessionId,
      row.context?.gkEngagementId?.value,
      row.recordAsJson,
      row.hash,
      row.previousHash,
    ]),
  );
}
