// Lists of persons and fraudsters with how many prints each has. Names lie sealed in the rows, so a search for
// a part of one looks at every row of the kind.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Party, PartyKind } from '../model/entities.js';
import type { PartyView } from '../entities/read-party.js';
import { pageOf, searchPage, type Found } from '../call/paging.js';
import { hasText } from '../call/search-text.js';
import type { ListOrder, Page } from '../ports/page.js';

export interface PageRequest {
  context: RequestContext;
  pageSize?: number;
  pageToken?: string;
  /** Part of what the entries are known by; empty: all. */
  query?: string;
  order?: ListOrder;
}

export interface PartyEntry extends PartyView {
  prints: number;
  trainedPrints: number;
}

export interface Listing<T> {
  entries: T[];
  next?: string;
  total: number;
}

export async function listParties(
  deps: BiometricsDeps,
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
  let found: Found<Party>;
  if (query) {
    found = await searchPage(read, (party) => isKnownBy(party, query), positionOf, page, {
      count: true,
      signal: call.signal,
    });
  } else {
    found = { ...(await read(page)), total: await deps.store.read.parties.count(gkScopeId, kind, filter) };
  }
  return {
    entries: await withPrints(deps, gkScopeId, found.items),
    ...(found.next && { next: found.next }),
    total: found.total ?? found.items.length,
  };
}

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

function isKnownBy({ externalId, details }: Party, query: string): boolean {
  const { firstName, lastName, phoneNumbers = [] } = details;
  return hasText([externalId, `${firstName} ${lastName}`, ...phoneNumbers], query);
}

async function withPrints(
  deps: BiometricsDeps,
  gkScopeId: string,
  parties: readonly Party[],
): Promise<PartyEntry[]> {
  const prints = await deps.store.read.profiles.listByOwners(
    gkScopeId,
    parties.map((party) => party.gkId),
  );
  return parties.map((party) => {
    const own = prints.filter((print) => print.gkOwnerId === party.gkId);
    const scores = own.flatMap((print) => print.trained?.voiceClassScore ?? []);
    return {
      party,
      prints: own.length,
      trainedPrints: own.filter((print) => print.trained).length,
      ...(scores.length > 0 && {
        voiceClassScoreAverage: scores.reduce((sum, score) => sum + score, 0) / scores.length,
      }),
    };
  });
}
