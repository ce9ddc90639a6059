// Results of checks on one or several recordings: a list if there are several, the selected one in full, and
// what was heard.
import type { ReactNode } from 'react';
import type { AudioDetailsJson, DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { Button } from '../../kit/button.js';
import { Badge, Card } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { t as shell } from '../../text/shell.js';
import { t } from '../../text/voice.js';
import type { Span } from '../biosec/attack-spans.js';
import { DecisionBadge } from '../biosec/decision-badge.js';
import { RecordingView } from './recording-view.js';
import { SendAgain } from './send-again.js';
import { distinctNames } from './distinct-names.js';
import type { Checked, Checks } from './use-checks.js';

const text = t.result;

export interface CheckSummary {
  decision: DecisionJson | undefined;
  /** A reason not to rely on it. */
  mark?: string | undefined;
  reason: ReactNode;
}

function SummaryBadges({ summary: { decision, mark } }: { summary: CheckSummary }): ReactNode {
  return (
    <div className="row">
      <DecisionBadge decision={decision} />
      {mark ? <Badge tone="warn">{mark}</Badge> : null}
    </div>
  );
}

export function CheckResults<R>({
  checks,
  summaryOf,
  detailsOf,
  spansOf,
  children,
}: {
  checks: Checks<R>;
  summaryOf: (result: R) => CheckSummary;
  detailsOf: (result: R) => AudioDetailsJson | undefined;
  /** Stretches of the recording to highlight. */
  spansOf?: (result: R) => Span[];
  /** The selected result, in full. */
  children: (result: R, checked: Checked<R>) => ReactNode;
}): ReactNode {
  const { all, shown } = checks;
  return (
    <>
      {all.length > 1 ? <ResultList checks={checks} summaryOf={summaryOf} /> : null}
      {shown?.error ? <ErrorNotice error={shown.error} title={`${shown.take.name}: ${t.failed}`} /> : null}
      <SendAgain count={checks.unsent} busy={checks.busy} onSend={() => void checks.sendAgain()} />
      {shown?.result ? children(shown.result, shown) : null}
      {shown ? (
        <Card title={t.heard}>
          <RecordingView
            key={`${shown.take.name} ${shown.media ?? ''}`}
            name={shown.take.name}
            take={shown.take}
            media={shown.media}
            channel={shown.take.channel}
            details={shown.result && detailsOf(shown.result)}
            spans={shown.result && spansOf?.(shown.result)}
          />
        </Card>
      ) : null}
    </>
  );
}

function ResultList<R>({
  checks: { all, shown, show },
  summaryOf,
}: {
  checks: Checks<R>;
  summaryOf: (result: R) => CheckSummary;
}): ReactNode {
  const names = distinctNames(all.map(({ take }) => take.name));
  const nameOf = (row: Checked<R>): string => names[all.indexOf(row)] ?? row.take.name;
  return (
    <Table
      caption={text.all}
      rows={all}
      rowKey={(row) => `${row.take.name} ${String(all.indexOf(row))}`}
      columns={[
        { label: text.file, cell: (row) => <span translate="no">{nameOf(row)}</span> },
        {
          label: text.decision,
          cell: (row) =>
            row.result ? <SummaryBadges summary={summaryOf(row.result)} /> : row.error ? null : '…',
        },
        {
          label: text.reason,
          cell: (row) => row.error?.message ?? (row.result ? summaryOf(row.result).reason : ''),
        },
        {
          label: shell.actions,
          actions: true,
          cell: (row) => (
            <Button
              size="small"
              kind="quiet"
              aria-pressed={row === shown}
              aria-label={text.showOne(nameOf(row))}
              onClick={() => show(all.indexOf(row))}
            >
              {text.show}
            </Button>
          ),
        },
      ]}
    />
  );
}
