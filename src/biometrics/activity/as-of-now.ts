// Sessions as they are at this moment. The decision is stored when a session is stopped; for a session that is running, or
// that ended because nothing happened in it any longer, it is what its checks say so far.
import { rememberedParameters, sessionIdleMs } from '../call/context.js';
import type { Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { decideSession } from '../rules/session-decision.js';
import { sessionStanding } from '../rules/session-standing.js';
import { deriveIntent } from '../rules/session-intent.js';
import type { SessionIndexEntry } from '../search/entries.js';
import type { TextIndex } from '../search/text-index.js';

/** No config set can make sessions end earlier (parameters.ts, sessions). */
const SHORTEST_IDLE_MS = 10_000;

/**
 * With the decision so far, and ended if it has been idle too long. Reading a session does not keep it
 * active.
 */
export async function asOfNow(deps: BiometricsDeps, session: Session, hasFactors: boolean): Promise<Session> {
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

const SESSIONS_AT_ONCE = 500;

/**
 * For lists by decision: determines the current outcome of sessions that store none, once after each change.
 */
export async function learnDecisions(
  deps: BiometricsDeps,
  gkScopeId: string,
  index: TextIndex<SessionIndexEntry>,
): Promise<void> {
  const unknown = [...index.ids]
    .map((id) => index.get(id))
    .filter((entry) => entry && entry.standing === undefined) as SessionIndexEntry[];
  for (let at = 0; at < unknown.length; at += SESSIONS_AT_ONCE) {
    const entries = unknown.slice(at, at + SESSIONS_AT_ONCE);
    const ids = entries.map(({ id }) => id);
    const checks = await deps.store.read.factors.countBySessions(gkScopeId, ids);
    const sessions = await deps.store.read.sessions.findMany(gkScopeId, ids);
    const stored = new Map(sessions.map((session) => [session.gkSessionId, session]));
    for (const entry of entries) {
      const session = stored.get(entry.id);
      const count = checks.get(entry.id) ?? 0;
      const now = session && (await asOfNow(deps, session, count > 0));
      entry.decisionSoFar = now?.decision?.decision ?? 'none';
      const about = { checks: count, refused: entry.isRefused ? 1 : 0 };
      entry.standing = now ? sessionStanding(now, about) : 'NONE';
    }
  }
}
