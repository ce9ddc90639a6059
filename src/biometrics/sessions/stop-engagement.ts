// StopEngagement: closes the transaction and every session still open in it. Stopping twice is not an error.
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openContext, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { closeSession } from './stop-session.js';

export async function stopEngagement(
  deps: BiometricsDeps,
  call: Call,
  context: RequestContext,
): Promise<void> {
  const { gkScopeId, engagement, parameters } = await openContext(deps, call, context, {
    engagement: 'mandatory',
    session: 'unused',
    configset: 'optional',
    mayBeOver: true,
  });
  if (!engagement?.isActive) return;
  const sessions = await deps.store.read.sessions.listByEngagement(gkScopeId, engagement.gkEngagementId);
  const open = sessions.filter(({ isActive }) => isActive).map(({ gkSessionId }) => gkSessionId);
  if (open.length > 0) await deps.lines?.look(call, gkScopeId, open);
  await deps.store.transaction(async (tx) => {
    const current = await tx.engagements.find(gkScopeId, engagement.gkEngagementId);
    if (!current?.isActive) return;
    const now = deps.clock.now();
    let decision = current.decision;
    for (const session of await tx.sessions.listByEngagement(gkScopeId, current.gkEngagementId)) {
      if (session.isActive) decision = await closeSession(deps, tx, call, session, parameters);
      else decision = session.decision ?? decision;
    }
    await tx.engagements.update({
      ...current,
      isActive: false,
      completedAtMs: now,
      modifiedAtMs: now,
      ...(decision && { decision }),
    });
    await audit(tx, call, {
      type: 'ENGAGEMENT_EVENT',
      operation: 'StopEngagement',
      gkScopeId,
      gkEngagementId: current.gkEngagementId,
      detail: { ...decision },
    });
  });
}
