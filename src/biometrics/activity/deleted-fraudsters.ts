// Fraudsters and lists that were deleted since: a session still says whom it recognized and by which list. A deletion is no erasure,
// and the audit trail keeps how they were called.
import type { AuditReader } from '../../audit/ports.js';
import type { Factor } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { isFraudsterHit } from '../rules/session-persons.js';
import { namesOfGone } from './gone-names.js';
import type { NamedFraudster } from './named.js';
import type { SessionEntry } from './session-entries.js';
import type { TimelineEvent } from './timeline-events.js';

export interface GoneDeps extends BiometricsDeps {
  audit: AuditReader;
}

/** The last ones that were deleted; more than anybody deletes. */
const DELETED_MAX = 1000;

const printsIn = (factors: readonly Factor[]): string[] => [
  ...new Set(
    factors.filter(isFraudsterHit).flatMap(({ gkVoiceprintProfileId }) => gkVoiceprintProfileId ?? []),
  ),
];

/** Who was recognized by these and is gone, by the print. */
export async function deletedFraudsters(
  { audit, store }: GoneDeps,
  gkScopeId: string,
  factors: readonly Factor[],
): Promise<Map<string, NamedFraudster>> {
  const found = new Map<string, NamedFraudster>();
  const prints = printsIn(factors);
  if (prints.length === 0) return found;
  const there = await store.read.profiles.findMany(gkScopeId, prints);
  const gone = prints.filter((print) => !there.some((known) => known.gkVoiceprintProfileId === print));
  if (gone.length === 0) return found;
  const deletions = await audit.search({
    chain: gkScopeId,
    recordTypes: ['FRAUDSTER_EVENT'],
    operations: ['DeleteFraudster'],
    limit: DELETED_MAX,
  });
  for (const { record } of deletions) {
    const [gkFraudsterId = '', ...theirs] = record.subjectIds;
    const named = gone.filter((print) => theirs.includes(print));
    if (named.length === 0) continue;
    const { externalId } = ((await audit.openPersonal(record)) ?? {}) as { externalId?: string };
    if (externalId)
      for (const print of named) found.set(print, { gkFraudsterId, fraudsterId: externalId, name: '' });
  }
  return found;
}

/** In a list: those in which a fraudster was recognized, and none is there to be named. */
export async function withDeletedFraudsters(
  deps: GoneDeps,
  gkScopeId: string,
  entries: readonly SessionEntry[],
): Promise<SessionEntry[]> {
  const open = entries.filter(
    ({ session, fraudsters }) =>
      session.decision?.decision === 'FRAUD' && fraudsters.length === 0 && !session.isErased,
  );
  const ids = open.map(({ session }) => session.gkSessionId);
  const bySession = await deps.store.read.factors.listBySessions(gkScopeId, ids);
  const gone = await deletedFraudsters(deps, gkScopeId, [...bySession.values()].flat());
  if (gone.size === 0) return [...entries];
  return entries.map((entry) => {
    const factors = bySession.get(entry.session.gkSessionId);
    return factors ? { ...entry, fraudsters: namedBy(factors, gone) } : entry;
  });
}

/** Each once. */
export function namedBy(
  factors: readonly Factor[],
  gone: ReadonlyMap<string, NamedFraudster>,
): NamedFraudster[] {
  const named = printsIn(factors).flatMap((print) => gone.get(print) ?? []);
  return [...new Map(named.map((one) => [one.gkFraudsterId, one])).values()];
}

/** With the names of fraudsters (`fraudsterId`) and lists (`watchlistId`, `groupId`) that are gone. */
export async function withGoneNames(
  deps: GoneDeps,
  gkScopeId: string,
  events: readonly TimelineEvent[],
  gone: ReadonlyMap<string, NamedFraudster>,
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
  const names = missing.length > 0 ? await namesOfGone(deps, gkScopeId, missing) : new Map<string, string>();
  return events.map((event) => {
    const { attributes, gkVoiceprintProfileId = '' } = event;
    const told = {
      fraudsterId: gone.get(gkVoiceprintProfileId)?.fraudsterId,
      watchlistId: names.get(attributes['gkWatchlistId'] ?? ''),
      groupId: names.get(attributes['gkGroupId'] ?? ''),
    };
    const known = Object.entries(told).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return known.length > 0
      ? { ...event, attributes: { ...attributes, ...Object.fromEntries(known) } }
      : event;
  });
}
