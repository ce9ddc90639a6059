// Fraudsters, their prints and lists that have since been deleted: a session still says whom it recognized and by which list. A
// deletion is not an erasure: storage remembers whose a print was, and the audit trail keeps the names of those who are gone.
import type { AuditReader } from '../../audit/ports.js';
import type { Factor } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { isFraudsterHit } from '../rules/session-persons.js';
import { namesOfDeleted } from './deleted-names.js';
import { fraudsterOf, type NamedFraudster } from './named.js';
import type { SessionEntry } from './session-entries.js';
import type { TimelineEvent } from './timeline-events.js';

export interface DeletedDeps extends BiometricsDeps {
  audit: AuditReader;
}

const printsIn = (factors: readonly Factor[]): string[] => [
  ...new Set(
    factors.filter(isFraudsterHit).flatMap(({ gkVoiceprintProfileId }) => gkVoiceprintProfileId ?? []),
  ),
];

/** Fraudsters recognized by prints that have been deleted, by print; the fraudsters themselves may still exist. */
export async function fraudstersOfDeletedPrints(
  deps: DeletedDeps,
  gkScopeId: string,
  factors: readonly Factor[],
): Promise<Map<string, NamedFraudster>> {
  const { read } = deps.store;
  const found = new Map<string, NamedFraudster>();
  const prints = printsIn(factors);
  if (prints.length === 0) return found;
  const there = await read.profiles.findMany(gkScopeId, prints);
  const ofDeleted = prints.filter((print) => !there.some((known) => known.gkVoiceprintProfileId === print));
  if (ofDeleted.length === 0) return found;
  const ownerOf = await read.profiles.ownersOf(gkScopeId, ofDeleted);
  const named = await fraudstersWithDeleted(deps, gkScopeId, [...new Set(ownerOf.values())]);
  for (const [print, owner] of ownerOf) {
    const fraudster = named.get(owner);
    if (fraudster) found.set(print, fraudster);
  }
  return found;
}

/** Fraudsters by their IDs, whether they still exist or have been deleted. */
export async function fraudstersWithDeleted(
  { audit, store: { read } }: DeletedDeps,
  gkScopeId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedFraudster>> {
  const parties = await read.parties.findMany(gkScopeId, ids);
  const there = new Map(parties.map((party) => [party.gkId, fraudsterOf(party)]));
  const ofDeleted = ids.filter((gkId) => !there.has(gkId));
  return new Map([...there, ...(await fraudstersOf(audit, gkScopeId, ofDeleted))]);
}

/** Deleted fraudsters, by their IDs. */
export async function fraudstersOf(
  audit: AuditReader,
  gkScopeId: string,
  ids: readonly string[],
): Promise<Map<string, NamedFraudster>> {
  const found = new Map<string, NamedFraudster>();
  if (ids.length === 0) return found;
  const deletions = await audit.personalAbout(gkScopeId, [...new Set(ids)], ['DeleteFraudster']);
  for (const { subjectId: gkFraudsterId, personal } of deletions) {
    const { externalId } = personal as { externalId?: string };
    if (externalId)
      found.set(gkFraudsterId, { gkFraudsterId, fraudsterId: externalId, name: '', isDeleted: true });
  }
  return found;
}

/** For a list: adds deleted fraudsters to calls that recognized one. */
export async function withDeletedFraudsters(
  deps: DeletedDeps,
  gkScopeId: string,
  entries: readonly SessionEntry[],
): Promise<SessionEntry[]> {
  const open = entries.filter(({ session }) => session.decision?.decision === 'FRAUD' && !session.isErased);
  const ids = open.map(({ session }) => session.gkSessionId);
  const bySession = await deps.store.read.factors.listBySessions(gkScopeId, ids);
  const ofDeleted = await fraudstersOfDeletedPrints(deps, gkScopeId, [...bySession.values()].flat());
  return entries.map((entry) => {
    const deleted = namedBy(bySession.get(entry.session.gkSessionId) ?? [], ofDeleted);
    return deleted.length > 0 ? { ...entry, fraudsters: [...entry.fraudsters, ...deleted] } : entry;
  });
}

/** The deleted ones, each once; the others are known by what the session is about. */
export function namedBy(
  factors: readonly Factor[],
  ofDeleted: ReadonlyMap<string, NamedFraudster>,
): NamedFraudster[] {
  const named = printsIn(factors)
    .flatMap((print) => ofDeleted.get(print) ?? [])
    .filter((one) => one.isDeleted);
  return [...new Map(named.map((one) => [one.gkFraudsterId, one])).values()];
}

/**
 * With the fraudster of a deleted print (`fraudsterId`, `gkFraudsterId`), and the names of deleted lists
 * (`watchlistId`, `groupId`).
 */
export async function withDeletedNames(
  deps: DeletedDeps,
  gkScopeId: string,
  events: readonly TimelineEvent[],
  ofDeleted: ReadonlyMap<string, NamedFraudster>,
): Promise<TimelineEvent[]> {
  const lists = [
    ...new Set(
      events.flatMap(({ attributes: { gkWatchlistId = '', gkGroupId = '' } }) =>
        [gkWatchlistId, gkGroupId].filter((id) => id !== ''),
      ),
    ),
  ];
  const there = lists.length > 0 ? await deps.store.read.collections.findMany(gkScopeId, lists) : [];
  const missing = lists.filter((id) => !there.some(({ gkId }) => gkId === id));
  const names =
    missing.length > 0 ? await namesOfDeleted(deps, gkScopeId, missing) : new Map<string, string>();
  return events.map((event) => {
    const { attributes, gkVoiceprintProfileId = '' } = event;
    const more = {
      fraudsterId: ofDeleted.get(gkVoiceprintProfileId)?.fraudsterId,
      gkFraudsterId: ofDeleted.get(gkVoiceprintProfileId)?.gkFraudsterId,
      watchlistId: names.get(attributes['gkWatchlistId'] ?? ''),
      groupId: names.get(attributes['gkGroupId'] ?? ''),
    };
    const known = Object.entries(more).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return known.length > 0
      ? { ...event, attributes: { ...attributes, ...Object.fromEntries(known) } }
      : event;
  });
}
