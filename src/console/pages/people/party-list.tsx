// The list of persons or fraudsters: search, saved views, export, and actions on several at once.
import { useState, type ReactNode } from 'react';
import { useAction } from '../../api/hooks.js';
import { readAll, usePages } from '../../api/use-pages.js';
import { toCsv } from '../../format/csv.js';
import { Button } from '../../kit/button.js';
import { downloadFile } from '../../kit/copy.js';
import { TextField } from '../../kit/field.js';
import { useFilters, usePaused } from '../../kit/filters.js';
import { ListFoot } from '../../kit/list-foot.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { SavedViews } from '../../kit/views.js';
import { Link } from '../../router.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { t as shell } from '../../text/shell.js';
import { AddEntry } from './add-entry.js';
import { Consent, Prints } from './badges.js';
import { BulkActions } from './bulk-actions.js';
import { listParties, partyKinds, type Party, type PartyKind } from './kinds.js';

const EXPORT_PAGE = 1000;
const EXPORT_MOST = 100_000;

function columnsOf(kind: PartyKind): Column<Party>[] {
  const { path } = partyKinds[kind];
  return [
    {
      label: t.columns.identifier,
      cell: (row) => <Link to={`/people/${path}/${row.gkId}`}>{row.id || t.erased}</Link>,
    },
    { label: t.columns.name, cell: (row) => row.name || shell.none },
    { label: t.columns.voiceprints, cell: (row) => <Prints prints={row.prints} trained={row.trained} /> },
    ...(kind === 'person'
      ? [{ label: t.columns.consent, cell: (row: Party) => <Consent status={row.consent} /> }]
      : []),
    { label: t.columns.added, whole: true, cell: (row) => <Time at={row.createdAt} /> },
  ];
}

function csvOf(rows: readonly Party[]): string {
  return toCsv(
    ['identifier', 'name', 'voiceprints', 'trained', 'consent', 'added', 'system_identifier'],
    rows.map((row) => [row.id, row.name, row.prints, row.trained, row.consent, row.createdAt, row.gkId]),
  );
}

export function PartyList({ kind }: { kind: PartyKind }): ReactNode {
  const read = useReadContext();
  if (!read) return <EmptyState icon="people" title={shell.chooseTenant} />;
  return <Parties kind={kind} read={read} />;
}

function Parties({ kind, read }: { kind: PartyKind; read: Context }): ReactNode {
  const { text } = partyKinds[kind];
  const filters = useFilters({ q: '' });
  const query = usePaused(filters.values.q.trim());
  const [adding, setAdding] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const pages = usePages(`${kind} ${read.gkScopeId.value} ${query}`, (pageToken, signal) =>
    listParties(kind, read, { query, pageToken }, signal),
  );
  const exporting = useAction(async () => {
    const { rows } = await readAll(
      (pageToken) => listParties(kind, read, { query, pageToken, pageSize: EXPORT_PAGE }),
      EXPORT_MOST,
    );
    downloadFile(t.csvFile, csvOf(rows), 'text/csv');
    toast(shell.exported(text.count(rows.length)));
  });
  return (
    <div className="stack">
      <div className="list-bar" role="search">
        <TextField
          label={text.find}
          hint={text.findHint}
          type="search"
          value={filters.values.q}
          onValue={(q) => filters.set({ q })}
        />
        <div className="list-actions">
          <Button busy={exporting.busy} onClick={() => void exporting.run()}>
            {shell.exportCsv}
          </Button>
          <Button kind="primary" onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        </div>
      </div>
      <SavedViews list={kind} isNarrowed={filters.isNarrowed} onClear={filters.clear} />
      {exporting.error ? <ErrorNotice error={exporting.error} title={shell.exportFailed} /> : null}
      {selected.size > 0 ? (
        <BulkActions kind={kind} selected={selected} onSelected={setSelected} reload={pages.query.reload} />
      ) : null}
      <Loaded query={pages.query} what={text.loading}>
        {(rows) =>
          rows.length === 0 ? (
            <NoParties kind={kind} isNarrowed={filters.isNarrowed} />
          ) : (
            <>
              <Table
                caption={text.title}
                rows={rows}
                rowKey={(row) => row.gkId}
                columns={columnsOf(kind)}
                selection={{ selected, onSelected: setSelected, nameOf: (row) => row.id || t.erased }}
              />
              <ListFoot pages={pages} />
            </>
          )
        }
      </Loaded>
      {adding ? <AddEntry kind={kind} onClose={() => setAdding(false)} /> : null}
    </div>
  );
}

function NoParties({ kind, isNarrowed }: { kind: PartyKind; isNarrowed: boolean }): ReactNode {
  const { text } = partyKinds[kind];
  if (isNarrowed)
    return (
      <EmptyState icon="people" title={text.noMatch}>
        {text.noMatchText}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="people"
      title={text.none}
      action={text.recordFirst ? <Link to="/voice">{text.recordFirst}</Link> : undefined}
    >
      {text.noneText}
    </EmptyState>
  );
}
