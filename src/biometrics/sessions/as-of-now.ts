// Sessions as they are at this moment. The decision is stored when a session is stopped; for a session that is running, or
// that ended because nothing happened in it any longer, it is what its checks say so far.
import { rememberedParameters, sessionIdleMs } from '../call/context.js';
import type { Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';
import { decideSession } from '../rules/session-decision.js';
import { deriveIntent } from '../rules/session-intent.js';

/** No config set can make sessions end earlier (parameters.ts, sessions). */
const SHORTEST_IDLE_MS = 10_000;

export interface ReadingDeps extends Pick<BiometricsDeps, 'clock' | 'configsetCache'> {
  store: { read: Repositories };
}

/**
 * With the decision so far, and ended if it has been idle too long. Reading a session does not keep it
 * active.
 */
export async function asOfNow(deps: ReadingDeps, session: Session, hasFactors: boolean): Promise<Session> {
  const now = deps.clock.now();
  const isSettled = session.isActive
    ? !hasFactors && session.lastActivityAtMs > now - SHORTEST_IDLE_MS
    : !hasFactors || session.decision !== undefined;
  if (isSettled || session.isErased) return session;
  const parameters = await rememberedParameters(deps, session);
  const endsAtMs = session.lastActivityAtMs + sessionIdleMs(session.sessionType, parameters);
  const factors = hasFactors
    ? await deps.store.read.factors.listByEngagement(session.gkScopeId, session.gkEngagementId)
    : [];
  return {
    ...session,
    ...(session.isActive && endsAtMs <= now && { isActive: false, completedAtMs: endsAtMs }),
    ...(hasFactors && {
      decision: session.decision ?? decideSession(factors, parameters),
      intent: session.intent ?? deriveIntent(session, factors),
    }),
  };
}
