// The list of sessions, newest first by default, with the current details of each. By what they mean, sessions are found in the
// database; numbers, references and names are sealed in the rows: searching and sorting by them uses an index in memory, and reads
// the rows one by one only if there are more than fit in memory.
import { idOfActor } from '../../audit/actor.js';
import type { Actors } from '../../audit/ports.js';
import { invalidFields } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { NamedAssessment, Told } from '../assessment/names.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { pageOf, searchPage, type Found } from '../call/paging.js';
import type { Session, SessionType } from '../model/sessions.js';
import type { AssessmentFilter } from '../ports/assessments.js';
import type { ListOrder, Page, ValueOrder } from '../ports/page.js';
import { sessionTexts } from '../search/entries.js';
import { beginningWith, matcherOf, searchable } from '../search/match-text.js';
import { assessmentFilter, soughtByAssessment, withAssessments, type SoughtAssessments } from './assessed.js';
import { CASE_CAVEAT, CASE_HEADLINE } from './cases.js';
import { withDeletedFraudsters, type DeletedDeps } from './deleted-fraudsters.js';
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
import { say } from '../../words/server/say.js';

interface ListSessionsInput extends SoughtAssessments {
  context: RequestContext;
  pageSize?: number;
  pageToken?: string;
  query?: string;
  fromMs?: number;
  toMs?: number;
  active?: boolean;
  types?: readonly SessionType[];
  /** The beginning of the case number. */
  caseNumber?: string;
  /** The user who has the case, by ID or user name. */
  assignedTo?: string;
  /** The person they are about: claimed, verified, recognized or enrolled. */
  gkPersonId?: string;
  /** The fraudster whom a check has found in them. */
  gkFraudsterId?: string;
  /** None that only hold uploaded recordings. */
  withoutUploads?: boolean;
  /** Only trials, or none of them; both if absent. */
  isTest?: boolean;
  /** Newest first if absent. */
  order?: ListOrder | ValueOrder;
}

type Sought = ListSessionsInput & SoughtSessions & { assessed?: AssessmentFilter };

export async function listSessions(
  deps: FindDeps & { actors: Actors },
  call: Call,
  input: ListSessionsInput,
): Promise<{ entries: SessionEntry[]; next?: string }> {
  const order = orderOf(input);
  const { pageToken, ...rest } = input;
  const { limit } = pageOf({ ...(rest.pageSize !== undefined && { pageSize: rest.pageSize }) });
  if (pageToken) decodePlace(pageToken, order);
  const page = { limit, ...(pageToken && { after: pageToken }) };
  const gkScopeId = await openTenant(deps, call, input.context);
  const query = input.query?.trim() ?? '';
  const caseNumber = input.caseNumber?.trim() ?? '';
  const bySearches = await seesSearches(deps, call, gkScopeId);
  const assessed = await assessmentFilter(deps, gkScopeId, input);
  const caseOwner = input.assignedTo && (await idOfActor(deps.actors, input.assignedTo));
  const sought: Sought = {
    ...{ ...input, query, caseNumber, order, bySearches },
    ...(assessed && { assessed }),
    ...(caseOwner && { caseOwner }),
  };
  // Open sessions must be searched for among ended ones, and trials among calls.
  const isInMemory =
    [query, caseNumber, caseOwner].some(Boolean) ||
    input.active !== undefined ||
    input.isTest === true ||
    isOfCases(input) ||
    isByValue(order);
  const found =
    (isInMemory ? await foundInMemory(deps, gkScopeId, sought, page) : undefined) ??
    (await foundInRows(deps, call, gkScopeId, sought, { ...page, order }));
  return {
    entries: await withDetails(deps, gkScopeId, found.items, { bySearches }),
    ...(found.next && { next: found.next }),
  };
}

const isOfCases = ({ caseStates = [] }: ListSessionsInput): boolean => caseStates.length > 0;

/** In one page of all sessions. */
const UPLOADS_EXPECTED = 10;

async function foundInRows(
  deps: FindDeps,
  call: Call,
  gkScopeId: string,
  sought: Sought,
  { order = 'newest', ...page }: Omit<Page, 'order'> & { order?: SessionOrder },
): Promise<Found<FoundEntry>> {
  if (isByValue(order)) throw tooManyToOrder();
  const { query, caseNumber, gkPersonId = '', gkFraudsterId = '', active, isTest, assessed } = sought;
  const isPlain =
    [query, caseNumber, sought.caseOwner ?? '', gkPersonId, gkFraudsterId].every((text) => text === '') &&
    !isOfCases(sought) &&
    [active, isTest, assessed].every((one) => one === undefined);
  const read = readerOf(deps, gkScopeId, sought);
  if (isPlain && !sought.withoutUploads) return read({ ...page, order });
  const found = await searchPage(
    read,
    fitting(sought),
    positionOf,
    { ...page, order },
    {
      ...{ count: false, signal: call.signal },
      // Nearly everything that is read fits.
      ...(assessed && { chunkRows: page.limit + 1 }),
      ...(isPlain && { chunkRows: page.limit + UPLOADS_EXPECTED }),
    },
  );
  if (found.next && isPlain) deps.searches.prepare(gkScopeId, 'sessions');
  return found;
}

/** What only the entries that are shown need. */
export async function withDetails(
  deps: DeletedDeps & { actors: Actors },
  gkScopeId: string,
  entries: readonly FoundEntry[],
  told: Told,
): Promise<SessionEntry[]> {
  const named = await withDeletedFraudsters(deps, gkScopeId, entries);
  const assessed = await withAssessments(deps, gkScopeId, named, told);
  const names = await deps.actors.namesOf(assessed.flatMap(({ caseOwner }) => caseOwner || []));
  return assessed.map((entry) => {
    const caseOwnerName = names.get(entry.caseOwner);
    return caseOwnerName ? { ...entry, caseOwnerName } : entry;
  });
}

function orderOf({ order = 'newest' }: ListSessionsInput): SessionOrder {
  if (order === 'identifier' || order === 'identifier-reversed')
    throw invalidFields([
      {
        field: 'order',
        violation: 'OUT_OF_RANGE',
        ...say('ORDER_BY_IDENTIFIER'),
      },
    ]);
  return order;
}

/** Calls that are cases whether or not anybody has looked at them. */
const alarms: readonly SoughtAssessments[] = [{ headlines: [CASE_HEADLINE] }, { caveats: [CASE_CAVEAT] }];

/** Undefined if there are too many for memory. */
async function foundInMemory(
  deps: FindDeps,
  gkScopeId: string,
  input: Sought,
  page: Page,
): Promise<Found<FoundEntry> | undefined> {
  const { assessed, gkFraudsterId, bySearches } = input;
  const { read } = deps.store;
  const among = assessed && (await read.assessments.sessionsWith(gkScopeId, assessed));
  const alarmed = isOfCases(input) ? await alarmedIn(deps, gkScopeId) : undefined;
  const narrowed = { ...input, ...(among && { among }), ...(alarmed && { alarmed }) };
  return findSessions(deps, gkScopeId, narrowed, page, {
    read: async (ids) => {
      const sessions = await read.sessions.findMany(gkScopeId, ids);
      const fit = gkFraudsterId
        ? await read.sessions.amongFound(gkScopeId, ids, { gkFraudsterId, bySearches })
        : undefined;
      const there = sessions.filter(({ gkSessionId }) => fit?.has(gkSessionId) ?? true);
      const entries = await soughtEntries(deps, gkScopeId, there, input);
      return new Map(entries.map((entry) => [entry.session.gkSessionId, entry]));
    },
    fits: fitting(input),
  });
}

async function alarmedIn(deps: FindDeps, gkScopeId: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const sought of alarms) {
    const filter = await assessmentFilter(deps, gkScopeId, sought);
    if (!filter) continue;
    for (const id of await deps.store.read.assessments.sessionsWith(gkScopeId, filter)) found.add(id);
  }
  return found;
}

function readerOf(
  deps: DeletedDeps,
  gkScopeId: string,
  sought: Sought,
): (at: Page) => Promise<{ items: FoundEntry[]; next?: string }> {
  const { fromMs, toMs, active, types, gkPersonId, gkFraudsterId, bySearches, assessed } = sought;
  const filter = {
    bySearches,
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
    ...(types && { types }),
    ...(gkPersonId && { gkPersonId }),
    ...(gkFraudsterId && { gkFraudsterId }),
    ...(assessed && { assessed }),
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
  decisions = [],
  query,
  caseNumber,
  caseOwner,
  isTest,
  gkPersonId = '',
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
      (!entry.isUpload || (!withoutUploads && gkFraudsterId === '')) &&
      (isTest === undefined || entry.session.isTest === isTest) &&
      (active === undefined || isActive === active) &&
      (decisions.length === 0 || (decision !== undefined && decisions.includes(decision.decision))) &&
      (!caseOwner || entry.caseOwner === caseOwner) &&
      (caseNumber === '' || (entry.caseNumber !== '' && isOfCase(entry.caseNumber))) &&
      (query === '' ||
        isSought(searchable([...sessionTexts(entry.session), ...entry.partyTexts, ...entry.notedTexts])))
    );
  };
}

const positionOf = ({ session }: FoundEntry) => ({
  createdAtMs: session.createdAtMs,
  id: session.gkSessionId,
});

async function soughtEntries(
  deps: DeletedDeps,
  gkScopeId: string,
  sessions: readonly Session[],
  sought: Sought,
): Promise<FoundEntry[]> {
  const all = await entriesOf(deps, gkScopeId, sessions);
  const entries = await soughtByAssessment(deps, gkScopeId, all, sought);
  if (sought.query === '') return entries;
  // Also by the names of fraudsters who were deleted or found later, and of those whom an inherited decision is about.
  const assessed = await withAssessments(deps, gkScopeId, entries, sought);
  return assessed.map((entry) => ({
    ...entry,
    partyTexts: [...entry.partyTexts, ...textsIn(entry.assessment)],
  }));
}

function textsIn(assessment: NamedAssessment | undefined): string[] {
  if (!assessment) return [];
  const { whoCalled, inheritedFrom, foundLater } = assessment;
  const found = foundLater.flatMap(({ fraudster }) => fraudster ?? []);
  return [...whoCalled, ...(inheritedFrom?.whoCalled ?? []), ...found].flatMap(({ id, name }) => [id, name]);
}
