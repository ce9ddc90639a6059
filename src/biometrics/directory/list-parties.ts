// Lists of persons and fraudsters with the number of prints of each. Names are sealed in the rows: a search uses an index in
// memory, and reads every row only if there are more than fit in memory.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Party, PartyKind } from '../model/entities.js';
import type { PartyView } from '../entities/read-party.js';
import {
  compareIn,
  decodePosition,
  encodePosition,
  pageOf,
  searchPage,
  type Found,
  type Position,
} from '../call/paging.js';
import type { ListOrder, Page, ValueOrder } from '../ports/page.js';
import { isLocked } from '../rules/profile-changes.js';
import { partyTexts, type PartyIndexEntry } from '../search/entries.js';
import { firstOf, matcherOf, searchable } from '../search/match-text.js';
import type { SearchDeps } from '../search/search-indexes.js';

export interface PageRequest {
  context: RequestContext;
  pageSize?: number;
  pageToken?: string;
  /** Part of the entries' names or IDs; empty: all. */
  query?: string;
  order?: ListOrder | ValueOrder;
}

interface PartyEntry extends PartyView {
  prints: number;
  trainedPrints: number;
  /** As of now: automatic locks end by themselves. */
  lockedPrints: number;
}

export interface Listing<T> {
  entries: T[];
  next?: string;
  total: number;
}

export async function listParties(
  deps: SearchDeps,
  call: Call,
  input: PageRequest & { kind: PartyKind; memberOf?: string },
): Promise<Listing<PartyEntry>> {
  const page = pageOf(input);
  const gkScopeId = await openTenant(deps, call, input.context);
  const { kind, memberOf } = input;
  if (memberOf) await checkCollection(deps, gkScopeId, kind, memberOf);
  const filter = { ...(memberOf && { memberOf }) };
  const read = async (at: Page) => {
    const { parties, next } = await deps.store.read.parties.list(gkScopeId, kind, filter, at);
    return { items: parties, ...(next && { next }) };
  };
  const query = input.query?.trim();
  let found: Found<Party> | undefined;
  if (query) {
    // The members of one collection are few enough to be examined.
    if (!memberOf) found = await findInMemory(deps, gkScopeId, { kind, query }, page);
    const fits = matcherOf(query);
    found ??= await searchPage(read, (party) => fits(searchable(partyTexts(party))), positionOf, page, {
      count: true,
      signal: call.signal,
    });
  } else {
    found = { ...(await read(page)), total: await deps.store.read.parties.count(gkScopeId, kind, filter) };
    if (found.next && !memberOf) deps.searches.prepare(gkScopeId, kind);
  }
  return {
    entries: await withPrints(deps, gkScopeId, found.items),
    ...(found.next && { next: found.next }),
    total: found.total ?? found.items.length,
  };
}

/** Undefined if there are too many for memory. */
async function findInMemory(
  deps: SearchDeps,
  gkScopeId: string,
  { kind, query }: { kind: PartyKind; query: string },
  { limit, after, order }: Page,
): Promise<Found<Party> | undefined> {
  const index = await deps.searches.parties(gkScopeId, kind);
  if (!index) return undefined;
  const { found, total } = await index.find({
    fits: matcherOf(query),
    placeOf: placeOfEntry,
    compare: compareIn(order),
    after: after === undefined ? undefined : decodePosition(after, order),
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const rows = await deps.store.read.parties.findMany(
    gkScopeId,
    page.map(({ id }) => id),
  );
  const byId = new Map(rows.map((party) => [party.gkId, party]));
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    items: page.flatMap(({ id }) => byId.get(id) ?? []),
    ...(last && { next: encodePosition(placeOfEntry(last), order) }),
    total,
  };
}

const placeOfEntry = ({ createdAtMs, id, identifier, folded }: PartyIndexEntry): Position => ({
  createdAtMs,
  id,
  identifier,
  key: firstOf(folded),
});

async function checkCollection(deps: BiometricsDeps, gkScopeId: string, kind: PartyKind, gkId: string) {
  const collection = kind === 'PERSON' ? 'GROUP' : 'WATCHLIST';
  const name = collection.toLowerCase();
  if (!(await deps.store.read.collections.find(gkScopeId, collection, gkId)))
    throw notFound(name, `gk_${name}_id`);
}

const positionOf = ({ createdAtMs, gkId, externalId }: Party) => ({
  createdAtMs,
  id: gkId,
  identifier: externalId,
});

async function withPrints(
  deps: BiometricsDeps,
  gkScopeId: string,
  parties: readonly Party[],
): Promise<PartyEntry[]> {
  const prints = await deps.store.read.profiles.listByOwners(
    gkScopeId,
    parties.map((party) => party.gkId),
  );
  const now = deps.clock.now();
  return parties.map((party) => {
    const own = prints.filter((print) => print.gkOwnerId === party.gkId);
    const scores = own.flatMap((print) => print.trained?.voiceClassScore ?? []);
    return {
      party,
      prints: own.length,
      trainedPrints: own.filter((print) => print.trained).length,
      lockedPrints: own.filter((print) => isLocked(print, now)).length,
      ...(scores.length > 0 && {
        voiceClassScoreAverage: scores.reduce((sum, score) => sum + score, 0) / scores.length,
      }),
    };
  });
}
