// Lists of groups and watchlists with their size.
import type { Call } from '../../platform.js';
import { openTenant } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Collection, CollectionKind } from '../model/entities.js';
import { pageOf } from '../call/paging.js';
import type { Listing, PageRequest } from './list-parties.js';

interface CollectionEntry {
  collection: Collection;
  members: number;
}

export async function listCollections(
  deps: BiometricsDeps,
  call: Call,
  input: PageRequest & { kind: CollectionKind },
): Promise<Listing<CollectionEntry>> {
  const page = pageOf(input);
  const gkScopeId = await openTenant(deps, call, input.context);
  const { collections: repository } = deps.store.read;
  const query = input.query?.trim() ?? '';
  const { collections, next } = await repository.list(gkScopeId, input.kind, query, page);
  const members = await repository.countMembersOf(
    gkScopeId,
    collections.map((collection) => collection.gkId),
  );
  return {
    entries: collections.map((collection) => ({ collection, members: members.get(collection.gkId) ?? 0 })),
    ...(next && { next }),
    total: await repository.count(gkScopeId, input.kind, query),
  };
}
