// The list of sessions, newest first unless asked otherwise, with what is known of each as of now. Numbers, references and
// decisions lie inside the rows: searches and orders by them use what was opened in memory, and look at the rows one by
// one only where there are more than memory is meant for.
import { invalidFields } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { withDeletedFraudsters, type GoneDeps } from './deleted-fraudsters.js';
import type { Decision } from '../model/outcome.js';
import { pageOf, searchPage, type Found } from '../call/paging.js';
import {
  isAmong,
  sessionStanding,
  sessionStandings,
  type SessionStanding,
} from '../rules/session-standing.js';
import type { Session, SessionType } from '../model/sessions.js';
import type { ListOrder, Page, ValueOrder } from '../ports/page.js';
import type { FoundFilter } from '../ports/sessions.js';
import { sessionTexts } from '../search/entries.js';
import { beginningWith, matcherOf, searchable } from '../search/match-text.js';
import type { SearchDeps } from '../search/search-indexes.js';
import {
  decodePlace,
  findSessions,
  isByValue,
  tooManyToOrder,
  type SessionOrder,
  type SoughtSessions,
} from './find-sessions.js';
import { seesSearches } from './sees-searches.js';
import { entriesOf, type SessionEntry } from './session-entries.js';
import { withCarried } from './carried-decisions.js';
import { withDoubts } from './undecided-sessions.js';

export interface ListSessionsInput {
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
  /** What the case number begins with. */
  caseNumber?: string;
  /** Whom they are about: claimed, verified, recognized or enrolled. */
  gkPersonId?: string;
  /** Whom a check has found in them. */
  gkFraudsterId?: string;
  /** Only those in which something was found later. */
  isFoundLater?: boolean;
  /** Only those from which the print of a fraudster was made afterwards. */
  hasMadeFraudsters?: boolean;
  /** Only those in which listening broke off, and nothing was heard since. */
  isCutOff?: boolean;
  /** Only those in which an attack check could not tell whether a live person spoke, and nothing else is open. */
  hasUndecidedChecks?: boolean;
  /** Only those that were decided by a match although the voice did not match in another comparison. */
  hasMismatch?: boolean;
  /** Only those that read as a yes and were never checked for attacks. */
  isUnchecked?: boolean;
  /** Only those that name a watchlist with which nothing was compared, or which could not tell. */
  hasOpenList?: boolean;
  /** Only those in which one of the attack checks was not made. */
  hasMissingChecks?: boolean;
  /** Only those in which the voice was compared with that of somebody else than the one claimed. */
  hasOtherPerson?: boolean;
  /** Only those in which somebody else speaks in a part. */
  hasSecondVoice?: boolean;
  /** None that only hold uploaded recordings. */
  withoutUploads?: boolean;
  /** Only trials, or none of them; both if absent. */
  isTest?: boolean;
  /** Newest first if absent. */
  order?: ListOrder | ValueOrder;
}

export async function listSessions(
  deps: SearchDeps & GoneDeps,
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
  const sought = { ...input, query, caseNumber, order, standings, bySearches };
  let found: Found<SessionEntry> | undefined;
  // A decision that few sessions have is found among all of them, open sessions among those that are over, and those with two persons.
  const isRare =
    (decisions?.length ?? 0) > 0 ||
    standings.length > 0 ||
    active !== undefined ||
    input.hasOtherPerson === true;
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
      !isAboutDoubts(input) &&
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
          // Most sessions with an open check, or with a match and a mismatch or no attack check, are those that are sought.
          {
            ...{ count: false, signal: call.signal },
            ...(isAboutDoubts(input) && { chunkRows: 2 * limit }),
            ...(plain && { chunkRows: limit + UPLOADS_EXPECTED }),
          },
        );
    if (found.next && plain) deps.searches.prepare(gkScopeId, 'sessions');
  }
  const entries = isAboutDoubts(input) ? found.items : await withDoubts(deps, gkScopeId, found.items);
  return {
    entries: await withDeletedFraudsters(deps, gkScopeId, await withCarried(deps, gkScopeId, entries)),
    ...(found.next && { next: found.next }),
  };
}

/** In one page of all sessions. */
const UPLOADS_EXPECTED = 10;

/** What is sought is known only with all factors of a session. */
const isAboutDoubts = (sought: ListSessionsInput): boolean =>
  [
    sought.hasUndecidedChecks,
    sought.hasMismatch,
    sought.isUnchecked,
    sought.hasOpenList,
    sought.hasMissingChecks,
    sought.hasOtherPerson,
    sought.hasSecondVoice,
  ].includes(true);

type Sought = Omit<ListSessionsInput, 'standings'> & SoughtSessions & { bySearches: boolean };

const foundFilter = ({
  gkFraudsterId,
  isFoundLater,
  hasMadeFraudsters,
  isCutOff,
  hasUndecidedChecks,
  hasMismatch,
  isUnchecked,
  hasOpenList,
  hasMissingChecks,
  hasOtherPerson,
  hasSecondVoice,
  bySearches,
}: Sought): FoundFilter => ({
  bySearches,
  ...(gkFraudsterId && { gkFraudsterId }),
  ...(isFoundLater && { isFoundLater }),
  ...(hasMadeFraudsters && { hasMadeFraudsters }),
  ...(isCutOff && { isCutOff }),
  ...(hasUndecidedChecks && { hasOpenCheck: true }),
  ...(hasMismatch && { hasMismatch }),
  ...(isUnchecked && { isUnchecked }),
  ...(hasOpenList && { hasOpenList }),
  ...(hasMissingChecks && { hasMissingChecks }),
  ...(hasOtherPerson && { hasOtherPerson }),
  ...(hasSecondVoice && { hasSecondVoice }),
});

function standingsIn({ standings = [] }: ListSessionsInput): SessionStanding[] {
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

/** Nothing when there are more than memory is meant for. */
function foundInMemory(
  deps: SearchDeps,
  gkScopeId: string,
  input: Sought,
  page: Page,
): Promise<Found<SessionEntry> | undefined> {
  return findSessions(deps, gkScopeId, input, page, {
    read: async (ids) => {
      const sessions = await deps.store.read.sessions.findMany(gkScopeId, ids);
      // That there is another person is known from the index, and looked at in the rows.
      const { hasOtherPerson: _other, ...filter } = foundFilter(input);
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
  deps: BiometricsDeps,
  gkScopeId: string,
  sought: Sought,
): (at: Page) => Promise<{ items: SessionEntry[]; next?: string }> {
  const { fromMs, toMs, active, types, gkPersonId } = sought;
  const filter = {
    ...foundFilter(sought),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
    ...(types && { types }),
    ...(gkPersonId && { gkPersonId }),
    // One that is idle too long is stored as active until somebody touches it: only this direction is sure.
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
  isFoundLater,
  hasMadeFraudsters,
  isCutOff,
  hasUndecidedChecks,
  hasMismatch,
  isUnchecked,
  hasOpenList,
  hasMissingChecks,
  hasOtherPerson,
  hasSecondVoice,
  withoutUploads,
  gkFraudsterId = '',
}: Sought): (entry: SessionEntry) => boolean {
  const isSought = matcherOf(query);
  const isOfCase = beginningWith(caseNumber);
  return (entry) => {
    const { isActive, decision, claimedGkPersonId } = entry.session;
    return (
      (gkPersonId === '' ||
        claimedGkPersonId === gkPersonId ||
        entry.persons.some((person) => person.gkPersonId === gkPersonId)) &&
      (!isFoundLater || entry.foundLater.length > 0) &&
      (!hasMadeFraudsters || entry.madeFraudsters.length > 0) &&
      (!isCutOff || entry.cutOffAtMs !== undefined) &&
      (!hasUndecidedChecks || entry.undecidedChecks !== undefined) &&
      (!hasMismatch || entry.hasMismatch === true) &&
      (!isUnchecked || entry.isUnchecked === true) &&
      (!hasOpenList || entry.isListOpen === true) &&
      (!hasMissingChecks || entry.missingChecks !== undefined) &&
      (!hasOtherPerson || entry.hasOtherPerson === true) &&
      (!hasSecondVoice || entry.hasSecondVoice === true) &&
      (!entry.isUpload || (!withoutUploads && gkFraudsterId === '')) &&
      (isTest === undefined || entry.session.isTest === isTest) &&
      (active === undefined || isActive === active) &&
      (!decisions?.length || (decision !== undefined && decisions.includes(decision.decision))) &&
      (standings.length === 0 || isAmong(standings, standingOf(entry), entry.refused > 0)) &&
      (caseNumber === '' || (entry.caseNumber !== '' && isOfCase(entry.caseNumber))) &&
      (query === '' ||
        isSought(searchable([...sessionTexts(entry.session), ...entry.partyTexts, ...entry.notedTexts])))
    );
  };
}

const standingOf = ({ session, factors, refused }: SessionEntry): SessionStanding =>
  sessionStanding(session, { checks: factors, refused });

const positionOf = ({ session }: SessionEntry) => ({
  createdAtMs: session.createdAtMs,
  id: session.gkSessionId,
});

/** Where it is sought, it is known of every entry; otherwise of those that are shown. */
async function soughtEntries(
  deps: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
  sought: Sought,
): Promise<SessionEntry[]> {
  const entries = await entriesOf(deps, gkScopeId, sessions, sought);
  return isAboutDoubts(sought) ? withDoubts(deps, gkScopeId, entries) : entries;
}
