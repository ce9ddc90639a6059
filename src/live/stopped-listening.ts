// Somebody stopped listening while the call may continue: who did it is recorded, and the session says that the rest was not
// heard.
import { audit } from '../biometrics/call/audit.js';
import { withdrawnOutcome } from '../biometrics/model/live-outcomes.js';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import type { Call, Clock } from '../platform.js';
import { wasOpenThen } from './cut-off.js';
import type { LiveCallInfo, LiveEvent } from './model.js';

interface Deps {
  store: BiometricsStore;
  clock: Clock;
}

const OPERATION = 'EndCall';

/** The final state of a prepared call that was canceled. */
export function takenBack(info: LiveCallInfo, nowMs: number): LiveCallInfo & { events: [LiveEvent] } {
  const why = { reason: 'NOT_BEGUN', endReason: 'ended' } as const;
  return { ...info, ended: true, events: [withdrawnOutcome(info.liveCallId, nowMs, why)] };
}

/** The call was never heard. */
export function noteTakenBack({ store }: Deps, call: Call, info: LiveCallInfo): Promise<void> {
  const { liveCallId, gkScopeId, gkEngagementId, gkSessionId } = info;
  return store.transaction((tx) =>
    audit(tx, call, {
      type: 'SESSION_EVENT',
      operation: OPERATION,
      gkScopeId,
      gkEngagementId,
      gkSessionId,
      detail: { liveCallId, reason: 'NOT_BEGUN' },
    }),
  );
}

/** Call after its last decision is stored. A session that is over has nothing left that could go unheard. */
export async function noteStopped({ store, clock }: Deps, call: Call, info: LiveCallInfo): Promise<void> {
  const { liveCallId, gkScopeId, gkEngagementId, gkSessionId, events, positionMs } = info;
  const endReason = events.at(-1)?.endReason;
  // The call had ended by itself meanwhile.
  if (endReason !== 'ended') return;
  await store.transaction(async (tx) => {
    const at = { atMs: clock.now(), alsoIfOver: await wasOpenThen(tx, info) };
    const isUnheard = await tx.sessions.markCutOff(gkScopeId, gkSessionId, at);
    await audit(tx, call, {
      type: 'SESSION_EVENT',
      operation: OPERATION,
      gkScopeId,
      gkEngagementId,
      gkSessionId,
      detail: { liveCallId, lengthMs: Math.round(positionMs), ...(isUnheard && { endReason }) },
    });
  });
}
