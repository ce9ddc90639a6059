// Live calls that name an erased person, or are in a session with them. Prepared ones, and those on their way
// to another node, are withdrawn; the course of running calls, or of those that ended within the last day,
// loses its scores. The node that listens to one ends it by itself (src/live/erased-calls.ts).
import { COURSE_KEPT_MS, endedCourse, withdrawnOutcome } from '../model/live-outcomes.js';
import type { LiveStage, NamingCall } from '../ports/live-calls.js';
import type { BiometricsTransaction } from '../ports/store.js';

const waitingStages: readonly LiveStage[] = ['PREPARED', 'ENTERING', 'MOVING'];
const erased = { reason: 'PERSONAL_DATA_DELETED', endReason: 'failed' };

interface CallsOf {
  gkScopeId: string;
  /** Deleted prints, and ended sessions. */
  prints: readonly string[];
  gkSessionIds: readonly string[];
}

/**
 * `scoredIn`: sessions that were not theirs alone, but in which they were compared. Returns how many calls
 * there were, and those that named them.
 */
export async function forgetLiveCalls(
  tx: BiometricsTransaction,
  of: CallsOf,
  scoredIn: readonly string[],
  nowMs: number,
): Promise<{ liveCalls: number; liveCallIds: string[] }> {
  const { gkScopeId, gkSessionIds } = of;
  const naming = await tx.liveCalls.naming(gkScopeId, of);
  for (const call of naming) await takeBack(tx, gkScopeId, call, nowMs);
  const liveCallIds = naming.map(({ liveCallId }) => liveCallId);
  const liveCalls = await tx.liveOutcomes.forgetScores(gkScopeId, {
    gkSessionIds: [...gkSessionIds, ...scoredIn],
    liveCallIds,
  });
  return { liveCalls, liveCallIds };
}

/** Those prepared while the person was being erased. Returns how many there were. */
export async function takeBackLate(tx: BiometricsTransaction, of: CallsOf, nowMs: number): Promise<number> {
  let taken = 0;
  for (const call of await tx.liveCalls.naming(of.gkScopeId, of))
    if (await takeBack(tx, of.gkScopeId, call, nowMs)) taken += 1;
  return taken;
}

/** False if a node listens to it, or it is over. */
async function takeBack(
  tx: BiometricsTransaction,
  gkScopeId: string,
  { liveCallId, tokenHash, gkEngagementId, gkSessionId }: NamingCall,
  nowMs: number,
): Promise<boolean> {
  if (!(await tx.liveCalls.delete(liveCallId, waitingStages))) return false;
  // What was heard of it so far.
  await tx.handovers.takeByToken(tokenHash, nowMs);
  const kept = await tx.liveOutcomes.find(liveCallId, nowMs);
  const course = kept
    ? endedCourse(readCourse(kept.info), { atMs: nowMs, ...erased })
    : {
        liveCallId,
        gkScopeId,
        gkEngagementId,
        gkSessionId,
        ended: true,
        events: [withdrawnOutcome(liveCallId, nowMs, erased)],
        netSpeechMs: 0,
        positionMs: 0,
      };
  const info = new TextEncoder().encode(JSON.stringify(course));
  await tx.liveOutcomes.put({
    liveCallId,
    gkScopeId,
    gkSessionId,
    expiresAtMs: nowMs + COURSE_KEPT_MS,
    info,
  });
  return true;
}

/** The part of a live call's document that is needed here. */
interface Course {
  ended: boolean;
  events: { sequence: number; atMs: number; reason: string; endReason?: string }[];
}

const readCourse = (info: Uint8Array): Course => JSON.parse(new TextDecoder().decode(info)) as Course;
