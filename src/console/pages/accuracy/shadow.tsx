// Compares what a revision in shadow mode would have decided with the actual decisions: in how many calls,
// and in which. It stays when shadow mode is over.
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../../client/contract.js';
import type { Query } from '../../api/hooks.js';
import { num } from '../../text/tools.js';
import { finite, shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Card } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { t } from '../../text/accuracy.js';
import { t as shell } from '../../text/shell.js';
import { decisionWord } from '../biosec/advice.js';
import { DecisionBadge } from '../biosec/decision-badge.js';
import { operationWords } from '../biosec/operations.js';
import { SessionLink } from '../biosec/session-link.js';

const text = t.shadow;

type ShadowReport = AnswerOf<'GetShadowReport'>;

export function ShadowCard({ query }: { query: Query<ShadowReport> }): ReactNode {
  return (
    <Card
      title={text.title}
      hint={<Since report={query.data ?? {}} />}
      actions={<Button onClick={query.reload}>{text.refresh}</Button>}
    >
      <Loaded query={query}>{(report) => <Comparison report={report} />}</Loaded>
    </Card>
  );
}

function Since({ report: { since, until, gkComparedRevisionId } }: { report: ShadowReport }): ReactNode {
  return (
    <>
      {text.ofRevision(shortId(gkComparedRevisionId?.value))}
      {' · '}
      <Time at={since} within={text.since} />
      {until ? (
        <>
          {', '}
          <Time at={until} within={text.stopped} />
        </>
      ) : null}
    </>
  );
}

/** What a user who is about to activate it wants to know first. */
function effectWords({ pairs = [] }: Pick<ShadowReport, 'pairs'>): string[] {
  const isVerified = (decision: string | undefined): boolean => decision === 'DECISION_AUTHENTIC';
  const changed = pairs.filter(({ active, shadow }) => active !== shadow);
  const count = (among: typeof changed): number =>
    among.reduce((sum, row) => sum + Number(row.count ?? 0), 0);
  const told: [number, (count: number) => string][] = [
    [count(changed), text.changed],
    [count(changed.filter(({ active }) => isVerified(active))), text.lost],
    [count(changed.filter(({ shadow }) => isVerified(shadow))), text.gained],
  ];
  return told.flatMap(([calls, words]) => (calls > 0 ? words(calls) : []));
}

function Comparison({ report }: { report: ShadowReport }): ReactNode {
  const calls = Number(report.calls ?? 0);
  if (calls === 0) {
    return (
      <EmptyState icon="clock" title={report.until ? text.noneEver : text.none}>
        {report.until ? text.noneEverText : text.noneText}
      </EmptyState>
    );
  }
  return (
    <div className="stack">
      <p>{[text.compared(calls), ...effectWords(report)].join(' ')}</p>
      <Table
        caption={text.pairs}
        rows={report.pairs ?? []}
        rowKey={(row) => `${row.active ?? ''} ${row.shadow ?? ''}`}
        columns={[
          { label: text.active, cell: (row) => decisionWord(row.active).word },
          { label: text.shadow, cell: (row) => decisionWord(row.shadow).word },
          { label: text.same, cell: (row) => (row.active === row.shadow ? shell.yes : shell.no) },
          { label: text.calls, number: true, cell: (row) => num(Number(row.count ?? 0)) },
        ]}
      />
      {report.differences?.length ? (
        <Differences rows={report.differences} />
      ) : (
        <p className="soft">{text.alike}</p>
      )}
    </div>
  );
}

function Differences({ rows }: { rows: NonNullable<ShadowReport['differences']> }): ReactNode {
  return (
    <Table
      caption={text.differences}
      rows={rows}
      rowKey={(row) => `${row.time ?? ''} ${row.gkSessionId?.value ?? ''}`}
      columns={[
        { label: text.time, whole: true, cell: (row) => <Time at={row.time} /> },
        {
          label: text.session,
          cell: (row) => <SessionLink gkId={row.gkSessionId?.value} />,
        },
        { label: text.operation, cell: (row) => operationWords(row.operation) },
        {
          label: text.score,
          number: true,
          cell: (row) => {
            const score = finite(row.score);
            return score === undefined ? shell.none : num(score, 2);
          },
        },
        { label: text.activeShort, cell: (row) => <DecisionBadge decision={row.active} /> },
        { label: text.shadowShort, cell: (row) => <DecisionBadge decision={row.shadow} /> },
      ]}
    />
  );
}
