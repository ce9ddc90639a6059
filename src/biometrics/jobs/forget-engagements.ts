// Engagements and sessions of an erased person. Where they, and nobody else, were claimed, heard, enrolled or recognized, the whole
// engagement was with them: it ends, takes nothing more, and tells nothing about them any more; the caller's own references, which
// lead to the customer, are gone too. So it is where nothing is known but that calls have asked for them, and for nobody else, unless a
// recording of it is on legal hold. In an engagement with others, only the sessions that claim the person go that
// way, and of those in which another was recognized, and not the person, only the claim. So it is of every session in which a known
// fraudster was recognized, or made from it: it is evidence, and with it the engagement, which then loses nothing but the person. A session that
// only holds recordings, for batches, is no matter of anybody: it goes where it holds nothing but the person's.
import { marksToKeep } from '../activity/undecided-sessions.js';
import type { DecisionSummary, Engagement, Session } from '../model/sessions.js';
import type { BiometricsTransaction, Repositories } from '../ports/store.js';
import { sessionAfterErasure } from '../rules/erasure.js';
import { emptyDetails } from '../sessions/start-session.js';
import { claimsToKeep } from './claims-to-keep.js';
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
  /** Judged fraud, or on legal hold: all of them stays as evidence. */
  kept: Set<string>;
  /** Not over yet: they are looked at again when they are. */
  waiting: Set<string>;
  /** A known fraudster was recognized in them, or made from them: they are looked at again when somebody finds that alarm to be false. */
  alarming: Set<string>;
}

export interface PersonToForget extends PersonWithPrints {
  /** Sessions that only hold recordings, theirs among them. */
  uploads: ReadonlySet<string>;
}

interface Erasing {
  nowMs: number;
  /** The person was erased before. Who names them since then, by mistake, may go on with somebody else in the same engagement. */
  isLate: boolean;
}

/** Before anything else of the person goes: it is asked who was heard. */
export async function forgetEngagements(
  tx: BiometricsTransaction,
  person: PersonToForget,
  { nowMs, isLate }: Erasing,
): Promise<ForgottenEngagements> {
  const { gkScopeId, gkPersonId, uploads } = person;
  const forgotten: ForgottenEngagements = {
    ...{ engagements: [], sessions: [] },
    ...{ kept: new Set(), waiting: new Set(), alarming: new Set() },
  };
  const wasHeardIn = new Set(await tx.erasure.engagementsOf(gkScopeId, gkPersonId, person));
  // Noted, not only looked for: the recordings go now, and an engagement that is kept or goes on is looked at again.
  await tx.erasure.noteNamed(gkScopeId, gkPersonId, wasHeardIn);
  const askedIn = await tx.erasure.engagementsAskingFor(gkScopeId, gkPersonId);
  const ofOthers = await tx.erasure.holdingOthers(gkPersonId, [...uploads]);
  const heardIn = heardInSessions(tx, person);
  // In one order, so that no two erasures wait for each other.
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
    // A recording that came while they were recognized in another session was not tied to them: neither saw the other.
    if (isTheirs && !isOnlyAsked) await tx.erasure.tieEngagement(person, gkEngagementId);
    const { theirs, others, alarming, isEvidence } = await divided(sessions, isTheirs, {
      gkPersonId,
      heardIn,
    });
    for (const { gkSessionId } of alarming)
      await tx.erasure.noteAsked({ gkScopeId, gkPersonId, gkEngagementId, gkSessionId });
    // Also where an earlier erasure has taken the claim.
    if (alarming.length > 0 || (isEvidence && askedIn.includes(gkEngagementId)))
      forgotten.alarming.add(gkEngagementId);
    const claimOf = await claimsToKeep(tx, gkScopeId, [...theirs, ...others]);
    for (const session of others)
      await tx.sessions.update({ ...unclaimed(session, nowMs), ...claimOf(session) });
    const marks = await marksToKeep(tx, gkScopeId, theirs);
    for (const session of theirs) {
      const { gkSessionId } = session;
      const kept = { marks: marks.get(gkSessionId) ?? {}, ...claimOf(session) };
      await tx.sessions.update({ ...emptied(session, nowMs), ...kept });
      await tx.findings.forgetSession(gkSessionId);
      forgotten.sessions.push(gkSessionId);
    }
    if (!engagement || engagement.isErased || !isTheirs || isEvidence) continue;
    await tx.engagements.update(emptiedEngagement(engagement, nowMs));
    forgotten.engagements.push(gkEngagementId);
  }
  return forgotten;
}

/** Somebody may be at it; whoever judges an engagement whose sessions are over has done with it. */
const isUnderWay = ({ isActive, verdict }: Engagement, sessions: readonly Session[]): boolean =>
  isActive && (!verdict || sessions.some((session) => session.isActive));

/** Of an engagement that the person was in: which sessions stay when they are erased, and whether it stays itself. Changes nothing. */
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

/** Those that go with the person, those of others that only lose the claim, and those that would go but for a known fraudster. */
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
  /** Nobody was heard: then it must have been asked for nobody else either. */
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
  // Where they were heard themselves, an alarm does not make the rest of it somebody else's.
  return !heard.isOtherHeard && (heard.isPersonHeard || !heard.isFraudsterHeard);
}

const over = (of: Session | Engagement, nowMs: number) => ({
  isActive: false,
  isErased: true as const,
  completedAtMs: of.completedAtMs ?? nowMs,
  // What nodes hold of it in memory follows what was modified.
  modifiedAtMs: nowMs,
  ...(of.decision && { decision: unscored(of.decision) }),
});

export const unscored = ({ decision, reason }: DecisionSummary): DecisionSummary => ({ decision, reason });

function emptied({ claimedGkPersonId: _person, ...session }: Session, nowMs: number): Session {
  return { ...session, ...over(session, nowMs), details: emptyDetails };
}

/** It was with somebody else, who was recognized: all but whom they claimed to be stays. */
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
