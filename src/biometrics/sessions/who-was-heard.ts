// Who was recognized or enrolled in a recording, a session or an engagement: the person who is being erased, or somebody else.
// Persons who were erased earlier, and are only kept as evidence, do not count as somebody else.
import type { MediaSegment } from '../model/media.js';
import type { Engagement, Factor } from '../model/sessions.js';
import type { Repositories } from '../ports/store.js';
import { alarmsIn, isAlarmUpheld, saysWhoSpeaks, type Heard } from '../rules/erasure.js';

export type Hearing = Pick<Repositories, 'engagements' | 'erasure' | 'factors' | 'findings'>;

export interface PersonWithPrints {
  gkScopeId: string;
  gkPersonId: string;
  /** All prints that they have, or had. */
  prints: readonly string[];
}

export const nobodyHeard: Heard = { isPersonHeard: false, isOtherHeard: false, isFraudsterHeard: false };

/** What is known about a recording, a session or an engagement. */
interface Known {
  /** The persons that links name as speakers. */
  speakers: readonly string[];
  checks: readonly Factor[];
  /** When else a known fraudster was found in it, or made from it. */
  foundAtMs?: readonly number[];
  /** What was enrolled from it, in any session. */
  enrolled?: readonly Factor[];
  judgedGenuineAtMs: number | undefined;
}

export async function heardBy(
  tx: Pick<Repositories, 'erasure'>,
  { gkPersonId, prints }: PersonWithPrints,
  { speakers, checks, foundAtMs = [], enrolled = [], judgedGenuineAtMs }: Known,
): Promise<Heard> {
  const spokenIn = (ones: readonly Factor[]): string[] =>
    ones.flatMap((check) => (saysWhoSpeaks(check) ? (check.gkVoiceprintProfileId ?? []) : []));
  const ofPersons = await tx.erasure.ofPersons([...new Set(spokenIn([...checks, ...enrolled]))]);
  const spoken = spokenIn(checks).filter((print) => ofPersons.has(print));
  const alarms = [...foundAtMs, ...alarmsIn([...checks, ...enrolled], (print) => ofPersons.has(print))];
  return {
    isPersonHeard: speakers.includes(gkPersonId) || spoken.some((print) => prints.includes(print)),
    isOtherHeard: await isAnybodyLeft(tx, {
      persons: speakers.filter((speaker) => speaker !== gkPersonId),
      prints: spoken.filter((print) => !prints.includes(print)),
    }),
    isFraudsterHeard: alarms.some((atMs) => isAlarmUpheld(atMs, judgedGenuineAtMs)),
  };
}

/** Besides those who were erased themselves. */
async function isAnybodyLeft(
  { erasure }: Pick<Repositories, 'erasure'>,
  { persons, prints }: { persons: readonly string[]; prints: readonly string[] },
): Promise<boolean> {
  for (const person of new Set(persons)) if (!(await erasure.isErased(person))) return true;
  if (prints.length === 0) return false;
  const erased = await erasure.erasedAmong({
    gkSessionIds: [],
    gkVoiceprintProfileIds: [...new Set(prints)],
  });
  return prints.some((print) => !erased.has(print));
}

/** The last time that one of them was judged as genuine. */
export function judgedGenuineAtMs(engagements: readonly Engagement[]): number | undefined {
  const times = engagements.flatMap(({ verdict }) => (verdict?.verdict === 'AUTHENTIC' ? verdict.atMs : []));
  return times.length > 0 ? Math.max(...times) : undefined;
}

/** When searches found a known fraudster in a recording, or somebody made one from it. */
export async function foundInRecording(
  { findings }: Pick<Repositories, 'findings'>,
  { gkScopeId, gkSessionId, gkMediaSegmentId }: MediaSegment,
): Promise<number[]> {
  const found = await findings.listOf(gkScopeId, gkSessionId);
  return found.flatMap((one) => (one.gkMediaSegmentId === gkMediaSegmentId ? one.createdAtMs : []));
}

export type HeardInSession = (of: { gkEngagementId: string; gkSessionId: string }) => Promise<Heard>;

/** Asks once per engagement. In one with too many recordings, nothing is inferred from one about another. */
export function heardInSessions(tx: Hearing, person: PersonWithPrints): HeardInSession {
  const byEngagement = new Map<string, Awaited<ReturnType<typeof lookInto>>>();
  return async ({ gkEngagementId, gkSessionId }) => {
    const found = byEngagement.get(gkEngagementId) ?? (await lookInto(tx, person, gkEngagementId));
    byEngagement.set(gkEngagementId, found);
    const speakers = found.speakers.filter((speaker) => speaker.gkSessionId === gkSessionId);
    return heardBy(tx, person, {
      speakers: speakers.map(({ gkPersonId }) => gkPersonId),
      checks: found.checks.filter((check) => check.gkSessionId === gkSessionId),
      ...(!found.isMany && (await foundLater(tx, person, gkSessionId))),
      judgedGenuineAtMs: found.judgedGenuineAtMs,
    });
  };
}

/**
 * When checks in other sessions, or searches, found a known fraudster in a session, and whom somebody has
 * made from it.
 */
async function foundLater(
  { erasure, findings }: Hearing,
  { gkScopeId }: PersonWithPrints,
  gkSessionId: string,
): Promise<Pick<Known, 'foundAtMs' | 'enrolled'>> {
  const later = await findings.laterIn(gkScopeId, [gkSessionId]);
  const found = (later.get(gkSessionId) ?? []).filter(({ kind }) => kind === 'FRAUD_DETECTION');
  const noted = await findings.listOf(gkScopeId, gkSessionId);
  return {
    foundAtMs: [...found.map(({ atMs }) => atMs), ...noted.map(({ createdAtMs }) => createdAtMs)],
    enrolled: await erasure.enrolledElsewhere(gkScopeId, gkSessionId),
  };
}

async function lookInto(
  tx: Hearing,
  { gkScopeId }: PersonWithPrints,
  gkEngagementId: string,
): Promise<{
  speakers: { gkPersonId: string; gkSessionId: string }[];
  checks: Factor[];
  judgedGenuineAtMs: number | undefined;
  isMany: boolean;
}> {
  const engagements = await tx.engagements.findMany(gkScopeId, [gkEngagementId]);
  const genuine = { judgedGenuineAtMs: judgedGenuineAtMs(engagements) };
  const speakers = await tx.erasure.speakersIn(gkEngagementId);
  if (speakers === 'many') return { speakers: [], checks: [], ...genuine, isMany: true };
  const checks = await tx.factors.listByEngagement(gkScopeId, gkEngagementId);
  return { speakers, checks, ...genuine, isMany: false };
}
