// The audit trail: search, export, and the proof that nothing was changed or taken out.
import { useState, type ReactNode } from 'react';
import { get, post } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { dateTime, shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { downloadFile } from '../../kit/copy.js';
import { SelectField, TextField } from '../../kit/field.js';
import { EmptyState, ErrorNotice, Loaded, Notice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { Link } from '../../router.js';
import { useBiosecContext } from '../../tenant/tenant.js';
import { toCsv } from './csv.js';
import { useMemberNames } from '../biosec/members.js';
import { operationWords, recordWords } from '../biosec/operations.js';
import type { AuditRecord } from './types.js';

const types = [
  'ENGAGEMENT',
  'SESSION',
  'PERSON',
  'FRAUDSTER',
  'GROUP',
  'WATCHLIST',
  'MEDIA',
  'AUDIO',
  'VOICEPRINT',
  'ANTI_SPOOFING_AUDIT_INFO',
  'FACTORS_AUDIT_INFO',
  'RISK_ENGINE',
  'CALIBRATION',
  'SCOPE',
  'JOBS',
  'DELETE_PERSONAL_DATA',
  'PERSONAL_DATA_DELETED',
];
const EXPORT_PAGE = 1000;
const EXPORT_MOST = 50_000;

interface Answer {
  records?: AuditRecord[];
  nextPageToken?: string;
}

interface Verification {
  intact?: boolean;
  recordsChecked?: string;
  firstBrokenSequence?: string;
  message?: string;
  headHash?: string;
}

export function AuditTab(): ReactNode {
  const { read } = useBiosecContext();
  const [text, setText] = useState('');
  const [type, setType] = useState('');
  const [size, setSize] = useState(50);
  const filter = { context: read, query: text.trim(), recordType: type };
  const list = useQuery(
    read && `audit ${read.gkScopeId.value} ${text.trim()} ${type} ${String(size)}`,
    (signal) => get<Answer>('/v1/x/audit/records', { ...filter, pageSize: size }, signal),
  );
  const proof = useAction(() => post<Verification>('/v1/x/audit/verification', { context: read }));
  const nameOf = useMemberNames();
  const [proven, setProven] = useState<Verification | undefined>();
  const exporting = useAction(async (format: 'json' | 'csv') => {
    const records: AuditRecord[] = [];
    let pageToken = '';
    do {
      const page = await get<Answer>('/v1/x/audit/records', { ...filter, pageSize: EXPORT_PAGE, pageToken });
      records.push(...(page.records ?? []));
      pageToken = page.nextPageToken ?? '';
    } while (pageToken !== '' && records.length < EXPORT_MOST);
    if (format === 'json') downloadFile('audit.json', JSON.stringify(records, null, 2));
    else downloadFile('audit.csv', auditCsv(records), 'text/csv');
    toast(
      `${records.length.toLocaleString()} records exported${pageToken === '' ? '' : '. There are more: narrow the search'}`,
    );
  });
  if (!read) return <EmptyState icon="sessions" title="Choose a tenant first" />;
  return (
    <div className="stack">
      <div className="row sessions-bar">
        <TextField
          label="Find a record"
          hint="Any text inside it."
          type="search"
          value={text}
          onValue={setText}
        />
        <SelectField
          label="Kind"
          value={type}
          onValue={setType}
          options={[
            { value: '', label: 'All' },
            ...types.map((name) => ({ value: `RECORD_TYPE_${name}_EVENT`, label: recordWords(name) })),
          ]}
        />
      </div>
      <div className="row">
        <Button busy={exporting.busy} onClick={() => void exporting.run('json')}>
          Export as JSON
        </Button>
        <Button busy={exporting.busy} onClick={() => void exporting.run('csv')}>
          Export as CSV
        </Button>
        <Button
          kind="primary"
          busy={proof.busy}
          onClick={() => {
            setProven(undefined);
            void proof.run().then(setProven);
          }}
        >
          Verify the chain
        </Button>
      </div>
      {exporting.error ? <ErrorNotice error={exporting.error} title="The export failed" /> : null}
      {proof.error ? <ErrorNotice error={proof.error} title="The chain could not be checked" /> : null}
      <div role="status">
        {proven ? (
          proven.intact ? (
            <Notice
              tone="good"
              title={`The chain is whole: ${Number(proven.recordsChecked ?? 0).toLocaleString()} records checked`}
            >
              <span>
                Newest hash <code>{proven.headHash}</code>
              </span>
            </Notice>
          ) : (
            <Notice tone="bad" title={`The chain is broken at record ${proven.firstBrokenSequence ?? '?'}`}>
              <span>{proven.message}</span>
            </Notice>
          )
        ) : null}
      </div>
      <Loaded query={list} what="Loading records">
        {({ records = [], nextPageToken }) =>
          records.length === 0 ? (
            <EmptyState icon="sessions" title={text || type ? 'No record fits' : 'No records yet'}>
              {text || type
                ? 'Loosen the search above.'
                : 'Everything that is done in this tenant leaves a record here.'}
            </EmptyState>
          ) : (
            <>
              <Table
                caption="Audit records, newest first"
                rows={records}
                rowKey={(row) => row.sequence ?? row.hash ?? ''}
                columns={[
                  { label: 'No.', number: true, cell: (row) => row.sequence },
                  { label: 'Time', whole: true, cell: (row) => dateTime(row.createTime) },
                  { label: 'What happened', cell: (row) => operationWords(row.operation) },
                  { label: 'By', cell: (row) => nameOf(row.member) },
                  {
                    label: 'Session',
                    whole: true,
                    cell: (row) =>
                      row.context?.gkSessionId?.value ? (
                        <Link to={`/sessions/${row.context.gkSessionId.value}`}>
                          {shortId(row.context.gkSessionId.value)}
                        </Link>
                      ) : (
                        '-'
                      ),
                  },
                  { label: 'Record', cell: (row) => <RecordText record={row} /> },
                ]}
              />
              {nextPageToken && size < 1000 ? (
                <div>
                  <Button
                    size="small"
                    busy={list.busy}
                    onClick={() => setSize((value) => Math.min(1000, value + 150))}
                  >
                    Show more
                  </Button>
                </div>
              ) : null}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function RecordText({ record }: { record: AuditRecord }): ReactNode {
  return (
    <details>
      <summary>{recordWords(record.recordType)}</summary>
      <pre className="audit-record" tabIndex={0} aria-label={`Record ${record.sequence ?? ''}`}>
        {pretty(record.recordAsJson)}
        {`\nhash ${record.hash ?? ''}`}
      </pre>
    </details>
  );
}

function pretty(text: string | undefined): string {
  try {
    return JSON.stringify(JSON.parse(text ?? '{}'), null, 2);
  } catch {
    return text ?? '';
  }
}

export function auditCsv(records: readonly AuditRecord[]): string {
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
