// People who sound like somebody else, with a button to declare them one person if both are known.
import type { ReactNode } from 'react';
import { num } from '../../text/tools.js';
import { Button } from '../../kit/button.js';
import { Table, type Column } from '../../kit/table.js';
import { t } from '../../text/accuracy.js';
import { t as shell } from '../../text/shell.js';
import { PersonLink } from '../biosec/person-link.js';
import { SessionLink } from '../biosec/session-link.js';
import type { PairOfPersons } from './same-pairs.js';

const text = t.report;

interface AlikeRow {
  /** Undefined if nobody said who called. */
  one: string | undefined;
  other: string;
  score: number;
  /** The call, if one was compared. */
  gkSessionId?: string;
}

export function AlikeTable({
  title,
  hint,
  rows,
  onSame,
}: {
  title: string;
  hint: string;
  rows: readonly AlikeRow[];
  /** The user declares two to be one person. */
  onSame: (pair: PairOfPersons) => void;
}): ReactNode {
  if (rows.length === 0) return null;
  const hasCalls = rows.some(({ gkSessionId }) => gkSessionId !== undefined);
  const columns: readonly Column<AlikeRow>[] = [
    {
      label: hasCalls ? text.caller : text.person,
      cell: ({ one }) => (one === undefined ? text.unknownCaller : <PersonLink gkId={one} />),
    },
    ...(hasCalls
      ? [{ label: text.call, cell: ({ gkSessionId }: AlikeRow) => <SessionLink gkId={gkSessionId} /> }]
      : []),
    { label: text.other, cell: ({ other }) => <PersonLink gkId={other} /> },
    { label: text.score, number: true, cell: ({ score }) => num(score, 2) },
    {
      label: shell.actions,
      actions: true,
      cell: ({ one, other }) =>
        one === undefined ? null : (
          <Button size="small" onClick={() => onSame({ one, other })}>
            {text.samePerson}
          </Button>
        ),
    },
  ];
  return (
    <section className="stack" data-tight>
      <h3>{title}</h3>
      <p className="soft">{hint}</p>
      <Table
        caption={title}
        rows={rows}
        rowKey={({ one, other, gkSessionId = '' }) => `${one ?? ''} ${other} ${gkSessionId}`}
        columns={columns}
      />
    </section>
  );
}
