// The list of groups or watchlists.
import { useState, type ReactNode } from 'react';
import { usePages } from '../../api/use-pages.js';
import { toCsv } from '../../../manifest/csv.js';
import { Button } from '../../kit/button.js';
import { useFilters, usePaused } from '../../kit/filters.js';
import { List } from '../../kit/list.js';
import { EmptyState } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { Link } from '../../router.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { t as shell } from '../../text/shell.js';
import { AddEntry } from './add-entry.js';
import {
  collectionKinds,
  listCollections,
  SORT_DEFAULT,
  type Collection,
  type CollectionKind,
} from './kinds.js';

export function CollectionList({ kind }: { kind: CollectionKind }): ReactNode {
  const read = useReadContext();
  if (!read) return <EmptyState icon="people" title={shell.chooseTenant} />;
  return <Collections kind={kind} read={read} />;
}

function Collections({ kind, read }: { kind: CollectionKind; read: Context }): ReactNode {
  const { text, path, needs } = collectionKinds[kind];
  const filters = useFilters({ q: '', sort: SORT_DEFAULT });
  const query = usePaused(filters.values.q.trim());
  const { sort } = filters.values;
  const [adding, setAdding] = useState(false);
  const pages = usePages(
    { list: `${kind} ${read.gkScopeId.value}`, view: `${query} ${sort}` },
    (pageToken, signal) => listCollections(kind, read, { query, pageToken, sort }, signal),
  );
  return (
    <>
      <List
        filters={filters}
        find={text.find}
        findHint={text.findHint}
        views={kind}
        export={{
          file: kind,
          count: text.count,
          toCsv: csvOf,
          load: (pageToken, pageSize) => listCollections(kind, read, { query, pageToken, pageSize, sort }),
        }}
        actions={
          <Allowed to={needs.add}>
            <Button kind="primary" onClick={() => setAdding(true)}>
              {text.add}
            </Button>
          </Allowed>
        }
        pages={pages}
        loading={text.loading}
        empty={
          <EmptyState icon="people" title={filters.isNarrowed ? text.noMatch : text.none}>
            {text.about}
          </EmptyState>
        }
      >
        {(rows) => (
          <Table
            caption={text.title}
            rows={rows}
            rowKey={(row) => row.gkId}
            sorting={{ by: sort, onSort: (by) => filters.set({ sort: by }) }}
            columns={[
              {
                label: t.columns.identifier,
                sort: 'identifier',
                cell: (row) => <Link to={`/people/${path}/${row.gkId}`}>{row.id}</Link>,
              },
              { label: t.columns.members, cell: (row) => text.members(row.members) },
              {
                label: t.columns.added,
                sort: 'added',
                whole: true,
                cell: (row) => <Time at={row.createdAt} />,
              },
            ]}
          />
        )}
      </List>
      {adding ? <AddEntry kind={kind} onClose={() => setAdding(false)} /> : null}
    </>
  );
}

function csvOf(rows: readonly Collection[]): string {
  return toCsv(
    ['identifier', 'members', 'added', 'system_identifier'],
    rows.map((row) => [row.id, row.members, row.createdAt, row.gkId]),
  );
}
