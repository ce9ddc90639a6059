// Calls that nobody sends audio for any longer: those that have been silent for too long, and those that wait for a connection
// in a session that is over. A returning sender could not continue there, and the session must soon say that the call was not
// heard to its end.
import type { BiometricsStore } from '../biometrics/ports/store.js';
import type { LiveCall } from './live-call.js';

/** No speech, and no data either: the connection is dead or was never meant to carry a call. */
const IDLE_MS = 60_000;

export function endIdle(calls: Iterable<LiveCall>, nowMs: number): void {
  for (const live of calls) if (!live.isOver && nowMs - live.heardAtMs > IDLE_MS) void live.finish('idle');
}

export async function endOrphanedCalls({ read }: BiometricsStore, calls: Iterable<LiveCall>): Promise<void> {
  const byTenant = new Map<string, LiveCall[]>();
  for (const live of calls)
    if (live.isWaiting)
      byTenant.set(live.info.gkScopeId, [...(byTenant.get(live.info.gkScopeId) ?? []), live]);
  for (const [gkScopeId, waiting] of byTenant) {
    const ids = waiting.map(({ info }) => info.gkSessionId);
    const sessions = await read.sessions.findMany(gkScopeId, ids);
    const open = new Set(sessions.flatMap(({ isActive, gkSessionId }) => (isActive ? gkSessionId : [])));
    // A call whose sender has come back meanwhile goes on.
    for (const live of waiting)
      if (live.isWaiting && !open.has(live.info.gkSessionId)) void live.finish('lost');
  }
}
