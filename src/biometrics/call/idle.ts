// Sessions and engagements end by themselves when nothing happens for a while. The next call that uses them checks this, so
// that no timer has to run and all nodes agree.
import type { Parameters } from '../model/parameters.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Engagement, Session, SessionType } from '../model/sessions.js';

export function sessionIdleMs(type: SessionType, { sessions }: Parameters): number {
  switch (type) {
    case 'IVR':
      return sessions.idleSecondsIvr * 1000;
    case 'DIGITAL':
      return sessions.idleSecondsDigital * 1000;
    case 'CALL_CENTER':
      return sessions.idleSecondsCallCenter * 1000;
    case 'PRE_CALL':
    case 'POST_CALL':
    case 'WEB':
    case 'OFFLINE_MEDIA_PROCESSING':
    case 'FRAUD_ANALYST':
    case 'ADMINISTRATION':
    case 'OTHER':
      return sessions.idleSecondsOffline * 1000;
  }
}

export async function endSessionIfIdle(
  deps: BiometricsDeps,
  session: Session,
  parameters: Parameters,
): Promise<Session> {
  const idleMs = sessionIdleMs(session.sessionType, parameters);
  const now = deps.clock.now();
  if (!session.isActive) return session;
  if (session.lastActivityAtMs + idleMs > now) {
    if (isWorthTouching(session.lastActivityAtMs, idleMs, now))
      await deps.store.read.sessions.touch(session.gkSessionId, now);
    return session;
  }
  return deps.store.transaction(async (tx) => {
    // Read again: it may have been stopped, or its person erased, since it was read.
    const current = (await tx.sessions.find(session.gkScopeId, session.gkSessionId)) ?? session;
    if (!current.isActive) return current;
    const ended: Session = {
      ...current,
      isActive: false,
      completedAtMs: session.lastActivityAtMs + idleMs,
      modifiedAtMs: now,
    };
    await tx.sessions.update(ended);
    return ended;
  });
}

export async function endEngagementIfIdle(
  deps: BiometricsDeps,
  engagement: Engagement,
  parameters: Parameters,
): Promise<Engagement> {
  const idleMs = parameters.sessions.idleSecondsEngagement * 1000;
  const now = deps.clock.now();
  if (!engagement.isActive) return engagement;
  if (engagement.lastActivityAtMs + idleMs > now) {
    if (isWorthTouching(engagement.lastActivityAtMs, idleMs, now))
      await deps.store.read.engagements.touch(engagement.gkEngagementId, now);
    return engagement;
  }
  return deps.store.transaction(async (tx) => {
    const current =
      (await tx.engagements.find(engagement.gkScopeId, engagement.gkEngagementId)) ?? engagement;
    if (!current.isActive) return current;
    const ended: Engagement = {
      ...current,
      isActive: false,
      completedAtMs: engagement.lastActivityAtMs + idleMs,
      modifiedAtMs: now,
    };
    await tx.engagements.update(ended);
    return ended;
  });
}

/**
 * A durable write per call would cost more than the call: the time is updated only after a twentieth of the
 * limit.
 */
function isWorthTouching(lastActivityAtMs: number, idleMs: number, nowMs: number): boolean {
  return nowMs - lastActivityAtMs > idleMs / 20;
}
