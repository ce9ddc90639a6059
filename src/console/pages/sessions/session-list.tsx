// The list of sessions, newest first and up to date, narrowed by what is in the address.
import type { ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { readAll, usePages, type Page } from '../../api/use-pages.js';
import { toCsv } from '../../format/csv.js';
import { Button } from '../../kit/button.js';
import { downloadFile } from '../../kit/copy.js';
import { DateFields, spanOf } from '../../kit/dates.js';
import { SelectField, TextField } from '../../kit/field.js';
import { useFilters, usePaused } from '../../kit/filters.js';
import { Badge } from '../../kit/layout.js';
import { ListFoot } from '../../kit/list-foot.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { SavedViews } from '../../kit/views.js';
import { Link, navigate } from '../../router.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { SessionDecision } from '../biosec/decision-badge.js';
import { channelWords, verdictWord } from '../biosec/operations.js';
import { SessionLink } from '../biosec/session-link.js';

const text = t.list;
const EVERY_MS = 5000;
const EXPORT_PAGE = 1000;
const EXPORT_MOST = 50_000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const decisions = [
  'DECISION_AUTHENTIC',
  'DECISION_NO_MATCH',
  'DECISION_FRAUD',
  'DECISION_UNCERTAIN',
] as const satisfies readonly DecisionJson[];

const columns: readonly Column<SessionEntryJson>[] = [
  {
    label: text.session,
    whole: true,
    cell: ({ details }) => <SessionLink gkId={details?.gkSessionId?.value} name={details?.sessionId} />,
  },
  {
    label: text.started,
    whole: true,
    cell: ({ details }) => <Time at={details?.creationTimestamp} relative />,
  },
  {
    label: text.state,
    cell: ({ details }) =>
      details?.isActive ? <Badge tone="accent">{text.open}</Badge> : <Badge>{text.over}</Badge>,
  },
  { label: text.channel, cell: ({ details }) => channelWords(details?.sessionType) },
  { label: text.claims, cell: ({ claimedPersonId }) => claimedPersonId || shell.none },
  { label: text.decision, cell: ({ details }) => <SessionDecision session={details} /> },
  { label: text.checks, number: true, cell: ({ factorCount }) => factorCount ?? 0 },
  { label: text.outcome, cell: ({ verdict }) => verdictWord(verdict) },
];

function csvOf(rows: readonly SessionEntryJson[]): string {
  return toCsv(
    [
      'session',
      'started',
      'ended',
      'channel',
      'number',
      'claimed_person',
      'decision',
      'risk',
      'checks',
      'outcome',
      'system_identifier',
    ],
    rows.map(({ details = {}, claimedPersonId, factorCount, verdict }) => [
      details.sessionId,
      details.creationTimestamp,
      details.completionTimestamp,
      details.sessionType,
      details.ani,
      claimedPersonId,
      details.riskInfo?.decision,
      details.riskInfo?.risk,
      factorCount,
      verdict,
      details.gkSessionId?.value,
    ]),
  );
}

export function SessionList(): ReactNode {
  const read = useReadContext();
  if (!read) return <EmptyState icon="sessions" title={shell.chooseTenant} />;
  return <Sessions read={read} />;
}

function Sessions({ read }: { read: Context }): ReactNode {
  const filters = useFilters({ q: '', state: '', decision: '', from: '', to: '' });
  const { q, state, decision, from, to } = filters.values;
  const sought = usePaused(q.trim());
  const load = async (
    pageToken: string,
    signal?: AbortSignal,
    pageSize = 50,
  ): Promise<Page<SessionEntryJson>> => {
    const answer = await call(
      'ListSessions',
      {
        context: read,
        query: uuid.test(sought) ? '' : sought,
        pageSize,
        pageToken,
        isActive: state === '' ? undefined : state === 'open',
        decision: decisions.filter((one) => one === decision),
        ...spanOf(from, to),
      },
      signal,
    );
    return { rows: answer.sessions ?? [], next: answer.nextPageToken };
  };
  const pages = usePages(
    `sessions ${read.gkScopeId.value} ${sought} ${state} ${decision} ${from} ${to}`,
    load,
    {
      everyMs: EVERY_MS,
    },
  );
  const exporting = useAction(async () => {
    const { rows } = await readAll((token) => load(token, undefined, EXPORT_PAGE), EXPORT_MOST);
    downloadFile('sessions.csv', csvOf(rows), 'text/csv');
    toast(shell.exported(text.count(rows.length)));
  });
  return (
    <div className="stack">
      <form
        className="list-bar"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (uuid.test(q.trim())) navigate(`/sessions/${q.trim()}`);
        }}
      >
        <TextField
          label={text.find}
          hint={text.findHint}
          type="search"
          value={q}
          onValue={(value) => filters.set({ q: value })}
        />
        <SelectField
          label={text.state}
          value={state}
          onValue={(value) => filters.set({ state: value })}
          options={[
            { value: '', label: shell.all },
            { value: 'open', label: text.open },
            { value: 'ended', label: text.over },
          ]}
        />
        <SelectField
          label={text.decision}
          value={decision}
          onValue={(value) => filters.set({ decision: value })}
          options={[
            { value: '', label: shell.all },
            ...decisions.map((value) => ({ value, label: checks.decisions[value] })),
          ]}
        />
        <DateFields from={from} to={to} onDates={filters.set} />
        <div className="list-actions">
          <Button busy={exporting.busy} onClick={() => void exporting.run()}>
            {shell.exportCsv}
          </Button>
        </div>
      </form>
      <SavedViews list="sessions" isNarrowed={filters.isNarrowed} onClear={filters.clear} />
      {exporting.error ? <ErrorNotice error={exporting.error} title={shell.exportFailed} /> : null}
      <Loaded query={pages.query} what={text.loading}>
        {(rows) =>
          rows.length === 0 ? (
            <NoSessions isNarrowed={filters.isNarrowed} />
          ) : (
            <>
              <Table
                caption={text.caption}
                rows={rows}
                rowKey={({ details }) => details?.gkSessionId?.value ?? ''}
                columns={columns}
              />
              <ListFoot pages={pages} note={text.refreshed(EVERY_MS / 1000)} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function NoSessions({ isNarrowed }: { isNarrowed: boolean }): ReactNode {
  return isNarrowed ? (
    <EmptyState icon="sessions" title={text.noMatch}>
      {text.noMatchText}
    </EmptyState>
  ) : (
    <EmptyState icon="sessions" title={text.none} action={<Link to="/voice">{text.start}</Link>}>
      {text.noneText}
    </EmptyState>
  );
}
