// The list of persons or fraudsters: search, saved views, export, and actions on several at once.
import { useState, type ReactNode } from 'react';
import { usePages } from '../../api/use-pages.js';
import { toCsv } from '../../../manifest/csv.js';
import { Button } from '../../kit/button.js';
import { useFilters, usePaused } from '../../kit/filters.js';
import { List } from '../../kit/list.js';
import { EmptyState } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { Link } from '../../router.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/people.js';
import { t as shell } from '../../text/shell.js';
import { AddEntry } from './add-entry.js';
import { Consent, Prints } from './badges.js';
import { BulkActions } from './bulk-actions.js';
import type { PartyKind } from '../biosec/party-picker.js';
import { listParties, partyKinds, SORT_DEFAULT, type Party } from './kinds.js';

function columnsOf(kind: PartyKind): Column<Party>[] {
  const { path } = partyKinds[kind];
  return [
    {
      label: t.columns.identifier,
      sort: 'identifier',
      cell: (row) => <Link to={`/people/${path}/${row.gkId}`}>{row.id || t.erased}</Link>,
    },
    { label: t.columns.name, cell: (row) => row.name || shell.none },
    { label: t.columns.voiceprints, cell: (row) => <Prints {...row} /> },
    ...(kind === 'person'
      ? [{ label: t.columns.consent, cell: (row: Party) => <Consent status={row.consent} /> }]
      : []),
    { label: t.columns.added, sort: 'added', whole: true, cell: (row) => <Time at={row.createdAt} /> },
  ];
}

function csvOf(rows: readonly Party[]): string {
  return toCsv(
    ['identifier', 'name', 'voiceprints', 'trained', 'locked', 'consent', 'added', 'system_identifier'],
    rows.map((row) => [
      row.id,
      row.name,
      row.prints,
      row.trained,
      row.locked,
      row.consent && t.consent[row.consent],
      row.createdAt,
      row.gkId,
    ]),
  );
}

export function PartyList({ kind }: { kind: PartyKind }): ReactNode {
  const read = useReadContext();
  if (!read) return <EmptyState icon="people" title={shell.chooseTenant} />;
  return <Parties kind={kind} read={read} />;
}

function Parties({ kind, read }: { kind: PartyKind; read: Context }): ReactNode {
  const { text, needs } = partyKinds[kind];
  const filters = useFilters({ q: '', sort: SORT_DEFAULT });
  const query = usePaused(filters.values.q.trim());
  const { sort } = filters.values;
  const may = useMay();
  const [adding, setAdding] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  /** Names of everybody who could be selected so far: some may no longer be in the list. */
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const select = (rows: readonly Party[], next: ReadonlySet<string>): void => {
    setNames((known) => new Map([...known, ...rows.map(({ gkId, id }) => [gkId, id] as const)]));
    setSelected(next);
  };
  const pages = usePages(
    { list: `${kind} ${read.gkScopeId.value}`, view: `${query} ${sort}` },
    (pageToken, signal) => listParties(kind, read, { query, pageToken, sort }, signal),
  );
  return (
    <>
      <List
        filters={filters}
        find={text.find}
        findHint={text.findHint}
        views={kind}
        export={{
          file: t.csvFile,
          count: text.count,
          toCsv: csvOf,
          load: (pageToken, pageSize) => listParties(kind, read, { query, pageToken, pageSize, sort }),
        }}
        actions={
          <Allowed to={needs.add}>
            <Button kind="primary" onClick={() => setAdding(true)}>
              {text.add}
            </Button>
          </Allowed>
        }
        above={
          selected.size > 0 ? (
            <BulkActions
              kind={kind}
              selected={selected}
              onSelected={setSelected}
              reload={pages.query.reload}
              names={names}
              shown={pages.query.data ?? []}
            />
          ) : null
        }
        pages={pages}
        loading={text.loading}
        empty={<NoParties kind={kind} isNarrowed={filters.isNarrowed} />}
      >
        {(rows) => (
          <Table
            caption={text.title}
            rows={rows}
            rowKey={(row) => row.gkId}
            sorting={{ by: sort, onSort: (by) => filters.set({ sort: by }) }}
            columns={columnsOf(kind)}
            {...((may(needs.collect) || may(needs.remove)) && {
              selection: {
                selected,
                onSelected: (next) => select(rows, next),
                nameOf: (row: Party) => row.id || t.erased,
              },
            })}
          />
        )}
      </List>
      {adding ? <AddEntry kind={kind} onClose={() => setAdding(false)} /> : null}
    </>
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
      action={
        text.recordFirst ? (
          <Allowed to="Enroll">
            <Link to="/voice">{text.recordFirst}</Link>
          </Allowed>
        ) : undefined
      }
    >
      {text.noneText}
    </EmptyState>
  );
}
