// The list of groups or watchlists.
import { useState, type ReactNode } from 'react';
import { usePages } from '../../api/use-pages.js';
import { Button } from '../../kit/button.js';
import { TextField } from '../../kit/field.js';
import { useFilters, usePaused } from '../../kit/filters.js';
import { ListFoot } from '../../kit/list-foot.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { Link } from '../../router.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { t as shell } from '../../text/shell.js';
import { AddEntry } from './add-entry.js';
import { collectionKinds, listCollections, type CollectionKind } from './kinds.js';

export function CollectionList({ kind }: { kind: CollectionKind }): ReactNode {
  const read = useReadContext();
  if (!read) return <EmptyState icon="people" title={shell.chooseTenant} />;
  return <Collections kind={kind} read={read} />;
}

function Collections({ kind, read }: { kind: CollectionKind; read: Context }): ReactNode {
  const { text, path } = collectionKinds[kind];
  const filters = useFilters({ q: '' });
  const query = usePaused(filters.values.q.trim());
  const [adding, setAdding] = useState(false);
  const pages = usePages(`${kind} ${read.gkScopeId.value} ${query}`, (pageToken, signal) =>
    listCollections(kind, read, { query, pageToken }, signal),
  );
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
          <Button kind="primary" onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        </div>
      </div>
      <Loaded query={pages.query} what={text.loading}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon="people" title={filters.isNarrowed ? text.noMatch : text.none}>
              {text.about}
            </EmptyState>
          ) : (
            <>
              <Table
                caption={text.title}
                rows={rows}
                rowKey={(row) => row.gkId}
                columns={[
                  {
                    label: t.columns.identifier,
                    cell: (row) => <Link to={`/people/${path}/${row.gkId}`}>{row.id}</Link>,
                  },
                  { label: t.columns.members, cell: (row) => text.members(row.members) },
                  { label: t.columns.added, whole: true, cell: (row) => <Time at={row.createdAt} /> },
                ]}
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
