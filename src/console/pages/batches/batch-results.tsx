// The results of a batch, one per line: filtered by outcome and reason, and downloaded.
import type { ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { BatchJson, LineOutcomeJson, LineResultJson } from '../../../gen/voxgate/batch/v1/batch_pb.js';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
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
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/batches.js';
import { t as sessions } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { Assessed, DecisionBadge } from '../biosec/decision-badge.js';
import { FraudsterLink } from '../biosec/owner-link.js';
import { SessionLink } from '../biosec/session-link.js';
import { endedOf } from './batches.js';
import { isDoubtful, isForgotten, messageWords, reasonWords } from './line-words.js';

const PAGE_SIZE = 50;

const tones: Partial<Record<LineOutcomeJson, BadgeTone>> = {
  LINE_OUTCOME_DONE: 'good',
  LINE_OUTCOME_WOULD_BE_DONE: 'good',
  LINE_OUTCOME_REFUSED: 'warn',
  LINE_OUTCOME_FAILED: 'bad',
};

/** A line, with the current state of its session, or that this was deleted meanwhile. */
type ShownLine = LineResultJson & { session?: SessionEntryJson; isSessionGone?: true };

/** Columns that would be empty are left out: only checks decide, and dry runs open no sessions. */
const columnsFor = (rows: readonly ShownLine[]): readonly Column<ShownLine>[] => [
  { label: t.line, number: true, cell: ({ line }) => line },
  {
    label: t.owner,
    cell: (line) =>
      isForgotten(line) ? (
        sessions.list.erasedPerson
      ) : (
        <span translate="no">{line.ownerId || line.requestId}</span>
      ),
  },
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
          cell: (line: ShownLine) => (line.decision ? <LineDecision line={line} /> : shell.none),
        },
      ]
    : []),
  ...(rows.some((line) => fraudstersIn(line).length > 0)
    ? [
        {
          label: t.fraudster,
          cell: (line: ShownLine) => (
            <div className="row">
              {fraudstersIn(line).map(({ gkId, known }) => (
                <FraudsterLink key={gkId} gkId={gkId} known={known} />
              ))}
            </div>
          ),
        },
      ]
    : []),
  {
    label: t.message,
    cell: (line) => messageWords(line),
  },
  ...(rows.some(({ gkSessionId }) => gkSessionId)
    ? [
        {
          label: t.session,
          whole: true,
          cell: ({ gkSessionId, isSessionGone }: ShownLine) => {
            if (isSessionGone) return t.goneSession;
            return gkSessionId ? <SessionLink gkId={gkSessionId} /> : shell.none;
          },
        },
      ]
    : []),
];

/** Two lines may be about different channels of one recording. */
const recordingsIn = ({ recordings = [], channels = [] }: LineResultJson): string[] =>
  recordings.map((recording, at) => {
    const channel = channels[at] ?? 0;
    return channel > 0 ? t.onChannel(recording, channel) : recording;
  });

/** The fraudster found in the line, and those found in its recording since. */
function fraudstersIn({ gkFraudsterId, fraudsterId, session }: ShownLine): {
  gkId: string;
  known: string | undefined;
}[] {
  const later = (session?.assessment?.foundLater ?? []).flatMap(({ fraudster }) => fraudster ?? []);
  const found = new Map(later.map(({ gkFraudsterId: one, id }) => [one?.value ?? '', id]));
  if (gkFraudsterId) found.set(gkFraudsterId, fraudsterId);
  return [...found].map(([gkId, known]) => ({ gkId, known }));
}

/** What its session means now; if that was deleted, the decision of the line, which nobody can examine any more. */
function LineDecision({ line: { decision = '', session } }: { line: ShownLine }): ReactNode {
  return session ? (
    <div className="row">
      <Assessed of={session.assessment} />
    </div>
  ) : (
    <DecisionBadge decision={`DECISION_${decision}` as DecisionJson} isOpen />
  );
}

/** The most that the server returns at once. */
const SESSIONS_AT_ONCE = 100;

/** Adds the current sessions to lines that decided something. */
async function withSessions(
  lines: readonly LineResultJson[],
  read: Context,
  signal: AbortSignal | undefined,
): Promise<ShownLine[]> {
  const ids = lines.flatMap(({ decision, gkSessionId }) => (decision && gkSessionId ? gkSessionId : []));
  const known = new Map<string, SessionEntryJson>();
  for (let at = 0; at < ids.length; at += SESSIONS_AT_ONCE) {
    const asked = { context: read, gkSessionIds: ids.slice(at, at + SESSIONS_AT_ONCE) };
    const { sessions = [] } = await call('ListSessions', asked, signal);
    for (const entry of sessions) known.set(entry.details?.gkSessionId?.value ?? '', entry);
  }
  return lines.map((line) => {
    const session = known.get(line.gkSessionId ?? '');
    if (session) return { ...line, session };
    return ids.includes(line.gkSessionId ?? '') ? { ...line, isSessionGone: true } : line;
  });
}

export function BatchResults({ read, batch }: { read: Context; batch: BatchJson }): ReactNode {
  const { gkJobId = '', reasons = [] } = batch;
  const maySee = useMay()('ListSessions');
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
  const loadShown = async (...asked: Parameters<typeof load>): Promise<Page<ShownLine>> => {
    const page = await load(...asked);
    return maySee ? { ...page, rows: await withSessions(page.rows, read, asked[1]) } : page;
  };
  // Reloaded when more lines have ended.
  const pages = usePages(
    { list: `batch results ${gkJobId}`, view: `${outcome} ${reason} ${endedOf(batch)}` },
    loadShown,
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
