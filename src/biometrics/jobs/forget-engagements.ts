// Engagements and sessions of an erased person. If only the person was claimed, heard, enrolled or recognized
// in it, the whole engagement was with them: it ends, accepts nothing more, and no longer tells anything
// about them; the caller's own references, which lead to the customer, are removed too. The same applies if
// nothing is known except that calls have asked for them, and for nobody else, unless a recording of it is on
// legal hold. In an engagement with others, only the sessions that claim the person are treated like that;
// sessions in which somebody else was recognized, and not the person, only lose the claim. The same applies
// to every session in which a known fraudster was recognized, or from which one was made: it is evidence, and
// with it the engagement, which then only loses the person. A session that only holds recordings, for
// batches, is about nobody: it is deleted if it holds only the person's.
import type { DecisionSummary, Engagement, Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { BiometricsTransaction, Repositories } from '../ports/store.js';
import { sessionAfterErasure } from '../rules/erasure.js';
import { emptyDetails } from '../sessions/start-session.js';
import { keptWhenErased } from '../assessment/gather.js';
import {
  heardBy,
  heardInSessions,
  judgedGenuineAtMs,
  type HeardInSession,
  type PersonWithPrints,
} from '../sessions/who-was-heard.js';

interface ForgottenEngagements {
  engagements: string[];
  sessions: string[];
  /** Judged as fraud, or on legal hold: all of them stay as evidence. */
  kept: Set<string>;
  /** Not over yet: they are examined again when they are. */
  waiting: Set<string>;
  /**
   * A known fraudster was recognized in them, or made from them: they are examined again when somebody finds
   * that alarm to be false.
   */
  alarming: Set<string>;
}

export interface PersonToForget extends PersonWithPrints {
  /** Sessions that only hold recordings, some of them the person's. */
  uploads: ReadonlySet<string>;
}

interface Erasing {
  nowMs: number;
  /**
   * The person was erased before. A caller that still names them, by mistake, may go on with somebody else in
   * the same engagement.
   */
  isLate: boolean;
  configsetCache: BiometricsDeps['configsetCache'];
}

/** Called before anything else of the person is deleted, because it asks who was heard. */
export async function forgetEngagements(
  tx: BiometricsTransaction,
  person: PersonToForget,
  { nowMs, isLate, configsetCache }: Erasing,
): Promise<ForgottenEngagements> {
  const { gkScopeId, gkPersonId, uploads } = person;
  const forgotten: ForgottenEngagements = {
    ...{ engagements: [], sessions: [] },
    ...{ kept: new Set(), waiting: new Set(), alarming: new Set() },
  };
  const wasHeardIn = new Set(await tx.erasure.engagementsOf(gkScopeId, gkPersonId, person));
  // Stored, not only looked up: the recordings are deleted now, and an engagement that is kept or continues
  // is examined again.
  await tx.erasure.noteNamed(gkScopeId, gkPersonId, wasHeardIn);
  const askedIn = await tx.erasure.engagementsAskingFor(gkScopeId, gkPersonId);
  const ofOthers = await tx.erasure.holdingOthers(gkPersonId, [...uploads]);
  const heardIn = heardInSessions(tx, person);
  // In a fixed order, so that no two erasures wait for each other.
  for (const gkEngagementId of [...new Set([...wasHeardIn, ...askedIn])].sort()) {
    const engagement = await tx.engagements.find(gkScopeId, gkEngagementId);
    if (engagement?.verdict?.verdict === 'FRAUD') {
      forgotten.kept.add(gkEngagementId);
      continue;
    }
    const isOnlyAsked = !wasHeardIn.has(gkEngagementId);
    const all = await tx.sessions.listByEngagement(gkScopeId, gkEngagementId);
    if (isOnlyAsked && isLate && engagement && isUnderWay(engagement, all)) {
      forgotten.waiting.add(gkEngagementId);
      continue;
    }
    const sessions = all.filter(({ gkSessionId }) => !ofOthers.has(gkSessionId));
    if (sessions.length === 0) continue;
    const isTheirs = await isTheirsAlone(tx, person, { gkEngagementId, sessions, isOnlyAsked });
    if (isOnlyAsked && isTheirs && (await tx.erasure.isOnHold(gkEngagementId))) {
      forgotten.kept.add(gkEngagementId);
      continue;
    }
    // A recording that arrived while they were recognized in another session was not linked to them: neither
    // transaction saw the other.
    if (isTheirs && !isOnlyAsked) await tx.erasure.linkEngagement(person, gkEngagementId);
    const { theirs, others, alarming, isEvidence } = await divided(sessions, isTheirs, {
      gkPersonId,
      heardIn,
    });
    for (const { gkSessionId } of alarming)
      await tx.erasure.noteAsked({ gkScopeId, gkPersonId, gkEngagementId, gkSessionId });
    // Also if an earlier erasure has removed the claim.
    if (alarming.length > 0 || (isEvidence && askedIn.includes(gkEngagementId)))
      forgotten.alarming.add(gkEngagementId);
    const keptOf = await keptWhenErased({ store: { read: tx }, configsetCache }, gkScopeId, [
      ...theirs,
      ...others,
    ]);
    for (const session of others)
      await tx.sessions.update({ ...unclaimed(session, nowMs), ...keptOf(session, { isEmptied: false }) });
    for (const session of theirs) {
      const { gkSessionId } = session;
      await tx.sessions.update({ ...emptied(session, nowMs), ...keptOf(session, { isEmptied: true }) });
      await tx.findings.forgetSession(gkSessionId);
      forgotten.sessions.push(gkSessionId);
    }
    if (!engagement || engagement.isErased || !isTheirs || isEvidence) continue;
    await tx.engagements.update(emptiedEngagement(engagement, nowMs));
    forgotten.engagements.push(gkEngagementId);
  }
  return forgotten;
}

/** Somebody may be using it; a verdict on an engagement whose sessions are over ends that. */
const isUnderWay = ({ isActive, verdict }: Engagement, sessions: readonly Session[]): boolean =>
  isActive && (!verdict || sessions.some((session) => session.isActive));

/**
 * For an engagement that the person was in: which sessions stay when they are erased, and whether it stays
 * itself. Changes nothing.
 */
export async function stayingIn(
  read: Pick<Repositories, 'engagements' | 'erasure' | 'factors' | 'findings' | 'sessions'>,
  person: PersonToForget,
  { gkEngagementId, isOnlyAsked }: Pick<LookedAt, 'gkEngagementId' | 'isOnlyAsked'>,
): Promise<{ sessions: Session[]; engagement?: Engagement }> {
  const { gkScopeId, gkPersonId } = person;
  const [engagement] = await read.engagements.findMany(gkScopeId, [gkEngagementId]);
  const all = await read.sessions.listByEngagement(gkScopeId, gkEngagementId);
  const sessions = all.filter(({ isErased }) => !isErased);
  if (!engagement || engagement.isErased) return { sessions };
  const isTheirs = await isTheirsAlone(read, person, { gkEngagementId, sessions, isOnlyAsked });
  const isKept =
    engagement.verdict?.verdict === 'FRAUD' ||
    (isOnlyAsked && isTheirs && (await read.erasure.isOnHold(gkEngagementId)));
  if (isKept) return { sessions, engagement };
  const heardIn = heardInSessions(read, person);
  const { theirs, isEvidence } = await divided(sessions, isTheirs, { gkPersonId, heardIn });
  const staying = sessions.filter((session) => !theirs.includes(session));
  return { sessions: staying, ...((!isTheirs || isEvidence) && { engagement }) };
}

/**
 * Sessions that are deleted with the person, those of others that only lose the claim, and those that stay
 * only because of a known fraudster.
 */
async function divided(
  sessions: readonly Session[],
  isTheirEngagement: boolean,
  { gkPersonId, heardIn }: { gkPersonId: string; heardIn: HeardInSession },
): Promise<Record<'theirs' | 'others' | 'alarming', Session[]> & { isEvidence: boolean }> {
  const found: Awaited<ReturnType<typeof divided>> = {
    ...{ theirs: [], others: [], alarming: [] },
    isEvidence: false,
  };
  for (const session of sessions) {
    if (session.isErased) continue;
    const isClaimed = session.claimedGkPersonId === gkPersonId;
    const heard = await heardIn(session);
    const becomes = sessionAfterErasure({ isTheirEngagement, isClaimed, heard });
    const without = sessionAfterErasure({
      ...{ isTheirEngagement, isClaimed },
      heard: { ...heard, isFraudsterHeard: false },
    });
    if (heard.isFraudsterHeard && without === 'emptied') found.alarming.push(session);
    found.isEvidence ||= heard.isFraudsterHeard;
    if (becomes === 'emptied') found.theirs.push(session);
    if (becomes === 'loses the claim') found.others.push(session);
  }
  return found;
}

interface LookedAt {
  gkEngagementId: string;
  sessions: readonly Session[];
  /** Nobody was heard: then nobody else may have been asked for either. */
  isOnlyAsked: boolean;
}

async function isTheirsAlone(
  tx: Pick<Repositories, 'engagements' | 'erasure' | 'factors'>,
  person: PersonToForget,
  { gkEngagementId, sessions, isOnlyAsked }: LookedAt,
): Promise<boolean> {
  const { gkScopeId, gkPersonId } = person;
  if (sessions.some(({ claimedGkPersonId: claimed }) => claimed !== undefined && claimed !== gkPersonId))
    return false;
  const speakers = await tx.erasure.speakersIn(gkEngagementId);
  if (speakers === 'many') return false;
  if (isOnlyAsked && (await tx.erasure.askedForIn(gkEngagementId)).some((asked) => asked !== gkPersonId))
    return false;
  const engagements = await tx.engagements.findMany(gkScopeId, [gkEngagementId]);
  const heard = await heardBy(tx, person, {
    speakers: speakers.map((speaker) => speaker.gkPersonId),
    checks: await tx.factors.listByEngagement(gkScopeId, gkEngagementId),
    judgedGenuineAtMs: judgedGenuineAtMs(engagements),
  });
  // If the person was heard, an alarm does not make the rest of it somebody else's.
  return !heard.isOtherHeard && (heard.isPersonHeard || !heard.isFraudsterHeard);
}

const over = (of: Session | Engagement, nowMs: number) => ({
  isActive: false,
  isErased: true as const,
  completedAtMs: of.completedAtMs ?? nowMs,
  // Copies in the memory of nodes follow what was modified.
  modifiedAtMs: nowMs,
  ...(of.decision && { decision: unscored(of.decision) }),
});

export const unscored = ({ decision, reason }: DecisionSummary): DecisionSummary => ({ decision, reason });

function emptied({ claimedGkPersonId: _person, ...session }: Session, nowMs: number): Session {
  return { ...session, ...over(session, nowMs), details: emptyDetails };
}

/** It was with somebody else, who was recognized: everything but the claim stays. */
const unclaimed = ({ claimedGkPersonId: _person, ...session }: Session, nowMs: number): Session => ({
  ...session,
  modifiedAtMs: nowMs,
});

function emptiedEngagement(engagement: Engagement, nowMs: number): Engagement {
  const { verdict } = engagement;
  return {
    ...engagement,
    ...over(engagement, nowMs),
    engagementId: '',
    correlationId: '',
    customData: {},
    ...(verdict && { verdict: { ...verdict, description: '' } }),
  };
}
