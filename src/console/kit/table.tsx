// Tables that become cards on a phone: each column knows its own label. Columns can sort, rows can be selected.
import type { ReactNode } from 'react';
import { t } from '../text/shell.js';
import { SelectField } from './field.js';

export interface Column<T> {
  label: string;
  cell: (row: T) => ReactNode;
  /** Right-aligned figures. */
  number?: boolean;
  /** Buttons: the label is for screen readers only. */
  actions?: boolean;
  /** Short and never wrapped: a name, a time, an identifier. */
  whole?: boolean;
  /** The server's name for the order by this column; absent if it cannot be sorted by. */
  sort?: string;
}

/** `name` or, in reverse order, `-name`. */
interface Sorting {
  by: string;
  onSort: (by: string) => void;
}

export interface Selection<T> {
  selected: ReadonlySet<string>;
  onSelected: (selected: ReadonlySet<string>) => void;
  /** The name of a row. */
  nameOf: (row: T) => string;
}

interface TableProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  sorting?: Sorting | undefined;
  selection?: Selection<T> | undefined;
}

export function Table<T>({ caption, columns, rows, rowKey, sorting, selection }: TableProps<T>): ReactNode {
  return (
    <>
      {sorting ? <Order columns={columns} sorting={sorting} /> : null}
      <div className="table-wrap" tabIndex={0} role="group" aria-label={caption}>
        <table className="table stacks">
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {selection ? <SelectAll rows={rows} rowKey={rowKey} selection={selection} /> : null}
              {columns.map((column) => (
                <HeadCell key={column.label} column={column} sorting={sorting} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)} data-selected={selection?.selected.has(rowKey(row)) || undefined}>
                {selection ? <SelectOne row={row} id={rowKey(row)} selection={selection} /> : null}
                {columns.map((column) => (
                  <td
                    key={column.label}
                    data-label={column.actions ? '' : column.label}
                    className={column.number ? 'number' : column.whole ? 'whole' : undefined}
                  >
                    <div className={column.actions ? 'actions' : undefined}>{column.cell(row)}</div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** For phones, on which the column heads are hidden. */
function Order<T>({ columns, sorting }: { columns: readonly Column<T>[]; sorting: Sorting }): ReactNode {
  return (
    <div className="list-order">
      <SelectField
        label={t.table.order}
        value={sorting.by}
        onValue={sorting.onSort}
        options={columns.flatMap(({ label, sort }) =>
          sort === undefined
            ? []
            : [
                { value: sort, label: `${label} ▲` },
                { value: `-${sort}`, label: `${label} ▼` },
              ],
        )}
      />
    </div>
  );
}

function HeadCell<T>({
  column: { label, sort, number, actions },
  sorting,
}: {
  column: Column<T>;
  sorting: Sorting | undefined;
}): ReactNode {
  const className = number ? 'number' : undefined;
  if (!sorting || sort === undefined)
    return (
      <th scope="col" className={className}>
        {actions ? <span className="visually-hidden">{label}</span> : label}
      </th>
    );
  const order = sorting.by === sort ? 'ascending' : sorting.by === `-${sort}` ? 'descending' : 'none';
  return (
    <th scope="col" className={className} aria-sort={order}>
      <button
        type="button"
        className="sort"
        title={t.table.sortBy(label)}
        onClick={() => sorting.onSort(order === 'ascending' ? `-${sort}` : sort)}
      >
        {label}
        <span aria-hidden="true">{order === 'ascending' ? '▲' : order === 'descending' ? '▼' : '↕'}</span>
      </button>
    </th>
  );
}

function SelectAll<T>({
  rows,
  rowKey,
  selection: { selected, onSelected },
}: Pick<TableProps<T>, 'rows' | 'rowKey'> & { selection: Selection<T> }): ReactNode {
  const every = rows.length > 0 && rows.every((row) => selected.has(rowKey(row)));
  return (
    <th scope="col" className="select">
      <input
        type="checkbox"
        aria-label={t.table.selectAll}
        checked={every}
        onChange={() => onSelected(every ? new Set() : new Set(rows.map(rowKey)))}
      />
    </th>
  );
}

function SelectOne<T>({
  row,
  id,
  selection: { selected, onSelected, nameOf },
}: {
  row: T;
  id: string;
  selection: Selection<T>;
}): ReactNode {
  const toggle = (): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelected(next);
  };
  return (
    <td className="select" data-label="">
      <input
        type="checkbox"
        aria-label={t.table.select(nameOf(row))}
        checked={selected.has(id)}
        onChange={toggle}
      />
    </td>
  );
}
