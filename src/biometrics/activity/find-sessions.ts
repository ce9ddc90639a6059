// Sessions found and sorted by what is in them: the index in memory says which come next, and the rows are read and checked
// again before anybody sees them.
import { invalidFields, type AppError } from '../../errors.js';
import { compareIn, decodePosition, encodePosition, type Found } from '../call/paging.js';
import type { SessionType } from '../model/sessions.js';
import type { ListOrder, Page, ValueOrder } from '../ports/page.js';
import { headlines } from '../assessment/model.js';
import type { NotesIndexEntry, PartyIndexEntry, SessionIndexEntry } from '../search/entries.js';
import { beginningWith, firstOf, matcherOf } from '../search/match-text.js';
import type { SearchDeps } from '../search/search-indexes.js';
import type { TextIndex } from '../search/text-index.js';
import type { DeletedDeps } from './deleted-fraudsters.js';
import { deletedFraudstersCalled } from './deleted-names.js';
import { say } from '../../words/server/say.js';

export type FindDeps = SearchDeps & DeletedDeps;

export type SessionOrder = Extract<ListOrder, 'newest' | 'oldest'> | ValueOrder;

export interface SoughtSessions {
  query: string;
  /** The beginning of the case number; empty: any, or none. */
  caseNumber: string;
  /** Only those that are a case: these have an alarm, others a case number or somebody who has the case. */
  alarmed?: ReadonlySet<string>;
  /** The user ID of whoever has the case. */
  caseOwner?: string;
  /** The person they are about: claimed, verified, recognized or enrolled. */
  gkPersonId?: string;
  /** Only sessions from these. */
  among?: ReadonlySet<string>;
  fromMs?: number;
  toMs?: number;
  types?: readonly SessionType[];
  /** The current state is checked in the rows; here only impossible entries are left out. */
  active?: boolean;
  isTest?: boolean;
  order: SessionOrder;
  /** Also by the names of fraudsters whom only searches through stored calls found, for callers who may search. */
  bySearches: boolean;
}

/** A name that more fraudsters share says little; and the newest calls of each, up to this many. */
const FRAUDSTERS_MAX = 20;
const CALLS_OF_FRAUDSTER_MAX = 1000;

interface Place {
  createdAtMs: number;
  id: string;
  /** The sort key; empty if a session has none. */
  key: string;
}

export function isByValue(order: string | undefined): order is ValueOrder {
  return order !== undefined && /^(number|person|decision)/.test(order);
}

/**
 * A page of matches, read by `read` in the order of the given identifiers; undefined if there are too many
 * for memory.
 */
export async function findSessions<T>(
  deps: FindDeps,
  gkScopeId: string,
  sought: SoughtSessions,
  { limit, after }: Pick<Page, 'limit' | 'after'>,
  reading: { read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>; fits: (item: T) => boolean },
): Promise<Found<T> | undefined> {
  const { order } = sought;
  const needsPersons = sought.query !== '' || order.startsWith('person');
  const persons = needsPersons ? await deps.searches.parties(gkScopeId, 'PERSON') : undefined;
  const fraudsters = sought.query === '' ? undefined : await deps.searches.parties(gkScopeId, 'FRAUDSTER');
  const needsNotes =
    sought.query !== '' || sought.caseNumber !== '' || Boolean(sought.alarmed ?? sought.caseOwner);
  const notes = needsNotes ? await deps.searches.notes(gkScopeId) : undefined;
  const index = await deps.searches.sessions(gkScopeId);
  if (!index || (needsPersons && !persons) || (needsNotes && !notes)) return undefined;
  if (sought.query !== '' && !fraudsters) return undefined;
  if (order.startsWith('decision')) await learnHeadlines(deps, gkScopeId, index);
  const keyOf = keyIn(order, persons);
  const placeOf = (entry: SessionIndexEntry): Place => ({
    createdAtMs: entry.createdAtMs,
    id: entry.id,
    key: keyOf(entry),
  });
  const compare = compareBy(order);
  const found = fraudsters ? await sessionsOfFraudsters(deps, gkScopeId, sought, fraudsters) : [];
  const engagements = new Set(found.flatMap((id) => index.get(id)?.gkEngagementId ?? []));
  const fits = fitting(sought, { persons, fraudsters, notes, found: new Set(found), engagements });
  const items: T[] = [];
  let from = after === undefined ? undefined : decodePlace(after, order);
  let last: Place | undefined;
  for (;;) {
    const next = await index.find<Place>({ fits, placeOf, compare, after: from, limit: limit + 1 });
    const rows = await reading.read(next.found.map(({ id }) => id));
    for (const entry of next.found) {
      const item = rows.get(entry.id);
      if (item === undefined || !reading.fits(item)) continue;
      if (items.length === limit) return { items, ...(last && { next: encodePlace(last, order) }) };
      items.push(item);
      last = placeOf(entry);
    }
    const end = next.found.at(-1);
    if (!end || next.found.length <= limit) return { items };
    from = placeOf(end);
  }
}

/** Criteria that are not in the sessions themselves. */
interface Beside {
  persons: TextIndex<PartyIndexEntry> | undefined;
  fraudsters: TextIndex<PartyIndexEntry> | undefined;
  notes: TextIndex<NotesIndexEntry> | undefined;
  /** Sessions in which a fraudster of that name was found, even later. */
  found: ReadonlySet<string>;
  /** Their engagements: other sessions of these may have the decision from there. */
  engagements: ReadonlySet<string>;
}

/**
 * The index knows who was recognized in a call; who was found in it later, or deleted since, is stored
 * elsewhere.
 */
async function sessionsOfFraudsters(
  deps: FindDeps,
  gkScopeId: string,
  { query, bySearches }: SoughtSessions,
  fraudsters: TextIndex<PartyIndexEntry>,
): Promise<string[]> {
  const fits = matcherOf(query);
  const named = await fraudsters.find({
    fits,
    placeOf: ({ createdAtMs, id }) => ({ createdAtMs, id }),
    compare: compareIn('newest'),
    limit: FRAUDSTERS_MAX,
  });
  const deleted = await deletedFraudstersCalled(deps.audit, gkScopeId, { fits, limit: FRAUDSTERS_MAX });
  const sessions: string[] = [];
  for (const gkFraudsterId of [...named.found.map(({ id }) => id), ...deleted]) {
    const filter = { gkFraudsterId, bySearches };
    sessions.push(
      ...(await deps.store.read.sessions.withFraudster(gkScopeId, filter, CALLS_OF_FRAUDSTER_MAX)),
    );
  }
  return sessions;
}

function fitting(
  { query, caseNumber, caseOwner, alarmed, gkPersonId = '', among, fromMs, toMs, ...sought }: SoughtSessions,
  { persons, fraudsters, notes, found, engagements }: Beside,
): (entry: SessionIndexEntry) => boolean {
  const { types, active, isTest } = sought;
  const isSought = query === '' ? () => true : matcherOf(query);
  const isOfCase = beginningWith(caseNumber);
  const hasNote = (gkEngagementId: string, has: (note: NotesIndexEntry) => boolean): boolean => {
    const note = notes?.get(gkEngagementId);
    return note !== undefined && has(note);
  };
  const isSoughtIn =
    (parties: TextIndex<PartyIndexEntry> | undefined) =>
    (gkId: string): boolean => {
      const party = parties?.get(gkId);
      return party !== undefined && isSought(party);
    };
  const isSoughtPerson = isSoughtIn(persons);
  const isSoughtFraudster = isSoughtIn(fraudsters);
  return (entry) =>
    (fromMs === undefined || entry.createdAtMs >= fromMs) &&
    (toMs === undefined || entry.createdAtMs < toMs) &&
    (!types?.length || types.includes(entry.sessionType)) &&
    (active !== true || entry.isActive) &&
    (isTest === undefined || entry.isTest === isTest) &&
    (gkPersonId === '' || entry.gkPersonIds.includes(gkPersonId)) &&
    (among === undefined || among.has(entry.id)) &&
    (caseNumber === '' || hasNote(entry.gkEngagementId, (note) => isOfCase(note.caseNumber))) &&
    (!caseOwner || hasNote(entry.gkEngagementId, (note) => note.caseOwner === caseOwner)) &&
    (alarmed === undefined || alarmed.has(entry.id) || hasNote(entry.gkEngagementId, isCase)) &&
    (isSought(entry) ||
      entry.gkPersonIds.some(isSoughtPerson) ||
      entry.gkFraudsterIds.some(isSoughtFraudster) ||
      found.has(entry.id) ||
      engagements.has(entry.gkEngagementId) ||
      hasNote(entry.gkEngagementId, isSought));
}

const isCase = ({ caseNumber, caseOwner }: NotesIndexEntry): boolean => caseNumber !== '' || caseOwner !== '';

function keyIn(
  order: SessionOrder,
  persons: TextIndex<PartyIndexEntry> | undefined,
): (entry: SessionIndexEntry) => string {
  if (order.startsWith('number')) return ({ number }) => number;
  if (order.startsWith('decision')) return ({ headline = 'NONE' }) => severityOf(headline);
  if (order.startsWith('person'))
    return ({ gkPersonIds: [first = ''] }) => {
      const person = persons?.get(first);
      return person ? nameKey(person) : '';
    };
  return () => '';
}

/** These say nothing about a caller, and come last in either direction. */
const unordered = ['UPLOAD', 'LISTENING', 'NONE'];
const severities: ReadonlyMap<string, string> = new Map(
  headlines.map((name, at) => [name, unordered.includes(name) ? '' : String.fromCodePoint(97 + at)]),
);
const severityOf = (headline: string): string => severities.get(headline) ?? '';

/** Once for each entry: it is replaced when something changes. */
async function learnHeadlines(
  { store }: FindDeps,
  gkScopeId: string,
  index: TextIndex<SessionIndexEntry>,
): Promise<void> {
  const unknown = [...index.ids].filter((id) => index.get(id)?.headline === undefined);
  const stored = await store.read.assessments.findMany(gkScopeId, unknown);
  for (const id of unknown) {
    const entry = index.get(id);
    const headline = stored.get(id)?.headline;
    if (entry && headline !== undefined) entry.headline = headline;
  }
}

/**
 * As people look up names, without case and accents; sessions of two people who differ in nothing else stay
 * apart. Computed once: doing it for every session costs more than sorting them.
 */
function nameKey(person: PartyIndexEntry): string {
  person.nameKey ??= `${firstOf(person.folded)}\0${person.identifier}`;
  return person.nameKey;
}

/** Runs for every entry: nothing is looked up or created in it. */
function compareBy(order: SessionOrder): (a: Place, b: Place) => number {
  if (!isByValue(order)) return compareIn(order);
  const newestFirst = compareIn('newest');
  const direction = order.endsWith('-reversed') ? -1 : 1;
  return (a, b) => {
    if (a.key === b.key) return newestFirst(a, b);
    if (a.key === '' || b.key === '') return a.key === '' ? 1 : -1;
    return a.key < b.key ? -direction : direction;
  };
}

function encodePlace(place: Place, order: SessionOrder): string {
  if (!isByValue(order)) return encodePosition(place, order);
  const { key, createdAtMs, id } = place;
  return Buffer.from(JSON.stringify([order, key, createdAtMs, id])).toString('base64url');
}

/** Throws for a token of another list or order. */
export function decodePlace(token: string, order: SessionOrder): Place {
  if (!isByValue(order)) return { ...decodePosition(token, order), key: '' };
  try {
    const place: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    if (Array.isArray(place) && place[0] === order) {
      const [, key, createdAtMs, id] = place as unknown[];
      if (typeof key === 'string' && typeof createdAtMs === 'number' && typeof id === 'string')
        return { key, createdAtMs, id };
    }
  } catch {
    // Refused below, like anything else that is not a place in this list.
  }
  throw invalidFields([{ field: 'page_token', violation: 'INVALID_FORMAT', ...say('NOT_OF_THIS_LIST') }]);
}

export function tooManyToOrder(): AppError {
  return invalidFields([
    {
      field: 'order',
      violation: 'OUT_OF_RANGE',
      ...say('ORDER_OF_TOO_MANY'),
    },
  ]);
}
