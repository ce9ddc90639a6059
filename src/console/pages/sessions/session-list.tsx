// The list of sessions, kept up to date, sorted and filtered by the address, with actions on several at once.
import { useState, type ReactNode } from 'react';
import type { DecisionJson, SessionTypeJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { ListOrderJson } from '../../../gen/voxgate/biosec/v1/directory_pb.js';
import { call } from '../../api/client.js';
import { usePages, type Page } from '../../api/use-pages.js';
import { DateFields, spanOf } from '../../kit/dates.js';
import { SelectField, TextField } from '../../kit/field.js';
import { useFilters, usePaused, type Filters } from '../../kit/filters.js';
import { fill } from '../../kit/fill.js';
import { Badge } from '../../kit/layout.js';
import { ChoiceFilter, List } from '../../kit/list.js';
import { EmptyState } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { Link, navigate } from '../../router.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t as calls } from '../../text/calls.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { EntryDecision } from '../biosec/decision-badge.js';
import { CaseLink } from '../biosec/case-link.js';
import { FraudsterLink } from '../biosec/owner-link.js';
import { callTypes, channelWords, consoleTypes, outcomeWords } from '../biosec/operations.js';
import { PersonCell } from '../biosec/person-cell.js';
import { SessionLink } from '../biosec/session-link.js';
import { BulkSessions, sessionKey } from './bulk-sessions.js';
import { sessionsCsv } from './sessions-csv.js';

const text = t.list;
const EVERY_MS = 5000;
/** As in the address. */
const FOUND_LATER = 'later';
const PUT_ON_LIST = 'listed';
const CUT_OFF = 'cut';
const NOT_CONFIRMED = 'unconfirmed';
const ALSO_NO_MATCH = 'mismatch';
const NOT_CHECKED = 'unchecked';
const NOT_COMPARED = 'uncompared';
const CHECK_MISSING = 'missing';
const OTHER_PERSON = 'other';
const OTHER_CLAIMED = 'claimed';
const SEVERAL_PERSONS = 'several';
const CLAIM_OPEN = 'claim';
const LEFT_OUT_CALLER = 'caller';
const LEFT_OUT_MEMBERS = 'members';
const SECOND_VOICE = 'voice';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const decisions = [
  'DECISION_AUTHENTIC',
  'DECISION_NO_RISK_DETECTED',
  'DECISION_NO_MATCH',
  'DECISION_FRAUD',
  'DECISION_UNCERTAIN',
] as const satisfies readonly DecisionJson[];

/** What a row says instead of a decision, by its value in the address. */
const withoutDecision = {
  REFUSED: checks.refused,
  ENROLLMENT: checks.enrollment,
  NONE: checks.decisions.DECISION_UNSPECIFIED,
};
const standings = [...decisions, ...Object.keys(withoutDecision)];

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
  found: [
    FOUND_LATER,
    PUT_ON_LIST,
    OTHER_PERSON,
    OTHER_CLAIMED,
    SEVERAL_PERSONS,
    CLAIM_OPEN,
    LEFT_OUT_CALLER,
    LEFT_OUT_MEMBERS,
    NOT_CONFIRMED,
    NOT_CHECKED,
    CHECK_MISSING,
    NOT_COMPARED,
    SECOND_VOICE,
    ALSO_NO_MATCH,
  ],
  state: ['open', 'ended', CUT_OFF],
  decision: standings,
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
  { label: text.checks, number: true, cell: ({ factorCount }) => factorCount ?? 0 },
  {
    label: text.outcome,
    cell: ({ verdict, amount, caseNumber }) => (
      <>
        {verdict || !caseNumber ? <div>{outcomeWords(verdict, amount)}</div> : null}
        {caseNumber ? <CaseLink number={caseNumber} /> : null}
      </>
    ),
  },
];

export function SessionList(): ReactNode {
  const read = useReadContext();
  if (!read) return <EmptyState icon="sessions" title={shell.chooseTenant} />;
  return <Sessions read={read} />;
}

function Sessions({ read }: { read: Context }): ReactNode {
  const filters = useFilters(noFilters, knownFilters);
  const { q, show, case: caseNumber, fraudster, found, state, decision, from, to, sort } = filters.values;
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
        isFoundLater: found === FOUND_LATER,
        hasMadeFraudsters: found === PUT_ON_LIST,
        hasUndecidedChecks: found === NOT_CONFIRMED,
        hasMismatch: found === ALSO_NO_MATCH,
        withoutAttackChecks: found === NOT_CHECKED,
        withoutWatchlist: found === NOT_COMPARED,
        hasMissingChecks: found === CHECK_MISSING,
        hasOtherPerson: found === OTHER_PERSON,
        hasOtherClaim: found === OTHER_CLAIMED,
        hasSeveralPersons: found === SEVERAL_PERSONS,
        withoutClaimed: found === CLAIM_OPEN,
        hasLeftOutCaller: found === LEFT_OUT_CALLER,
        hasLeftOutMembers: found === LEFT_OUT_MEMBERS,
        hasSecondVoice: found === SECOND_VOICE,
        isActive: state === '' || state === CUT_OFF ? undefined : state === 'open',
        isCutOff: state === CUT_OFF,
        standing: standings.filter((one) => one === decision).map((one) => one.replace('DECISION_', '')),
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
      view: `${sought} ${show} ${soughtCase} ${fraudster} ${found} ${state} ${decision} ${from} ${to} ${sort}`,
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
      fields={<SessionFilters filters={filters} />}
      views="sessions"
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
      empty={<NoSessions isNarrowed={filters.isNarrowed} />}
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

function SessionFilters({ filters }: { filters: Filters<typeof noFilters> }): ReactNode {
  const { show, case: caseNumber, found, state, decision, from, to } = filters.values;
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
          { value: CUT_OFF, label: t.session.cutOffBadge },
        ]}
      />
      <ChoiceFilter
        label={text.decision}
        value={decision}
        onValue={(value) => filters.set({ decision: value })}
        options={[
          ...decisions.map((value) => ({ value, label: checks.decisions[value] })),
          ...Object.entries(withoutDecision).map(([value, label]) => ({ value, label })),
        ]}
      />
      <ChoiceFilter
        label={text.findings}
        value={found}
        onValue={(value) => filters.set({ found: value })}
        options={[
          { value: FOUND_LATER, label: t.session.foundLater },
          { value: PUT_ON_LIST, label: t.session.putOnList },
          { value: OTHER_PERSON, label: t.session.otherPerson },
          { value: OTHER_CLAIMED, label: t.session.verdict.carried.otherClaimed },
          { value: SEVERAL_PERSONS, label: t.session.severalPersons },
          { value: CLAIM_OPEN, label: t.session.verdict.leftOut.claimed.badge },
          { value: LEFT_OUT_CALLER, label: t.session.callerNotChecked },
          { value: LEFT_OUT_MEMBERS, label: t.session.membersNotCompared },
          { value: NOT_CONFIRMED, label: calls.unknown },
          { value: NOT_CHECKED, label: t.session.notCheckedForAttacks },
          { value: CHECK_MISSING, label: t.session.oneCheckMissing },
          { value: NOT_COMPARED, label: t.session.listNotCompared },
          { value: SECOND_VOICE, label: t.session.secondVoice },
          { value: ALSO_NO_MATCH, label: t.session.alsoNoMatch },
        ]}
      />
      <DateFields from={from} to={to} onDates={filters.set} />
    </>
  );
}

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
