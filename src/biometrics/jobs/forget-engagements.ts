// Engagements and sessions of an erased person. Where they, and nobody else, were claimed, heard, enrolled or recognized, the whole
// engagement was with them: it ends, takes nothing more, and tells nothing about them any more; the caller's own references, which
// lead to the customer, are gone too. In an engagement with others, only the sessions that claim the person go that way.
import type { DecisionSummary, Engagement, Factor, Session } from '../model/sessions.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { emptyDetails } from '../sessions/start-session.js';

export interface Forgotten {
  engagements: string[];
  sessions: string[];
  /** Judged fraud: all of them stays as evidence. */
  kept: Set<string>;
}

export interface ErasedOne {
  gkScopeId: string;
  gkPersonId: string;
  /** All that they have, or had. */
  prints: readonly string[];
}

/** Before anything else of the person goes: it is asked who was heard. */
export async function forgetEngagements(
  tx: BiometricsTransaction,
  person: ErasedOne,
  nowMs: number,
): Promise<Forgotten> {
  const { gkScopeId, gkPersonId, prints } = person;
  const forgotten: Forgotten = { engagements: [], sessions: [], kept: new Set() };
  for (const gkEngagementId of await tx.erasure.engagementsOf(gkScopeId, gkPersonId, prints)) {
    const engagement = await tx.engagements.find(gkScopeId, gkEngagementId);
    if (engagement?.verdict?.verdict === 'FRAUD') {
      forgotten.kept.add(gkEngagementId);
      continue;
    }
    const sessions = await tx.sessions.listByEngagement(gkScopeId, gkEngagementId);
    const isTheirs = await isTheirsAlone(tx, person, gkEngagementId, sessions);
    for (const session of sessions)
      if (!session.isErased && (isTheirs || session.claimedGkPersonId === gkPersonId)) {
        await tx.sessions.update(emptied(session, nowMs));
        forgotten.sessions.push(session.gkSessionId);
      }
    if (!engagement || engagement.isErased || !isTheirs) continue;
    await tx.engagements.update(emptiedEngagement(engagement, nowMs));
    forgotten.engagements.push(gkEngagementId);
  }
  return forgotten;
}

async function isTheirsAlone(
  tx: BiometricsTransaction,
  { gkScopeId, gkPersonId, prints }: ErasedOne,
  gkEngagementId: string,
  sessions: readonly Session[],
): Promise<boolean> {
  if (sessions.some(({ claimedGkPersonId: claimed }) => claimed !== undefined && claimed !== gkPersonId))
    return false;
  const speakers = await tx.erasure.speakersIn(gkEngagementId);
  if (speakers === 'many' || speakers.some((speaker) => speaker !== gkPersonId)) return false;
  const factors = await tx.factors.listByEngagement(gkScopeId, gkEngagementId);
  return factors.every(
    (factor) =>
      !saysWhoSpeaks(factor) ||
      factor.gkVoiceprintProfileId === undefined ||
      prints.includes(factor.gkVoiceprintProfileId),
  );
}

/** Of a running call there is no recording: only this says who was heard. */
const saysWhoSpeaks = ({ kind, decision }: Factor): boolean =>
  kind === 'ENROLLMENT' || (kind === 'AUTHENTICATION' && decision === 'AUTHENTIC');

const over = (of: Session | Engagement, nowMs: number) => ({
  isActive: false,
  isErased: true as const,
  completedAtMs: of.completedAtMs ?? nowMs,
  // What nodes hold of it in memory follows what was modified.
  modifiedAtMs: nowMs,
  ...(of.decision && { decision: unscored(of.decision) }),
});

const unscored = ({ decision, reason }: DecisionSummary): DecisionSummary => ({ decision, reason });

function emptied({ claimedGkPersonId: _person, ...session }: Session, nowMs: number): Session {
  return { ...session, ...over(session, nowMs), details: emptyDetails };
}

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
