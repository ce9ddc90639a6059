// The list of sessions, kept up to date, sorted and filtered by the address, with actions on several at once.
import { useState, type ReactNode } from 'react';
import type { RequestOf } from '../../../client/contract.js';
import type { SessionTypeJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { SessionCaveatJson, SessionHeadlineJson } from '../../../gen/voxgate/biosec/v1/assessment_pb.js';
import type { ListOrderJson } from '../../../gen/voxgate/biosec/v1/directory_pb.js';
import type { CaveatName, HeadlineName } from '../../../words/catalogue.js';
import { isGap } from '../../../words/tell.js';
import { call } from '../../api/client.js';
import { useMe } from '../../api/session.js';
import { usePages, type Page } from '../../api/use-pages.js';
import { DateFields, spanOf } from '../../kit/dates.js';
import { SelectField, TextField } from '../../kit/field.js';
import { useFilters, usePaused, type Filters } from '../../kit/filters.js';
import { fill } from '../../kit/fill.js';
import { Badge } from '../../kit/layout.js';
import { ChoiceFilter, Chips, List } from '../../kit/list.js';
import { EmptyState } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { Link, navigate } from '../../router.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t as words } from '../../text/assessment.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { EntryDecision } from '../biosec/decision-badge.js';
import { CaseLink } from '../biosec/case-link.js';
import { FraudsterLink } from '../biosec/owner-link.js';
import { callTypes, channelWords, consoleTypes, outcomeWords } from '../biosec/operations.js';
import { PersonCell } from '../biosec/person-cell.js';
import { SessionLink } from '../biosec/session-link.js';
import { BulkSessions, sessionKey } from './bulk-sessions.js';
import { CaseState } from './case.js';
import { sessionsCsv } from './sessions-csv.js';

const text = t.list;
const EVERY_MS = 5000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** What a row may say, in the order of the buttons. */
const headlines = [
  'AUTHENTIC',
  'NO_RISK_DETECTED',
  'NO_MATCH',
  'FRAUD',
  'UNCERTAIN',
  'REFUSED',
  'ENROLLMENT',
  'NONE',
] as const satisfies readonly HeadlineName[];

const caveatNames = Object.keys(words.caveats) as CaveatName[];
const INCOMPLETE = 'incomplete';
/** The marks of rows, as they say them; one for everything that was not checked. */
const marks = [
  { value: INCOMPLETE, label: words.incomplete },
  ...caveatNames
    .filter((name) => !isGap(name) && name !== 'INHERITED')
    .map((value) => ({ value, label: words.caveats[value].word })),
];

/** By the names of the columns. */
const orders: Readonly<Record<string, ListOrderJson>> = {
  started: 'LIST_ORDER_OLDEST_FIRST',
  number: 'LIST_ORDER_NUMBER',
  '-number': 'LIST_ORDER_NUMBER_REVERSED',
  person: 'LIST_ORDER_PERSON',
  '-person': 'LIST_ORDER_PERSON_REVERSED',
  decision: 'LIST_ORDER_DECISION',
  '-decision': 'LIST_ORDER_DECISION_REVERSED',
};

const noFilters = {
  q: '',
  show: '',
  case: '',
  fraudster: '',
  found: '',
  state: '',
  decision: '',
  cases: '',
  from: '',
  to: '',
  sort: '-started',
};

/**
 * What is listed: calls are listed separately, because work in the console and uploads of recordings open
 * sessions too.
 */
interface Shown {
  types: readonly SessionTypeJson[];
  isTest?: boolean;
  withoutUploads?: boolean;
}
const shown: Readonly<Record<string, Shown>> = {
  '': { types: callTypes, withoutUploads: true },
  calls: { types: callTypes, isTest: false, withoutUploads: true },
  trials: { types: [], isTest: true },
  console: { types: consoleTypes },
  all: { types: [] },
};

const knownFilters = {
  show: Object.keys(shown),
  found: [INCOMPLETE, ...caveatNames],
  state: ['open', 'ended'],
  decision: headlines,
  cases: Object.keys(t.case.lists),
  sort: Object.keys(orders),
};

const columns: readonly Column<SessionEntryJson>[] = [
  {
    label: text.session,
    whole: true,
    cell: ({ details }) => <SessionLink gkId={details?.gkSessionId?.value} name={details?.sessionId} />,
  },
  {
    label: text.started,
    sort: 'started',
    whole: true,
    cell: ({ details }) => (
      <div>
        <Time at={details?.creationTimestamp} relative />
        <div>{details?.isActive ? <Badge tone="accent">{text.open}</Badge> : <Badge>{text.over}</Badge>}</div>
      </div>
    ),
  },
  {
    label: text.from,
    sort: 'number',
    cell: ({ details }) => (
      <>
        {details?.ani ? <div className="whole">{details.ani}</div> : null}
        <div className="small soft">{channelWords(details?.sessionType)}</div>
      </>
    ),
  },
  { label: text.person, sort: 'person', cell: (entry) => <PersonCell entry={entry} /> },
  {
    label: text.decision,
    sort: 'decision',
    cell: (entry) => <EntryDecision entry={entry} />,
  },
  {
    label: text.outcome,
    cell: (entry) => (
      <>
        {entry.verdict || !entry.caseState ? <div>{outcomeWords(entry.verdict, entry.amount)}</div> : null}
        <CaseState of={entry} />
        {entry.caseNumber ? <CaseLink number={entry.caseNumber} /> : null}
      </>
    ),
  },
];

/** Which cases: those of the user, unless another list of them is chosen. */
const casesIn = (list: string, userId: string): Partial<RequestOf<'ListSessions'>> => {
  if (list === 'closed') return { caseState: ['CASE_STATE_CLOSED'] };
  if (list === 'unassigned') return { caseState: ['CASE_STATE_OPEN'] };
  if (list === 'all') return { caseState: ['CASE_STATE_OPEN', 'CASE_STATE_IN_PROGRESS'] };
  return { caseState: ['CASE_STATE_OPEN', 'CASE_STATE_IN_PROGRESS'], assignedTo: userId };
};

/** `ofCases`: only what analysts deal with, or have dealt with. */
export function SessionList({ ofCases = false }: { ofCases?: boolean }): ReactNode {
  const read = useReadContext();
  if (!read) return <EmptyState icon="sessions" title={shell.chooseTenant} />;
  return <Sessions read={read} ofCases={ofCases} />;
}

function Sessions({ read, ofCases }: { read: Context; ofCases: boolean }): ReactNode {
  const { userId } = useMe();
  const filters = useFilters(noFilters, knownFilters);
  const {
    q,
    show,
    case: caseNumber,
    fraudster,
    found,
    state,
    decision,
    cases,
    from,
    to,
    sort,
  } = filters.values;
  const sought = usePaused(q.trim());
  const soughtCase = usePaused(caseNumber.trim());
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
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
        caseNumber: soughtCase,
        ...(fraudster && { gkFraudsterId: { value: fraudster } }),
        pageSize,
        pageToken,
        sessionType: [...(shown[show]?.types ?? [])],
        isTest: shown[show]?.isTest,
        withoutUploads: shown[show]?.withoutUploads,
        ...(ofCases && casesIn(cases, userId)),
        caveat: caveatNames
          .filter((name) => name === found)
          .map((name) => `SESSION_CAVEAT_${name}` as SessionCaveatJson),
        isIncomplete: found === INCOMPLETE,
        headline: headlines
          .filter((name) => name === decision)
          .map((name) => `SESSION_HEADLINE_${name}` as SessionHeadlineJson),
        isActive: state === '' ? undefined : state === 'open',
        order: orders[sort],
        ...spanOf(from, to),
      },
      signal,
    );
    return { rows: answer.sessions ?? [], next: answer.nextPageToken };
  };
  const pages = usePages(
    {
      list: `sessions ${read.gkScopeId.value}`,
      view: `${String(ofCases)} ${sought} ${show} ${soughtCase} ${fraudster} ${found} ${state} ${decision} ${cases} ${from} ${to} ${sort}`,
    },
    load,
    // Rows must not move while the user is selecting some of them.
    selected.size > 0 ? {} : { everyMs: EVERY_MS },
  );
  const chosen = (pages.query.data ?? []).filter((row) => selected.has(sessionKey(row)));
  return (
    <List
      filters={filters}
      find={text.find}
      findHint={text.findHint}
      onEnter={(entered) => uuid.test(entered) && navigate(`/sessions/${entered}`)}
      fields={<DateFields from={from} to={to} onDates={filters.set} />}
      chips={
        ofCases ? (
          <Chips
            label={t.tabs.cases}
            first={t.case.mine}
            value={cases}
            onValue={(value) => filters.set({ cases: value })}
            options={Object.entries(t.case.lists).map(([value, label]) => ({ value, label }))}
          />
        ) : (
          <Chips
            label={text.decision}
            value={decision}
            onValue={(value) => filters.set({ decision: value })}
            options={headlines.map((value) => ({ value, label: words.headlines[value].word }))}
          />
        )
      }
      {...(!ofCases && { more: <MoreFilters filters={filters} /> })}
      isMoreSet={[show, caseNumber, found, state].some(Boolean)}
      views={ofCases ? 'cases' : 'sessions'}
      export={{
        file: 'sessions',
        count: text.count,
        toCsv: sessionsCsv,
        load: (token, pageSize) => load(token, undefined, pageSize),
      }}
      above={
        <>
          {fraudster ? (
            <p>{fill(text.ofFraudster, { fraudster: <FraudsterLink gkId={fraudster} /> })}</p>
          ) : null}
          {chosen.length > 0 ? (
            <BulkSessions
              chosen={chosen}
              onSelected={setSelected}
              reload={pages.query.reload}
              toCsv={sessionsCsv}
            />
          ) : null}
        </>
      }
      pages={pages}
      loading={text.loading}
      empty={ofCases ? <NoCases /> : <NoSessions isNarrowed={filters.isNarrowed} />}
      note={selected.size > 0 ? text.held : text.refreshed(EVERY_MS / 1000)}
    >
      {(rows) => (
        <Table
          caption={text.caption}
          rows={rows}
          rowKey={sessionKey}
          columns={columns}
          sorting={{ by: sort, onSort: (by) => filters.set({ sort: by }) }}
          selection={{
            selected,
            onSelected: setSelected,
            nameOf: ({ details }) => details?.sessionId || details?.gkSessionId?.value || '',
          }}
        />
      )}
    </List>
  );
}

function MoreFilters({ filters }: { filters: Filters<typeof noFilters> }): ReactNode {
  const { show, case: caseNumber, found, state } = filters.values;
  return (
    <>
      <SelectField
        label={text.show}
        value={show}
        onValue={(value) => filters.set({ show: value })}
        options={[
          { value: '', label: text.calls },
          { value: 'calls', label: text.callsOnly },
          { value: 'trials', label: text.trials },
          { value: 'console', label: text.consoleWork },
          { value: 'all', label: text.everything },
        ]}
      />
      <TextField
        label={text.caseNumber}
        type="search"
        value={caseNumber}
        onValue={(value) => filters.set({ case: value })}
      />
      <ChoiceFilter
        label={text.state}
        value={state}
        onValue={(value) => filters.set({ state: value })}
        options={[
          { value: 'open', label: text.open },
          { value: 'ended', label: text.over },
        ]}
      />
      <ChoiceFilter
        label={text.findings}
        value={found}
        onValue={(value) => filters.set({ found: value })}
        options={marks}
      />
    </>
  );
}

const NoCases = (): ReactNode => (
  <EmptyState icon="sessions" title={t.case.none}>
    {t.case.noneText}
  </EmptyState>
);

function NoSessions({ isNarrowed }: { isNarrowed: boolean }): ReactNode {
  return isNarrowed ? (
    <EmptyState icon="sessions" title={text.noMatch}>
      {text.noMatchText}
    </EmptyState>
  ) : (
    <EmptyState
      icon="sessions"
      title={text.none}
      action={
        <Allowed to="Verify">
          <Link to="/voice">{text.start}</Link>
        </Allowed>
      }
    >
      {text.noneText}
    </EmptyState>
  );
}
