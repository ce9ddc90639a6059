// Tables that become cards on a phone: each column knows its own label.
import type { ReactNode } from 'react';

export interface Column<T> {
  label: string;
  cell: (row: T) => ReactNode;
  /** Right-aligned figures. */
  number?: boolean;
  /** Buttons: the label is for screen readers only. */
  actions?: boolean;
  /** Short and never broken in two: a name, a time, an identifier. */
  whole?: boolean;
}

export function Table<T>({
  caption,
  columns,
  rows,
  rowKey,
}: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
}): ReactNode {
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label={caption}>
      <table className="table stacks">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={column.number ? 'number' : undefined}>
                {column.actions ? <span className="visually-hidden">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
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
  );
}
