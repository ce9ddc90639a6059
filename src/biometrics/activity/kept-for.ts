// What an outcome of an engagement deletes, and what it leaves, for the page of a session, the list, and the
// dialog that records one.
import type { Engagement, Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { KeptOfErased } from '../ports/erasure.js';
import { heardInSessions } from '../sessions/who-was-heard.js';
import { fraudsterOf, watchlistOf, type NamedFraudster, type NamedWatchlist } from './named.js';

/** A person's data in it was erased, and the rest is evidence. */
interface KeptFor {
  /** Any other outcome deletes it. */
  isKeptAsFraud: boolean;
  /**
   * The sessions in which a known fraudster was recognized, or from which one was made, and that nobody has
   * judged as genuine since; that outcome deletes them.
   */
  keptWithFraudster: readonly string[];
}

/** No outcome removes the voice from a print. */
interface EnrolledAs {
  fraudster: NamedFraudster;
  /** The lists that the fraudster is on now. */
  watchlists: readonly NamedWatchlist[];
  /** The fraudster is also known from recordings of other engagements. */
  hasOthers: boolean;
  /** The sessions of this engagement that are in the print. */
  gkSessionIds: readonly string[];
  /** No print is usable, so nobody is recognized by it. */
  isUntrained: boolean;
}

export interface OutcomeEffects extends KeptFor {
  enrolledAs: readonly EnrolledAs[];
}

export async function outcomeEffects(
  deps: BiometricsDeps,
  engagement: Engagement,
  sessions: readonly Session[],
  kept: KeptOfErased,
): Promise<OutcomeEffects> {
  return {
    ...(await keptFor(deps, engagement, sessions, kept)),
    enrolledAs: await enrolledAs(deps, engagement),
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
  // Recordings may be in an upload, or have no tie left; that the engagement is evidence is noted
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
  const gone = await read.erasure.erasedAmong({ gkSessionIds: [], gkVoiceprintProfileIds: prints });
  return gone.size > 0;
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
