// Calls that were not heard to their end, or in which nothing could be judged. Readers of the decision in
// their session must know that nobody heard the rest.
import { auditBySystem } from '../biometrics/call/audit.js';
import { LIVE_OPERATION } from '../biometrics/model/sessions.js';
import type { BiometricsTransaction } from '../biometrics/ports/store.js';
import type { EndReason, HeldUp, LiveCallInfo } from './model.js';

/** Reasons for which nobody can know that the call itself is over. */
const broke: ReadonlySet<EndReason | undefined> = new Set<EndReason>([
  'idle',
  'lost',
  'draining',
  'failed',
  'crashed',
]);

const endOf = ({ events }: LiveCallInfo): EndReason | undefined => events.at(-1)?.endReason;

/** Why it could not go on. */
function faultIn({ events }: LiveCallInfo): { fault?: string } {
  const last = events.at(-1);
  return last?.endReason === 'failed' ? { fault: last.reason } : {};
}

export const isCutOff = (info: LiveCallInfo): boolean => broke.has(endOf(info));

/** Somebody has ended it: they are recorded apart. */
export const isStopped = (info: LiveCallInfo): boolean => endOf(info) === 'ended';

/**
 * Records that nothing in the call could be judged: otherwise nobody would know that it was listened to at
 * all. `netSpeechMs` 0 means that nobody spoke.
 */
export async function noteUndecided(tx: BiometricsTransaction, info: LiveCallInfo): Promise<void> {
  const { liveCallId, gkScopeId, gkEngagementId, gkSessionId, netSpeechMs, positionMs } = info;
  if (info.events.at(-1)?.state !== 'LISTENING' || positionMs === 0) return;
  await auditBySystem(tx, {
    type: 'AUDIO_EVENT',
    operation: LIVE_OPERATION,
    gkScopeId,
    gkEngagementId,
    gkSessionId,
    detail: {
      liveCallId,
      netSpeechMs: Math.round(netSpeechMs),
      lengthMs: Math.round(positionMs),
    },
  });
}

/** Records that the call could not be judged for a while, and why: its followers were told. */
export async function noteHeldUp(
  tx: BiometricsTransaction,
  { liveCallId, gkScopeId, gkEngagementId, gkSessionId }: LiveCallInfo,
  { reason, atMs }: HeldUp,
): Promise<void> {
  const since = new Date(atMs).toISOString();
  const about = { gkScopeId, gkEngagementId, gkSessionId, detail: { liveCallId, reason, since } };
  await auditBySystem(tx, { type: 'SESSION_EVENT', operation: 'DelayCall', ...about });
}

/** What comes after the end of a session does not count as lost: the session must have been open when the audio stopped. */
async function wasOpenThen(tx: BiometricsTransaction, info: LiveCallInfo): Promise<boolean> {
  const { gkScopeId, gkSessionId, lostAtMs } = info;
  if (lostAtMs === undefined) return false;
  const session = await tx.sessions.find(gkScopeId, gkSessionId);
  return session?.completedAtMs !== undefined && session.completedAtMs >= lostAtMs;
}

/** Records that the call waits for a connection, unless one has arrived, or the call is over, meanwhile. */
export async function noteConnectionLost(
  tx: BiometricsTransaction,
  info: LiveCallInfo,
  nowMs: number,
): Promise<void> {
  const { liveCallId, gkScopeId, gkEngagementId, gkSessionId, lostAtMs, ended } = info;
  if (lostAtMs === undefined || ended) return;
  if (!(await tx.sessions.markCutOff(gkScopeId, gkSessionId, { atMs: nowMs, alsoIfOver: false }))) return;
  const about = { gkScopeId, gkEngagementId, gkSessionId, detail: { liveCallId } };
  await auditBySystem(tx, { type: 'SESSION_EVENT', operation: 'LoseCall', ...about });
}

/** A session that was stopped while the call waited is still marked as not heard to its end. */
export async function noteReconnected(tx: BiometricsTransaction, info: LiveCallInfo): Promise<void> {
  const { liveCallId, gkScopeId, gkEngagementId, gkSessionId } = info;
  if (!(await tx.sessions.unmarkCutOff(gkScopeId, gkSessionId))) return;
  const about = { gkScopeId, gkEngagementId, gkSessionId, detail: { liveCallId } };
  await auditBySystem(tx, { type: 'SESSION_EVENT', operation: 'ResumeCall', ...about });
}

/** Somebody stopped listening. A session that is over has nothing left that could go unheard. */
export async function markStopped(
  tx: BiometricsTransaction,
  info: LiveCallInfo,
  nowMs: number,
): Promise<void> {
  const at = { atMs: nowMs, alsoIfOver: await wasOpenThen(tx, info) };
  await tx.sessions.markCutOff(info.gkScopeId, info.gkSessionId, at);
}

/**
 * The session itself continues: the caller may still be there. `isLate`: a crashed server is noticed after a while, and the
 * session may have been stopped in the meantime.
 */
export async function noteCutOff(
  tx: BiometricsTransaction,
  info: LiveCallInfo,
  { nowMs, isLate }: { nowMs: number; isLate: boolean },
): Promise<void> {
  const { liveCallId, gkScopeId, gkEngagementId, gkSessionId } = info;
  const at = { atMs: nowMs, alsoIfOver: isLate || (await wasOpenThen(tx, info)) };
  if (!(await tx.sessions.markCutOff(gkScopeId, gkSessionId, at)) && !isLate) return;
  await auditBySystem(tx, {
    type: 'SESSION_EVENT',
    operation: 'CutOffCall',
    gkScopeId,
    gkEngagementId,
    gkSessionId,
    detail: { liveCallId, endReason: endOf(info), ...faultIn(info) },
  });
}
