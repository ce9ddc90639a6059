// Results of checks on one or several recordings: a list if there are several, the selected one in full, and
// what was heard.
import type { ReactNode } from 'react';
import type { AudioDetailsJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { Button } from '../../kit/button.js';
import { Card } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { navigate } from '../../router.js';
import { t as shell } from '../../text/shell.js';
import { t } from '../../text/voice.js';
import type { Span } from '../biosec/attack-spans.js';
import { Assessed } from '../biosec/decision-badge.js';
import { PersonCell } from '../biosec/person-cell.js';
import { Outcome } from './outcome.js';
import { RecordingView } from './recording-view.js';
import { SendAgain } from './send-again.js';
import { distinctNames } from './distinct-names.js';
import type { Checked, Checks } from './use-checks.js';

const text = t.result;

export function CheckResults<R>({
  checks,
  detailsOf,
  spansOf,
  isOneCheck = false,
  more,
  children,
}: {
  checks: Checks<R>;
  detailsOf: (result: R) => AudioDetailsJson | undefined;
  /** Stretches of the recording to highlight. */
  spansOf?: (result: R) => Span[];
  /** The result is that of a check which says nothing about a caller by itself. */
  isOneCheck?: boolean;
  /** Beside the way to the session. */
  more?: ReactNode;
  /** Details of the selected result. */
  children: (result: R, checked: Checked<R>) => ReactNode;
}): ReactNode {
  const { all, shown } = checks;
  return (
    <>
      {all.length > 1 ? <ResultList checks={checks} /> : null}
      {shown?.error ? <ErrorNotice error={shown.error} title={`${shown.take.name}: ${t.failed}`} /> : null}
      <SendAgain count={checks.unsent} busy={checks.busy} onSend={() => void checks.sendAgain()} />
      {shown?.result && shown.assessment ? (
        <>
          {isOneCheck ? null : <Outcome name={shown.take.name} of={shown.assessment} />}
          {children(shown.result, shown)}
          <div className="row">
            <Button onClick={() => navigate(`/sessions/${shown.gkSessionId ?? ''}`)}>
              {t.verify.session}
            </Button>
            {more}
          </div>
        </>
      ) : null}
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

function ResultList<R>({ checks: { all, shown, show } }: { checks: Checks<R> }): ReactNode {
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
          cell: ({ assessment, error }) =>
            assessment ? (
              <div className="row">
                <Assessed of={assessment} />
              </div>
            ) : (
              (error?.message ?? '…')
            ),
        },
        {
          label: text.person,
          cell: ({ assessment }) => (assessment ? <PersonCell entry={{ assessment }} /> : ''),
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
