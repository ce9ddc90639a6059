// The results of a batch, one per line: narrowed by outcome and reason, and downloaded.
import type { ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { BatchJson, LineOutcomeJson, LineResultJson } from '../../../gen/voxgate/batch/v1/batch_pb.js';
import { resultsHead, resultsRows } from '../../../manifest/results-csv.js';
import { call } from '../../api/client.js';
import { usePages, type Page } from '../../api/use-pages.js';
import { useFilters } from '../../kit/filters.js';
import { Badge, Card, type BadgeTone } from '../../kit/layout.js';
import { ChoiceFilter, ExportButtons } from '../../kit/list.js';
import { ListFoot } from '../../kit/list-foot.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import type { Context } from '../../tenant/context.js';
import { t } from '../../text/batches.js';
import { t as shell } from '../../text/shell.js';
import { DecisionBadge, NotCheckedBadge, UndecidedBadge } from '../biosec/decision-badge.js';
import { FraudsterLink } from '../biosec/owner-link.js';
import { SessionLink } from '../biosec/session-link.js';
import { endedOf } from './batches.js';
import { isDoubtful, messageWords, reasonWords } from './line-words.js';

const PAGE_SIZE = 50;

const tones: Partial<Record<LineOutcomeJson, BadgeTone>> = {
  LINE_OUTCOME_DONE: 'good',
  LINE_OUTCOME_WOULD_BE_DONE: 'good',
  LINE_OUTCOME_REFUSED: 'warn',
  LINE_OUTCOME_FAILED: 'bad',
};

/** What no line has needs no column: only checks decide, and dry runs open no sessions. */
const columnsFor = (rows: readonly LineResultJson[]): readonly Column<LineResultJson>[] => [
  { label: t.line, number: true, cell: ({ line }) => line },
  { label: t.owner, cell: ({ ownerId, requestId }) => <span translate="no">{ownerId || requestId}</span> },
  {
    label: t.recordings,
    cell: (line) => <span translate="no">{recordingsIn(line).join(', ')}</span>,
  },
  {
    label: t.outcome,
    cell: ({ outcome = 'LINE_OUTCOME_UNSPECIFIED', reason }) => (
      <Badge tone={isDoubtful(outcome, reason) ? 'warn' : (tones[outcome] ?? 'neutral')}>
        {t.outcomes[outcome]}
      </Badge>
    ),
  },
  { label: t.reason, cell: ({ reason = '', outcome }) => reasonWords(reason, outcome) },
  ...(rows.some(({ decision }) => decision)
    ? [
        {
          label: t.decision,
          cell: (line: LineResultJson) => (line.decision ? <LineDecision line={line} /> : shell.none),
        },
      ]
    : []),
  ...(rows.some(({ gkFraudsterId }) => gkFraudsterId)
    ? [
        {
          label: t.fraudster,
          cell: ({ gkFraudsterId, fraudsterId }: LineResultJson) =>
            gkFraudsterId ? <FraudsterLink gkId={gkFraudsterId} known={fraudsterId} /> : shell.none,
        },
      ]
    : []),
  { label: t.message, cell: ({ message = '' }) => messageWords(message) },
  ...(rows.some(({ gkSessionId }) => gkSessionId)
    ? [
        {
          label: t.session,
          whole: true,
          cell: ({ gkSessionId }: LineResultJson) =>
            gkSessionId ? <SessionLink gkId={gkSessionId} /> : shell.none,
        },
      ]
    : []),
];

/** Two lines may be about one recording. */
const recordingsIn = ({ recordings = [], channels = [] }: LineResultJson): string[] =>
  recordings.map((recording, at) => {
    const channel = channels[at] ?? 0;
    return channel > 0 ? t.onChannel(recording, channel) : recording;
  });

/** A match is no proof of a live person where nobody looked, or could tell. */
function LineDecision({ line }: { line: LineResultJson }): ReactNode {
  const { decision = '', reason, undecidedChecks = [], checksNotMade = [] } = line;
  const isYes = decision === 'AUTHENTIC' || decision === 'NO_RISK_DETECTED';
  // Compared with nobody.
  const isOpen = decision === 'UNCERTAIN' && reason === 'NO_SCORES';
  const isUnchecked = (isYes || isOpen) && checksNotMade.includes('SYNTHETIC_SPEECH');
  return (
    <div className="row">
      <DecisionBadge decision={`DECISION_${decision}` as DecisionJson} />
      <UndecidedBadge checks={undecidedChecks} named />
      {isUnchecked ? <NotCheckedBadge /> : null}
    </div>
  );
}

export function BatchResults({ read, batch }: { read: Context; batch: BatchJson }): ReactNode {
  const { gkJobId = '', reasons = [] } = batch;
  const filters = useFilters({ outcome: '', reason: '' });
  const { outcome, reason } = filters.values;
  const load = async (
    after: string,
    signal?: AbortSignal,
    pageSize = PAGE_SIZE,
  ): Promise<Page<LineResultJson>> => {
    const sought = {
      ...(outcome !== '' && { outcome: outcome as LineOutcomeJson }),
      ...(reason !== '' && { reason }),
    };
    const request = { context: read, gkJobId, afterLine: Number(after), pageSize, ...sought };
    const { results = [], hasMore } = await call('ListBatchResults', request, signal);
    return { rows: results, next: hasMore ? String(results.at(-1)?.line ?? '') : undefined };
  };
  // Read again when more lines have ended.
  const pages = usePages(
    { list: `batch results ${gkJobId}`, view: `${outcome} ${reason} ${endedOf(batch)}` },
    load,
  );
  const isSought = (each: { outcome?: LineOutcomeJson }) => outcome === '' || each.outcome === outcome;
  return (
    <Card
      title={t.results}
      hint={t.resultsHint}
      actions={
        <ExportButtons
          file={`batch-${gkJobId}`}
          count={t.resultCount}
          toCsv={(rows: readonly LineResultJson[]) => resultsHead() + resultsRows(rows)}
          json
          load={(token, pageSize) => load(token, undefined, pageSize)}
        />
      }
    >
      <div className="stack">
        <div className="list-bar">
          <ChoiceFilter
            label={t.outcome}
            value={outcome}
            onValue={(value) => filters.set({ outcome: value, reason: '' })}
            options={outcomesIn(batch).map((value) => ({ value, label: t.outcomes[value] }))}
          />
          <ChoiceFilter
            label={t.reason}
            value={reason}
            onValue={(value) => filters.set({ reason: value })}
            options={reasons
              .filter(isSought)
              .map(({ reason: value = '', outcome: of }) => ({ value, label: reasonWords(value, of) }))}
          />
        </div>
        <Loaded query={pages.query} what={t.resultsLoading}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState icon="batches" title={filters.isNarrowed ? t.noMatch : t.noResults}>
                {filters.isNarrowed ? null : t.noResultsText}
              </EmptyState>
            ) : (
              <>
                <Table
                  caption={t.results}
                  rows={rows}
                  rowKey={({ line }) => String(line ?? 0)}
                  columns={columnsFor(rows)}
                />
                <ListFoot pages={pages} />
              </>
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}

function outcomesIn({ reasons = [] }: BatchJson): LineOutcomeJson[] {
  return [...new Set(reasons.flatMap(({ outcome }) => outcome ?? []))];
}
