// Names, for the audit trail, of what no longer exists: people who were deleted are still named by the records about them,
// until their personal data is erased; a deleted print still had an owner; a list is nobody's personal data.
import type { AuditReader } from '../../audit/ports.js';
import type { Repositories } from '../ports/store.js';
import { searchable, type Searchable } from '../search/match-text.js';

interface AuditDeps {
  audit: AuditReader;
  store: { read: Pick<Repositories, 'parties' | 'profiles'> };
}

const namingOperations = ['Person', 'Fraudster'].flatMap((kind) => [
  `Create${kind}`,
  `Rename${kind}`,
  `Delete${kind}`,
]);

/**
 * For IDs that are no existing persons, fraudsters, groups or watchlists: their names, or their owners'
 * names.
 */
export async function namesOfDeleted(
  { audit, store: { read } }: AuditDeps,
  gkScopeId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const ownerOf = await read.profiles.ownersOf(gkScopeId, ids);
  const owners = [...new Set(ownerOf.values())];
  const there = await read.parties.findMany(gkScopeId, owners);
  const names = new Map(there.map(({ gkId, externalId }) => [gkId, externalId]));
  const missing = [...ids.filter((id) => !ownerOf.has(id)), ...owners.filter((id) => !names.has(id))];
  for (const { subjectId, personal } of await audit.personalAbout(gkScopeId, missing, namingOperations)) {
    const { to, externalId } = personal as Record<string, string | undefined>;
    const name = to ?? externalId;
    if (name) names.set(subjectId, name);
  }
  for (const [print, owner] of ownerOf) {
    const name = names.get(owner);
    if (name) names.set(print, name);
  }
  for (const list of await deletedLists(audit, gkScopeId, missing)) names.set(...list);
  return names;
}

/** More than anybody deletes. */
const LISTS_MAX = 1000;

async function deletedLists(
  audit: AuditReader,
  gkScopeId: string,
  missing: readonly string[],
): Promise<[string, string][]> {
  if (missing.length === 0) return [];
  const deletions = await audit.search({
    chain: gkScopeId,
    recordTypes: ['GROUP_EVENT', 'WATCHLIST_EVENT'],
    operations: ['DeleteGroup', 'DeleteWatchlist'],
    limit: LISTS_MAX,
  });
  return deletions.flatMap(({ record: { subjectIds, detail } }): [string, string][] => {
    const [id = ''] = subjectIds;
    const name = detail['externalId'];
    return missing.includes(id) && typeof name === 'string' ? [[id, name]] : [];
  });
}

/** The most recent ones: each has to be opened for every search. */
const DELETED_MAX = 5000;

interface Called {
  fits: (known: Searchable) => boolean;
  limit: number;
}

/** Deleted persons and fraudsters whose names match, and their prints. */
export async function deletedCalled(
  audit: AuditReader,
  gkScopeId: string,
  { fits, limit }: Called,
): Promise<string[]> {
  const operations = ['DeletePerson', 'DeleteFraudster'];
  const deletions = await deletionsCalled(audit, gkScopeId, operations, { fits, limit });
  return deletions.flat().slice(0, limit);
}

/** Fraudsters only, without their prints; newest first. */
export async function deletedFraudstersCalled(
  audit: AuditReader,
  gkScopeId: string,
  { fits, limit }: Called,
): Promise<string[]> {
  const deletions = await deletionsCalled(audit, gkScopeId, ['DeleteFraudster'], { fits, limit });
  return deletions.flatMap(([gkFraudsterId]) => gkFraudsterId ?? []).slice(0, limit);
}

/** The subjects of each deletion: who was deleted, and the prints. */
async function deletionsCalled(
  audit: AuditReader,
  gkScopeId: string,
  operations: readonly string[],
  { fits, limit }: Called,
): Promise<(readonly string[])[]> {
  const deletions = await audit.search({
    chain: gkScopeId,
    recordTypes: ['PERSON_EVENT', 'FRAUDSTER_EVENT'],
    operations,
    limit: DELETED_MAX,
  });
  const called: (readonly string[])[] = [];
  for (const { record } of deletions) {
    if (called.flat().length >= limit) break;
    const { externalId } = ((await audit.openPersonal(record)) ?? {}) as { externalId?: string };
    if (externalId && fits(searchable([externalId]))) called.push(record.subjectIds);
  }
  return called;
}
