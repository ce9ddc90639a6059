// Fraudsters, their prints and lists that have since been deleted: a session still says whom it recognized and by which list. A
// deletion is not an erasure: storage remembers whose a print was, and the audit trail keeps the names of those who are gone.
import type { AuditReader } from '../../audit/ports.js';
import type { Factor, Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { isFraudsterHit } from '../rules/session-persons.js';
import type { Carried } from './carried-decisions.js';
import type { NamedSince } from './found-since.js';
import { namesOfGone } from './gone-names.js';
import { fraudsterOf, madeFrom, type NamedFraudster } from './named.js';
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
export async function fraudstersOfGonePrints(
  deps: DeletedDeps,
  gkScopeId: string,
  factors: readonly Factor[],
): Promise<Map<string, NamedFraudster>> {
  const { read } = deps.store;
  const found = new Map<string, NamedFraudster>();
  const prints = printsIn(factors);
  if (prints.length === 0) return found;
  const there = await read.profiles.findMany(gkScopeId, prints);
  const gone = prints.filter((print) => !there.some((known) => known.gkVoiceprintProfileId === print));
  if (gone.length === 0) return found;
  const ownerOf = await read.profiles.ownersOf(gkScopeId, gone);
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
  const gone = ids.filter((gkId) => !there.has(gkId));
  return new Map([...there, ...(await fraudstersOf(audit, gkScopeId, gone))]);
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

/** For a list: adds deleted fraudsters to calls that recognized one, and to later findings. */
export async function withDeletedFraudsters(
  deps: DeletedDeps,
  gkScopeId: string,
  entries: readonly SessionEntry[],
): Promise<SessionEntry[]> {
  const open = entries.filter(({ session }) => isAlarm(session) && !session.isErased);
  const ids = open.map(({ session }) => session.gkSessionId);
  // A session of the page may be where another session's decision comes from.
  const hits = await hitsIn(deps, gkScopeId, [...ids, ...originsOf(entries)]);
  const own = new Set(ids);
  const later = await fraudstersOf(deps.audit, gkScopeId, [
    ...entries.flatMap(goneLater),
    ...goneCarried(entries),
  ]);
  const named = entries.map((entry) => {
    const { gkSessionId } = entry.session;
    if (!own.has(gkSessionId) || hits.gone.size === 0) return entry;
    return { ...entry, fraudsters: [...entry.fraudsters, ...goneIn(hits, gkSessionId)] };
  });
  return withCarriedHits(
    named.map((entry) => withLater(entry, later)),
    hits,
    later,
  );
}

/** Checks of sessions, and the fraudsters recognized in them by prints that are gone. */
interface Hits {
  bySession: ReadonlyMap<string, readonly Factor[]>;
  gone: ReadonlyMap<string, NamedFraudster>;
}

/** Each session is read once. */
async function hitsIn(deps: DeletedDeps, gkScopeId: string, gkSessionIds: readonly string[]): Promise<Hits> {
  const bySession = await deps.store.read.factors.listBySessions(gkScopeId, [...new Set(gkSessionIds)]);
  return { bySession, gone: await fraudstersOfGonePrints(deps, gkScopeId, [...bySession.values()].flat()) };
}

const goneIn = ({ bySession, gone }: Hits, gkSessionId: string): NamedFraudster[] =>
  namedBy(bySession.get(gkSessionId) ?? [], gone);

const isAlarm = ({ decision }: Session): boolean => decision?.decision === 'FRAUD';

/** Includes those recognized in the session that the decision comes from. */
export async function withGoneCarried<Entry extends { session: Session; carried?: Carried }>(
  deps: DeletedDeps,
  gkScopeId: string,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const hits = await hitsIn(deps, gkScopeId, originsOf(entries));
  return withCarriedHits(entries, hits, await fraudstersOf(deps.audit, gkScopeId, goneCarried(entries)));
}

type Carrying = { session: Session; carried?: Pick<Carried, 'gkSessionId'> };

/** The sessions that alarms come from. */
const originsOf = (entries: readonly Carrying[]): string[] =>
  entries.flatMap(({ session, carried }) =>
    isAlarm(session) && carried?.gkSessionId ? carried.gkSessionId : [],
  );

function withCarriedHits<Entry extends { session: Session; carried?: Carried }>(
  entries: readonly Entry[],
  hits: Hits,
  later: ReadonlyMap<string, NamedFraudster>,
): Entry[] {
  return entries.map((entry) => {
    const { session, carried } = entry;
    if (!carried) return entry;
    const recognized = isAlarm(session) ? goneIn(hits, carried.gkSessionId) : [];
    const fraudsters = [...carried.fraudsters, ...recognized];
    return { ...entry, carried: withLater({ ...carried, fraudsters }, later) };
  });
}

const goneCarried = (entries: readonly { carried?: Carried }[]): string[] =>
  entries.flatMap(({ carried }) => (carried ? goneLater(carried) : []));

const goneLater = ({ foundLater, madeFraudsters }: NamedSince): string[] => [
  ...foundLater.flatMap(({ gone }) => gone ?? []),
  ...unnamed(madeFraudsters),
];

const unnamed = (made: readonly NamedFraudster[]): string[] =>
  made.flatMap(({ gkFraudsterId, fraudsterId }) => (fraudsterId === '' ? gkFraudsterId : []));

const namedMade = (
  made: readonly NamedFraudster[],
  gone: ReadonlyMap<string, NamedFraudster>,
): NamedFraudster[] =>
  made.flatMap((one) => (one.fraudsterId === '' ? (gone.get(one.gkFraudsterId) ?? []) : one));

/** Whose print was made from a session, as a list has it. */
export async function madeFraudsters(
  { audit, store: { read } }: DeletedDeps,
  session: Session,
): Promise<NamedFraudster[]> {
  const { gkScopeId, gkSessionId } = session;
  const ids = (await read.findings.madeFrom(gkScopeId, [gkSessionId])).get(gkSessionId) ?? [];
  const parties = await read.parties.findMany(gkScopeId, ids);
  const made = madeFrom(session, ids, new Map(parties.map((party) => [party.gkId, party])));
  return namedMade(made, await fraudstersOf(audit, gkScopeId, unnamed(made)));
}

/** A fraudster whom the call itself recognized is no news. */
function withLater<Of extends NamedSince & { fraudsters: readonly NamedFraudster[] }>(
  entry: Of,
  gone: ReadonlyMap<string, NamedFraudster>,
): Of {
  if (goneLater(entry).length === 0) return entry;
  const known = new Set(entry.fraudsters.map(({ gkFraudsterId }) => gkFraudsterId));
  const foundLater = entry.foundLater.flatMap((finding) => {
    if (finding.gone === undefined) return finding;
    const fraudster = gone.get(finding.gone);
    if (!fraudster || known.has(finding.gone)) return [];
    return { kind: finding.kind, atMs: finding.atMs, fraudster };
  });
  return { ...entry, foundLater, madeFraudsters: namedMade(entry.madeFraudsters, gone) };
}

/** The deleted ones, each once; the others are known by what the session is about. */
export function namedBy(
  factors: readonly Factor[],
  gone: ReadonlyMap<string, NamedFraudster>,
): NamedFraudster[] {
  const named = printsIn(factors)
    .flatMap((print) => gone.get(print) ?? [])
    .filter((one) => one.isDeleted);
  return [...new Map(named.map((one) => [one.gkFraudsterId, one])).values()];
}

/**
 * With the fraudster of a deleted print (`fraudsterId`, `gkFraudsterId`), and the names of deleted lists
 * (`watchlistId`, `groupId`).
 */
export async function withGoneNames(
  deps: DeletedDeps,
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
      gkFraudsterId: gone.get(gkVoiceprintProfileId)?.gkFraudsterId,
      watchlistId: names.get(attributes['gkWatchlistId'] ?? ''),
      groupId: names.get(attributes['gkGroupId'] ?? ''),
    };
    const known = Object.entries(told).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return known.length > 0
      ? { ...event, attributes: { ...attributes, ...Object.fromEntries(known) } }
      : event;
  });
}
