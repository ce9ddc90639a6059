// The list of sessions, newest first by default, with the current details of each. Numbers, references and decisions are
// inside the rows: searching and sorting by them uses an index in memory, and reads the rows one by one only if there are more
// than fit in memory.
import { invalidFields } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { withDeletedFraudsters, type DeletedDeps } from './deleted-fraudsters.js';
import type { Decision } from '../model/outcome.js';
import { pageOf, searchPage, type Found } from '../call/paging.js';
import {
  hasStanding,
  sessionStanding,
  sessionStandings,
  type SessionStanding,
} from '../rules/session-standing.js';
import type { MarkName, Session, SessionType } from '../model/sessions.js';
import type { MarkFilter } from '../ports/marks.js';
import type { ListOrder, Page, ValueOrder } from '../ports/page.js';
import type { FoundFilter } from '../ports/sessions.js';
import { sessionTexts } from '../search/entries.js';
import { markNames } from '../rules/session-marks.js';
import { beginningWith, matcherOf, searchable } from '../search/match-text.js';
import {
  decodePlace,
  findSessions,
  isByValue,
  tooManyToOrder,
  type FindDeps,
  type SessionOrder,
  type SoughtSessions,
} from './find-sessions.js';
import { seesSearches } from './sees-searches.js';
import { entriesOf, type FoundEntry, type SessionEntry } from './session-entries.js';
import { withCarriedDetails } from './carried-decisions.js';
import { refreshAllMarks, withMarks } from './stored-marks.js';
import {
  isByAssessment,
  isStored,
  soughtByAssessment,
  withAssessments,
  type SoughtAssessments,
} from './assessed.js';

interface ListSessionsInput extends SoughtAssessments {
  context: RequestContext;
  pageSize?: number;
  pageToken?: string;
  query?: string;
  fromMs?: number;
  toMs?: number;
  active?: boolean;
  types?: readonly SessionType[];
  decisions?: readonly Decision[];
  /** By name; unknown ones are refused. */
  standings?: readonly string[];
  /** The beginning of the case number. */
  caseNumber?: string;
  /** The person they are about: claimed, verified, recognized or enrolled. */
  gkPersonId?: string;
  /** The fraudster whom a check has found in them. */
  gkFraudsterId?: string;
  /** Only those in which something was found later. */
  isFoundLater?: boolean;
  /** Only those from which the print of a fraudster was made afterwards. */
  hasMadeFraudsters?: boolean;
  /** Only those in which listening broke off and nothing was heard since. */
  isCutOff?: boolean;
  /** Only those with all of these marks, of their own or where the decision comes from. */
  marks?: readonly MarkName[];
  /** None that only hold uploaded recordings. */
  withoutUploads?: boolean;
  /** Only trials, or none of them; both if absent. */
  isTest?: boolean;
  /** Newest first if absent. */
  order?: ListOrder | ValueOrder;
}

export async function listSessions(
  deps: FindDeps,
  call: Call,
  input: ListSessionsInput,
): Promise<{ entries: SessionEntry[]; next?: string }> {
  const order = orderOf(input);
  const standings = standingsIn(input);
  const { pageToken, ...rest } = input;
  const { limit } = pageOf({ ...(rest.pageSize !== undefined && { pageSize: rest.pageSize }) });
  if (pageToken) decodePlace(pageToken, order);
  const page = { limit, ...(pageToken && { after: pageToken }) };
  const gkScopeId = await openTenant(deps, call, input.context);
  const query = input.query?.trim() ?? '';
  const caseNumber = input.caseNumber?.trim() ?? '';
  const { active, decisions, isTest, gkPersonId = '', gkFraudsterId = '' } = input;
  const bySearches = await seesSearches(deps, call, gkScopeId);
  const marked = await markFilter(deps, gkScopeId, input);
  const sought: Sought = {
    ...input,
    query,
    caseNumber,
    order,
    standings,
    bySearches,
    ...(marked && { marked }),
  };
  let found: Found<FoundEntry> | undefined;
  // Rare decisions must be searched for among all sessions, and open sessions among ended ones.
  const isRare = (decisions?.length ?? 0) > 0 || standings.length > 0 || active !== undefined;
  if (query !== '' || caseNumber !== '' || isRare || isByValue(order))
    found = await foundInMemory(deps, gkScopeId, sought, page);
  if (!found) {
    if (isByValue(order)) throw tooManyToOrder();
    const read = readerOf(deps, gkScopeId, sought);
    const plain =
      [query, caseNumber, gkPersonId, gkFraudsterId].every((sought) => sought === '') &&
      [active, isTest].every((sought) => sought === undefined) &&
      !input.isFoundLater &&
      !input.hasMadeFraudsters &&
      !input.isCutOff &&
      !marked &&
      !isByAssessment(input) &&
      standings.length === 0 &&
      !decisions?.length;
    const isPlain = plain && !input.withoutUploads;
    found = isPlain
      ? await read({ ...page, order })
      : await searchPage(
          read,
          fitting(sought),
          positionOf,
          { ...page, order },
          // Everything in the index of marks has the wanted marks.
          {
            ...{ count: false, signal: call.signal },
            ...(marked && { chunkRows: limit + 1 }),
            ...(plain && { chunkRows: limit + UPLOADS_EXPECTED }),
          },
        );
    if (found.next && plain) deps.searches.prepare(gkScopeId, 'sessions');
  }
  const entries = marked ? found.items : await withMarks(deps, gkScopeId, found.items);
  return {
    entries: await withDetails(deps, gkScopeId, entries, { bySearches }),
    ...(found.next && { next: found.next }),
  };
}

/** What only the entries that are shown need. */
export async function withDetails(
  deps: DeletedDeps,
  gkScopeId: string,
  entries: readonly FoundEntry[],
  counted: { bySearches: boolean },
): Promise<SessionEntry[]> {
  const carried = await withCarriedDetails(deps, gkScopeId, entries, counted);
  const named = await withDeletedFraudsters(deps, gkScopeId, carried);
  return withAssessments(deps, gkScopeId, named, counted);
}

/** In one page of all sessions. */
const UPLOADS_EXPECTED = 10;

type Sought = Omit<ListSessionsInput, 'standings'> & SoughtSessions & { marked?: MarkFilter };

/** Undefined if no marks are requested. */
async function markFilter(
  deps: BiometricsDeps,
  gkScopeId: string,
  { marks = [], caveats = [] }: ListSessionsInput,
): Promise<MarkFilter | undefined> {
  const names = [...marks, ...caveats.filter(isStored).map((name) => `CAVEAT_${name}` as const)];
  if (names.length === 0) return undefined;
  return { marks: names, orDue: !(await refreshAllMarks(deps, gkScopeId)) };
}

const foundFilter = ({
  gkFraudsterId,
  isFoundLater,
  hasMadeFraudsters,
  isCutOff,
  caveats = [],
  bySearches,
}: Sought): FoundFilter => ({
  bySearches,
  ...(caveats.includes('FOUND_LATER') && { hasFindings: true }),
  ...((isFoundLater || hasMadeFraudsters || caveats.includes('FOUND_LATER')) && { orInEngagement: true }),
  ...(gkFraudsterId && { gkFraudsterId }),
  ...(isFoundLater && { isFoundLater }),
  ...(hasMadeFraudsters && { hasMadeFraudsters }),
  ...((isCutOff || caveats.includes('CUT_OFF')) && { isCutOff: true }),
});

/** Headlines are sought by the standings that they come from. */
function standingsIn({ standings = [], headlines = [] }: ListSessionsInput): SessionStanding[] {
  if (headlines.length > 0)
    return headlines.map((one) => sessionStandings.find((standing) => standing === one) ?? 'NONE');
  return standings.map((name, index) => {
    const known = sessionStandings.find((standing) => standing === name);
    if (known !== undefined) return known;
    throw invalidFields([
      {
        field: `standing[${index}]`,
        violation: 'OUT_OF_RANGE',
        message: `must be one of ${sessionStandings.join(', ')}`,
      },
    ]);
  });
}

function orderOf({ order = 'newest' }: ListSessionsInput): SessionOrder {
  if (order === 'identifier' || order === 'identifier-reversed')
    throw invalidFields([
      {
        field: 'order',
        violation: 'OUT_OF_RANGE',
        message: 'must be by time, number, person or decision: sessions have no order by identifier',
      },
    ]);
  return order;
}

/** Undefined if there are too many for memory. */
async function foundInMemory(
  deps: FindDeps,
  gkScopeId: string,
  input: Sought,
  page: Page,
): Promise<Found<FoundEntry> | undefined> {
  const { marked } = input;
  const among = marked && (await deps.store.read.marks.sessionsWith(gkScopeId, marked));
  return findSessions(deps, gkScopeId, { ...input, ...(among && { among }) }, page, {
    read: async (ids) => {
      const sessions = await deps.store.read.sessions.findMany(gkScopeId, ids);
      const filter = foundFilter(input);
      const { bySearches: _bySearches, ...found } = filter;
      const fitting =
        Object.keys(found).length > 0
          ? await deps.store.read.sessions.amongFound(gkScopeId, ids, filter)
          : undefined;
      const there = sessions.filter(({ gkSessionId }) => fitting?.has(gkSessionId) ?? true);
      const entries = await soughtEntries(deps, gkScopeId, there, input);
      return new Map(entries.map((entry) => [entry.session.gkSessionId, entry]));
    },
    fits: fitting(input),
  });
}

function readerOf(
  deps: DeletedDeps,
  gkScopeId: string,
  sought: Sought,
): (at: Page) => Promise<{ items: FoundEntry[]; next?: string }> {
  const { fromMs, toMs, active, types, gkPersonId, marked } = sought;
  const filter = {
    ...foundFilter(sought),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
    ...(types && { types }),
    ...(gkPersonId && { gkPersonId }),
    ...(marked && { marked }),
    // A session that has been idle too long is stored as active until somebody uses it: only this direction
    // is certain.
    ...(active === true && { active }),
  };
  return async (at) => {
    const { sessions, next } = await deps.store.read.sessions.list(gkScopeId, filter, at);
    return { items: await soughtEntries(deps, gkScopeId, sessions, sought), ...(next && { next }) };
  };
}

function fitting({
  active,
  decisions,
  standings = [],
  query,
  caseNumber,
  isTest,
  gkPersonId = '',
  isCutOff,
  marks = [],
  withoutUploads,
  gkFraudsterId = '',
}: Sought): (entry: FoundEntry) => boolean {
  const isSought = matcherOf(query);
  const isOfCase = beginningWith(caseNumber);
  return (entry) => {
    const { isActive, decision, claimedGkPersonId } = entry.session;
    return (
      (gkPersonId === '' ||
        claimedGkPersonId === gkPersonId ||
        entry.persons.some((person) => person.gkPersonId === gkPersonId)) &&
      (!isCutOff || entry.cutOffAtMs !== undefined) &&
      hasMarks(marks, entry) &&
      (!entry.isUpload || (!withoutUploads && gkFraudsterId === '')) &&
      (isTest === undefined || entry.session.isTest === isTest) &&
      (active === undefined || isActive === active) &&
      (!decisions?.length || (decision !== undefined && decisions.includes(decision.decision))) &&
      (standings.length === 0 || hasStanding(standings, standingOf(entry), entry.refused > 0)) &&
      (caseNumber === '' || (entry.caseNumber !== '' && isOfCase(entry.caseNumber))) &&
      (query === '' ||
        isSought(searchable([...sessionTexts(entry.session), ...entry.partyTexts, ...entry.notedTexts])))
    );
  };
}

const hasMarks = (sought: readonly MarkName[], entry: FoundEntry): boolean => {
  const names = sought.length > 0 ? markNames(entry) : [];
  return sought.every((mark) => names.includes(mark));
};

const standingOf = ({ session, factors, refused }: FoundEntry): SessionStanding =>
  sessionStanding(session, { checks: factors, refused });

const positionOf = ({ session }: FoundEntry) => ({
  createdAtMs: session.createdAtMs,
  id: session.gkSessionId,
});

/** If marks are requested, they are known for every entry; otherwise only for those shown. */
async function soughtEntries(
  deps: DeletedDeps,
  gkScopeId: string,
  sessions: readonly Session[],
  sought: Sought,
): Promise<FoundEntry[]> {
  const all = await entriesOf(deps, gkScopeId, sessions, sought);
  const entries = await soughtByAssessment(deps, gkScopeId, all, sought);
  const { query, marked, isFoundLater, hasMadeFraudsters } = sought;
  if (query === '' && !marked && !isFoundLater && !hasMadeFraudsters) return entries;
  const known = await withMarks(deps, gkScopeId, entries);
  const found = await withFindings(deps, gkScopeId, known, sought);
  return query === '' ? found : foundByFraudsters(deps, gkScopeId, found, sought);
}

/** Those with the findings sought, of their own or in the session that their decision comes from. */
async function withFindings(
  deps: DeletedDeps,
  gkScopeId: string,
  entries: readonly FoundEntry[],
  { isFoundLater, hasMadeFraudsters, bySearches }: Sought,
): Promise<FoundEntry[]> {
  if (!isFoundLater && !hasMadeFraudsters) return [...entries];
  const detailed = await withCarriedDetails(deps, gkScopeId, entries, { bySearches });
  return entries.filter((entry, at) => {
    const both = [entry, detailed[at]?.carried];
    return (
      (!isFoundLater || both.some((one) => (one?.foundLater.length ?? 0) > 0)) &&
      (!hasMadeFraudsters || both.some((one) => (one?.madeFraudsters.length ?? 0) > 0))
    );
  });
}

/** Also by the names of deleted fraudsters, and of those whom a carried decision is about. */
async function foundByFraudsters(
  deps: DeletedDeps,
  gkScopeId: string,
  entries: readonly FoundEntry[],
  counted: { bySearches: boolean },
): Promise<FoundEntry[]> {
  const carried = await withCarriedDetails(deps, gkScopeId, entries, counted);
  const named = await withDeletedFraudsters(deps, gkScopeId, carried);
  return entries.map((entry, at) => {
    const told = [named[at], named[at]?.carried].flatMap((one) => one ?? []);
    const all = told.flatMap(({ fraudsters, foundLater, madeFraudsters }) => [
      ...fraudsters,
      ...foundLater.flatMap(({ fraudster }) => fraudster ?? []),
      ...madeFraudsters,
    ]);
    return {
      ...entry,
      partyTexts: [...entry.partyTexts, ...all.flatMap(({ fraudsterId, name }) => [fraudsterId, name])],
    };
  });
}
