// Which recordings of an erased person are kept, why, and what happens to the link between the two.
import type { MediaSegment } from '../model/media.js';
import type { Engagement, EngagementVerdict, Factor } from '../model/sessions.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { keptRecordingOf, type KeptRecording, type TiedRecording } from '../rules/erasure.js';
import type { ClaimedForOthers } from './lines-of-person.js';
import {
  foundInRecording,
  heardBy,
  heardInSessions,
  judgedGenuineAtMs,
  nobodyHeard,
  type Hearing,
  type PersonWithPrints,
} from '../sessions/who-was-heard.js';

interface Looking extends PersonWithPrints {
  /** Sessions that only hold recordings, some of them the person's. */
  uploads: ReadonlySet<string>;
  claimedForOthers: ClaimedForOthers;
}

type LookedAt = TiedRecording & { outcomes: readonly EngagementVerdict[] };

/** Called for all recordings before the first is deleted: it says who was heard in its session. */
export function reasonsToKeep(
  tx: Hearing,
  person: Looking,
): (segment: MediaSegment) => Promise<KeptRecording | 'not known yet' | undefined> {
  const look = lookAtRecordings(tx, person);
  return async (segment) => keptRecordingOf(await look(segment));
}

/** What is known of a recording that is linked to the person. */
export function lookAtRecordings(tx: Hearing, person: Looking): (segment: MediaSegment) => Promise<LookedAt> {
  const heardIn = heardInSessions(tx, person);
  return async (segment) => {
    const { gkMediaSegmentId, gkSessionId, legalHold } = segment;
    const { speakers, ...link } = await tx.erasure.linkOf(gkMediaSegmentId, person.gkPersonId);
    const checks = await tx.erasure.checksOf(gkMediaSegmentId);
    const engagements = await engagementsOf(tx, segment, checks);
    const outcomes = engagements.flatMap(({ verdict }) => (verdict ? [verdict.verdict] : []));
    const foundAtMs = await foundInRecording(tx, segment);
    const genuine = { judgedGenuineAtMs: judgedGenuineAtMs(engagements) };
    return {
      ...link,
      outcomes,
      isOnLegalHold: legalHold,
      isJudgedFraud: outcomes.includes('FRAUD'),
      inRecording: await heardBy(tx, person, { speakers, checks, foundAtMs, ...genuine }),
      inSession: person.uploads.has(gkSessionId) ? nobodyHeard : await heardIn(segment),
      isClaimedForOthers: link.isGuess ? person.claimedForOthers(gkMediaSegmentId) : 'no',
    };
  };
}

/**
 * The engagement that it is stored in, and those in which it was heard: a batch line hears recordings of an
 * upload.
 */
async function engagementsOf(
  tx: Hearing,
  { gkScopeId, gkEngagementId }: MediaSegment,
  checks: readonly Factor[],
): Promise<Engagement[]> {
  // Locked: somebody who records an outcome waits, or is noticed.
  const lies = await tx.engagements.find(gkScopeId, gkEngagementId);
  const heard = new Set(checks.map((check) => check.gkEngagementId));
  return [...(lies ? [lies] : []), ...(await tx.engagements.findMany(gkScopeId, [...heard]))];
}

/** The recording, and what was computed from it, are no longer attributed to the person. */
export async function detachFromPerson(
  tx: BiometricsTransaction,
  segment: MediaSegment,
  gkPersonId: string,
): Promise<void> {
  const { gkScopeId, gkMediaSegmentId } = segment;
  for (const audio of await tx.processedAudios.listByMedia(gkScopeId, gkMediaSegmentId)) {
    const { gkPersonId: owner, ...others } = audio;
    if (owner === gkPersonId) await tx.processedAudios.update(others);
  }
  if (segment.gkPersonId !== gkPersonId) return;
  const { gkPersonId: _gone, ...rest } = segment;
  await tx.media.update(rest);
}
