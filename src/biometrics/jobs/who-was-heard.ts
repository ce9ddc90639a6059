// Who was recognized or enrolled in a recording, a session or an engagement: the person who is erased, or somebody else.
import type { Factor } from '../model/sessions.js';
import type { Repositories } from '../ports/store.js';
import type { Heard } from '../rules/erasure.js';
import { isFraudsterHit } from '../rules/session-persons.js';

export interface PersonWithPrints {
  gkScopeId: string;
  gkPersonId: string;
  /** All that they have, or had. */
  prints: readonly string[];
}

export const nobody: Heard = { isPersonHeard: false, isOtherHeard: false };

/** Of a running call there is no recording: only this says who was heard. */
const saysWhoSpeaks = ({ kind, decision }: Factor): boolean =>
  kind === 'ENROLLMENT' || (kind === 'AUTHENTICATION' && decision === 'AUTHENTIC');

/** By the persons that ties name as speakers, and by checks. */
export function heardBy(
  { gkPersonId, prints }: PersonWithPrints,
  speakers: readonly string[],
  checks: readonly Factor[],
): Heard & { isOtherPersonHeard: boolean } {
  const spoken = checks.flatMap((check) =>
    saysWhoSpeaks(check) && check.gkVoiceprintProfileId !== undefined
      ? [prints.includes(check.gkVoiceprintProfileId)]
      : [],
  );
  const isOtherPersonHeard = speakers.some((speaker) => speaker !== gkPersonId) || spoken.includes(false);
  return {
    isPersonHeard: speakers.includes(gkPersonId) || spoken.includes(true),
    isOtherPersonHeard,
    isOtherHeard:
      isOtherPersonHeard ||
      checks.some((check) => isFraudsterHit(check) && check.gkVoiceprintProfileId !== undefined),
  };
}

export type HeardInSession = (of: { gkEngagementId: string; gkSessionId: string }) => Promise<Heard>;

/** Asks once for each engagement. In one with too many recordings, nothing is said of the one by the other. */
export function heardInSessions(
  tx: Pick<Repositories, 'erasure' | 'factors'>,
  person: PersonWithPrints,
): HeardInSession {
  const byEngagement = new Map<string, Awaited<ReturnType<typeof lookInto>>>();
  return async ({ gkEngagementId, gkSessionId }) => {
    const found = byEngagement.get(gkEngagementId) ?? (await lookInto(tx, person, gkEngagementId));
    byEngagement.set(gkEngagementId, found);
    const speakers = found.speakers.filter((speaker) => speaker.gkSessionId === gkSessionId);
    return heardBy(
      person,
      speakers.map(({ gkPersonId }) => gkPersonId),
      found.checks.filter((check) => check.gkSessionId === gkSessionId),
    );
  };
}

async function lookInto(
  tx: Pick<Repositories, 'erasure' | 'factors'>,
  { gkScopeId }: PersonWithPrints,
  gkEngagementId: string,
): Promise<{ speakers: { gkPersonId: string; gkSessionId: string }[]; checks: Factor[] }> {
  const speakers = await tx.erasure.speakersIn(gkEngagementId);
  if (speakers === 'many') return { speakers: [], checks: [] };
  return { speakers, checks: await tx.factors.listByEngagement(gkScopeId, gkEngagementId) };
}
