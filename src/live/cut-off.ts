// Calls that were not heard to their end, or in which nothing could be judged. Whoever reads in their session what was decided has to know that nobody heard the rest.
import { auditBySystem } from '../biometrics/call/audit.js';
import { LIVE_OPERATION } from '../biometrics/model/sessions.js';
import type { BiometricsTransaction } from '../biometrics/ports/store.js';
import type { EndReason, LiveCallInfo } from './model.js';

/** Nobody has ended it who could know that it is over. */
const broke: ReadonlySet<EndReason | undefined> = new Set<EndReason>([
  'idle',
  'lost',
  'draining',
  'failed',
  'crashed',
]);

const endOf = ({ events }: LiveCallInfo): EndReason | undefined => events.at(-1)?.endReason;

export const isCutOff = (info: LiveCallInfo): boolean => broke.has(endOf(info));

/**
 * Nothing in it could be judged: otherwise nobody would know that it was listened to at all. `netSpeechMs` 0 says that nobody spoke.
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

/**
 * The session itself goes on: the caller may still be there. `isLate`: a server that is gone is noticed after a while, and the session
 * may have been stopped meanwhile; otherwise, what comes after its end is nobody's loss.
 */
export async function noteCutOff(
  tx: BiometricsTransaction,
  info: LiveCallInfo,
  { nowMs, isLate }: { nowMs: number; isLate: boolean },
): Promise<void> {
  const { liveCallId, gkScopeId, gkEngagementId, gkSessionId } = info;
  const at = { atMs: nowMs, alsoIfOver: isLate };
  if (!(await tx.sessions.markCutOff(gkScopeId, gkSessionId, at)) && !isLate) return;
  await auditBySystem(tx, {
    type: 'SESSION_EVENT',
    operation: 'CutOffCall',
    gkScopeId,
    gkEngagementId,
    gkSessionId,
    detail: { liveCallId, endReason: endOf(info) },
  });
}
