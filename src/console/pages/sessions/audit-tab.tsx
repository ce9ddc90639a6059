// The audit trail: search, export, and the proof that nothing was changed or taken out.
import type { ReactNode } from 'react';
import type { RecordTypeJson } from '../../../gen/vendor/biosec/v1/history/history_pb.js';
import type { AuditRecordJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { readAll, usePages, type Page } from '../../api/use-pages.js';
import { toCsv } from '../../format/csv.js';
import { Button } from '../../kit/button.js';
import { downloadFile } from '../../kit/copy.js';
import { SelectField, TextField } from '../../kit/field.js';
import { useFilters, usePaused } from '../../kit/filters.js';
import { DateFields, spanOf } from '../../kit/dates.js';
import { ListFoot } from '../../kit/list-foot.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { useMemberNames } from '../biosec/members.js';
import { operationWords, recordWords } from '../biosec/operations.js';
import { SessionLink } from '../biosec/session-link.js';
import { Proof } from './proof.js';
import { RecordObject, RecordView } from './record-view.js';

const text = t.audit;
const types = Object.keys(checks.records) as RecordTypeJson[];
const EXPORT_PAGE = 1000;
const EXPORT_MOST = 50_000;

export function AuditTab(): ReactNode {
  const read = useReadContext();
  if (!read) return <EmptyState icon="sessions" title={shell.chooseTenant} />;
  return <Audit read={read} />;
}

function Audit({ read }: { read: Context }): ReactNode {
  const filters = useFilters({ q: '', kind: '', from: '', to: '' });
  const { q, kind, from, to } = filters.values;
  const sought = usePaused(q.trim());
  const load = async (
    pageToken: string,
    signal?: AbortSignal,
    pageSize = 50,
  ): Promise<Page<AuditRecordJson>> => {
    const recordType = types.filter((type) => type === kind);
    const request = { context: read, query: sought, recordType, pageSize, pageToken, ...spanOf(from, to) };
    const answer = await call('ListAuditRecords', request, signal);
    return { rows: answer.records ?? [], next: answer.nextPageToken };
  };
  const pages = usePages(`audit ${read.gkScopeId.value} ${sought} ${kind} ${from} ${to}`, load);
  return (
    <div className="stack">
      <div className="list-bar" role="search">
        <TextField
          label={text.find}
          hint={text.findHint}
          type="search"
          value={q}
          onValue={(value) => filters.set({ q: value })}
        />
        <SelectField
          label={text.kind}
          value={kind}
          onValue={(value) => filters.set({ kind: value })}
          options={[
            { value: '', label: shell.all },
            ...types.map((value) => ({ value, label: recordWords(value) })),
          ]}
        />
        <DateFields from={from} to={to} onDates={filters.set} />
      </div>
      <Exports load={(token) => load(token, undefined, EXPORT_PAGE)} />
      <Proof verify={() => call('VerifyAuditChain', { context: read })} />
      <Loaded query={pages.query} what={text.loading}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon="sessions" title={filters.isNarrowed ? text.noMatch : text.none}>
              {filters.isNarrowed ? text.noMatchText : text.noneText}
            </EmptyState>
          ) : (
            <>
              <Records rows={rows} />
              <ListFoot pages={pages} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function Exports({ load }: { load: (token: string) => Promise<Page<AuditRecordJson>> }): ReactNode {
  const exporting = useAction(async (format: 'json' | 'csv') => {
    const { rows, isComplete } = await readAll(load, EXPORT_MOST);
    if (format === 'json') downloadFile('audit.json', JSON.stringify(rows, null, 2));
    else downloadFile('audit.csv', auditCsv(rows), 'text/csv');
    toast([shell.exported(text.count(rows.length)), ...(isComplete ? [] : [text.more])].join('. '));
  });
  return (
    <>
      <div className="row">
        <Button busy={exporting.busy} onClick={() => void exporting.run('json')}>
          {shell.exportJson}
        </Button>
        <Button busy={exporting.busy} onClick={() => void exporting.run('csv')}>
          {shell.exportCsv}
        </Button>
      </div>
      {exporting.error ? <ErrorNotice error={exporting.error} title={shell.exportFailed} /> : null}
    </>
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
        { label: text.what, cell: (row) => operationWords(row.operation) },
        { label: text.by, whole: true, cell: (row) => nameOf(row.member) },
        {
          label: text.object,
          cell: (row) => <RecordObject type={row.recordType} json={row.recordAsJson} />,
        },
        {
          label: text.session,
          whole: true,
          cell: (row) =>
            row.context?.gkSessionId?.value ? (
              <SessionLink gkId={row.context.gkSessionId.value} />
            ) : (
              shell.none
            ),
        },
        {
          label: text.record,
          cell: (row) => (
            <RecordView
              summary={recordWords(row.recordType)}
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
      'session',
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
      row.context?.gkSessionId?.value,
      row.context?.gkEngagementId?.value,
      row.recordAsJson,
      row.hash,
      row.previousHash,
    ]),
  );
}
