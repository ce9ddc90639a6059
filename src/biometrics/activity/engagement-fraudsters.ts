// Known fraudsters who were recognized in the sessions of an engagement, in the call or later: the outcome "genuine" takes
// that back for all of them, so whoever records it must know.
import type { Engagement, Factor, Session } from '../model/sessions.js';
import { isAlarmUpheld } from '../rules/erasure.js';
import { isFraudsterHit } from '../rules/session-persons.js';
import { judgedGenuineAtMs } from '../sessions/who-was-heard.js';
import { fraudstersWithDeleted, type DeletedDeps } from './deleted-fraudsters.js';
import type { NamedFraudster } from './named.js';
import type { EngagementFraudster } from './outcome-effects.js';

/** A session, and the ID of a fraudster; empty for one who is not known, or may not be named. */
type Recognition = readonly [gkSessionId: string, gkFraudsterId: string];

/** Those whom nobody has judged to be a false alarm since, by the erasure's rule. Each once. */
export async function engagementFraudsters(
  deps: DeletedDeps,
  engagement: Engagement,
  sessions: readonly Session[],
  { bySearches }: { bySearches: boolean },
): Promise<EngagementFraudster[]> {
  const { gkScopeId } = engagement;
  const genuineAtMs = judgedGenuineAtMs([engagement]);
  const isUpheld = (atMs: number): boolean => isAlarmUpheld(atMs, genuineAtMs);
  const there = sessions.flatMap(({ gkSessionId, isErased }) => (isErased ? [] : gkSessionId));
  const hits = (await hitsIn(deps, engagement, there)).filter(({ factor }) => isUpheld(factor.createdAtMs));
  const prints = new Set(hits.flatMap(({ factor }) => factor.gkVoiceprintProfileId ?? []));
  const ownerOf = await deps.store.read.profiles.ownersOf(gkScopeId, [...prints]);
  const checked = hits.map(({ gkSessionId, factor }): Recognition => [
    gkSessionId,
    ownerOf.get(factor.gkVoiceprintProfileId ?? '') ?? '',
  ]);
  const all = [...checked, ...(await foundLater(deps, gkScopeId, there, { bySearches, isUpheld }))];
  const ids = new Set(all.flatMap(([, gkFraudsterId]) => gkFraudsterId || []));
  return byFraudster(all, await fraudstersWithDeleted(deps, gkScopeId, [...ids]));
}

const SESSIONS_PER_QUERY = 500;

/** In the calls, and in checks of their recordings elsewhere, every time. */
async function hitsIn(
  { store: { read } }: DeletedDeps,
  { gkScopeId, gkEngagementId }: Engagement,
  gkSessionIds: readonly string[],
): Promise<{ gkSessionId: string; factor: Factor }[]> {
  const there = new Set(gkSessionIds);
  const own = await read.factors.listByEngagement(gkScopeId, gkEngagementId);
  const hits = own.map((factor) => ({ gkSessionId: factor.gkSessionId, factor }));
  for (let from = 0; from < gkSessionIds.length; from += SESSIONS_PER_QUERY) {
    const asked = gkSessionIds.slice(from, from + SESSIONS_PER_QUERY);
    for (const [gkSessionId, made] of await read.factors.laterBySessions(gkScopeId, asked))
      hits.push(...made.map(({ factor }) => ({ gkSessionId, factor })));
  }
  return hits.filter(({ gkSessionId, factor }) => isFraudsterHit(factor) && there.has(gkSessionId));
}

/** Also by searches. Says of each fraudster only when they were found first. */
async function foundLater(
  { store: { read } }: DeletedDeps,
  gkScopeId: string,
  gkSessionIds: readonly string[],
  { bySearches, isUpheld }: { bySearches: boolean; isUpheld: (atMs: number) => boolean },
): Promise<Recognition[]> {
  const all = await read.findings.laterIn(gkScopeId, gkSessionIds);
  return [...all].flatMap(([gkSessionId, findings]) =>
    findings.flatMap(({ gkFraudsterId, isBySearch, atMs }): Recognition[] => {
      if (gkFraudsterId === undefined || !isUpheld(atMs)) return [];
      return [[gkSessionId, bySearches || !isBySearch ? gkFraudsterId : '']];
    }),
  );
}

function byFraudster(
  recognitions: readonly Recognition[],
  names: ReadonlyMap<string, NamedFraudster>,
): EngagementFraudster[] {
  const found = new Map<string, EngagementFraudster>();
  for (const [gkSessionId, gkFraudsterId] of recognitions) {
    const fraudster = names.get(gkFraudsterId);
    const key = fraudster?.gkFraudsterId ?? '';
    const sessions = new Set([...(found.get(key)?.gkSessionIds ?? []), gkSessionId]);
    found.set(key, { ...(fraudster && { fraudster }), gkSessionIds: [...sessions] });
  }
  return [...found.values()];
}
