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
import { DecisionBadge, MarkBadges } from '../biosec/decision-badge.js';
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

/** Reasons of lines in which there was nobody to compare with. */
const ofNobody: ReadonlySet<string> = new Set([
  'NO_SCORES',
  'NOT_ENROLLED',
  'PERSON_OPTED_OUT',
  'PROFILE_COOLING_OFF',
]);

/** What no line has needs no column: only checks decide, and dry runs open no sessions. */
const columnsFor = (rows: readonly LineResultJson[], batch: BatchJson): readonly Column<LineResultJson>[] => [
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
          cell: (line: LineResultJson) =>
            line.decision ? <LineDecision line={line} batch={batch} /> : shell.none,
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

/** As lists of sessions have it. */
function LineDecision({ line, batch }: { line: LineResultJson; batch: BatchJson }): ReactNode {
  const { decision = '', reason, undecidedChecks = [], checksNotMade = [] } = line;
  const isYes = decision === 'AUTHENTIC' || decision === 'NO_RISK_DETECTED';
  // Compared with nobody, or open for an attack check alone.
  const isOpen = decision === 'UNCERTAIN' && (ofNobody.has(reason ?? '') || undecidedChecks.length > 0);
  const isWithout = (check: string): boolean => (isYes || isOpen) && checksNotMade.includes(check);
  const marks = {
    undecidedChecks,
    withoutAttackChecks: isWithout('SYNTHETIC_SPEECH'),
    withoutWatchlist: Boolean(batch.gkWatchlistId) && isWithout('FRAUD_DETECTION'),
  };
  return (
    <div className="row">
      <DecisionBadge decision={`DECISION_${decision}` as DecisionJson} marks={marks} />
      <MarkBadges marks={marks} named />
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
                  columns={columnsFor(rows, batch)}
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
