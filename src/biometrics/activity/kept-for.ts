// What an outcome of an engagement deletes, and what it leaves, for the page of a session, the list, and the
// dialog that records one.
import type { Engagement, Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { KeptOfErased } from '../ports/erasure.js';
import { heardInSessions } from '../sessions/who-was-heard.js';
import type { DeletedDeps } from './deleted-fraudsters.js';
import { engagementFraudsters } from './engagement-fraudsters.js';
import { fraudsterOf, watchlistOf } from './named.js';
import type { EnrolledAs, KeptFor, OutcomeEffects } from './outcome-effects.js';

export async function outcomeEffects(
  deps: DeletedDeps,
  engagement: Engagement,
  sessions: readonly Session[],
  { kept, bySearches }: { kept: KeptOfErased; bySearches: boolean },
): Promise<OutcomeEffects> {
  return {
    ...(await keptFor(deps, engagement, sessions, kept)),
    enrolledAs: await enrolledAs(deps, engagement),
    recognized: await engagementFraudsters(deps, engagement, sessions, { bySearches }),
  };
}

async function keptFor(
  { store: { read } }: BiometricsDeps,
  { gkScopeId, gkEngagementId, verdict }: Engagement,
  sessions: readonly Session[],
  { isAbout, recordings }: KeptOfErased,
): Promise<KeptFor> {
  if (verdict?.verdict === 'FRAUD') {
    const isOfErased = isAbout || recordings.length > 0;
    return {
      isKeptAsFraud: isOfErased || (await comparesErased({ read }, gkScopeId, gkEngagementId)),
      keptWithFraudster: [],
    };
  }
  const evidence = recordings.filter((kept) => kept.isEvidence && !kept.legalHold);
  // Recordings may be in an upload, or have no link left; that the engagement is evidence is noted
  // nevertheless.
  const isKept = evidence.length > 0 || isAbout;
  const kept = new Set(isKept ? await sessionsWithAlarm({ read }, gkScopeId, sessions) : []);
  // After "genuine", a recording stays for a print that was made from it, and the same outcome again deletes
  // nothing.
  if (verdict?.verdict !== 'AUTHENTIC') for (const { gkSessionId } of evidence) kept.add(gkSessionId);
  return { isKeptAsFraud: false, keptWithFraudster: [...kept] };
}

type Read = Pick<BiometricsDeps['store'], 'read'>;

async function comparesErased({ read }: Read, gkScopeId: string, gkEngagementId: string): Promise<boolean> {
  const factors = await read.factors.listByEngagement(gkScopeId, gkEngagementId);
  const prints = [...new Set(factors.flatMap((factor) => factor.gkVoiceprintProfileId ?? []))];
  const erased = await read.erasure.erasedAmong({ gkSessionIds: [], gkVoiceprintProfileIds: prints });
  return erased.size > 0;
}

/** Sessions with an alarm that nobody has revoked, by the erasure's rule, but for no particular person. */
async function sessionsWithAlarm(
  { read }: Read,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<string[]> {
  const heardIn = heardInSessions(read, { gkScopeId, gkPersonId: '', prints: [] });
  const alarming: string[] = [];
  for (const session of sessions)
    if ((await heardIn(session)).isFraudsterHeard) alarming.push(session.gkSessionId);
  return alarming;
}

async function enrolledAs(
  { store: { read } }: BiometricsDeps,
  { gkScopeId, gkEngagementId }: Engagement,
): Promise<EnrolledAs[]> {
  const found = await read.findings.enrolledFrom(gkScopeId, gkEngagementId);
  const ids = found.map(({ gkFraudsterId }) => gkFraudsterId);
  const parties = await read.parties.findMany(gkScopeId, ids);
  const prints = await read.profiles.listByOwners(gkScopeId, ids);
  const lists = await read.collections.listsOf(gkScopeId, ids);
  return found.flatMap(({ gkFraudsterId, ...from }): EnrolledAs[] => {
    const party = parties.find(({ gkId }) => gkId === gkFraudsterId);
    if (!party) return [];
    const watchlists = (lists.get(gkFraudsterId) ?? []).map(watchlistOf);
    const isUntrained = !prints.some((print) => print.gkOwnerId === gkFraudsterId && print.trained);
    return [{ fraudster: fraudsterOf(party), watchlists, ...from, isUntrained }];
  });
}
