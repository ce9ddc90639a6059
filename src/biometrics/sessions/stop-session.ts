// StopSession: settles the session's decision and intent, and closes it. Stopping twice is not an error.
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openContext, rememberedParameters, type RequestContext } from '../call/context.js';
import type { Parameters } from '../model/parameters.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { decideSession } from '../rules/session-decision.js';
import { deriveIntent } from '../rules/session-intent.js';
import type { DecisionSummary, Session } from '../model/sessions.js';

export async function stopSession(deps: BiometricsDeps, call: Call, context: RequestContext): Promise<void> {
  const opened = await openContext(deps, call, context, {
    engagement: 'mandatory',
    session: 'mandatory',
    configset: 'optional',
    mayBeOver: true,
  });
  const { gkScopeId, session } = opened;
  if (!session?.isActive) return;
  await deps.lines?.look(call, gkScopeId, [session.gkSessionId]);
  const parameters = opened.configset ? opened.parameters : await rememberedParameters(deps, session);
  await deps.store.transaction(async (tx) => {
    const current = await tx.sessions.find(gkScopeId, session.gkSessionId);
    if (current?.isActive) await closeSession(deps, tx, call, current, parameters);
  });
}

/** Inside the caller's transaction, because StopEngagement closes several at once. */
export async function closeSession(
  deps: BiometricsDeps,
  tx: BiometricsTransaction,
  call: Call,
  session: Session,
  parameters: Parameters,
): Promise<DecisionSummary> {
  const factors = await tx.factors.listByEngagement(session.gkScopeId, session.gkEngagementId);
  const decision = decideSession(factors, parameters);
  const intent = session.intent ?? deriveIntent(session, factors);
  const now = deps.clock.now();
  await tx.sessions.update({
    ...session,
    isActive: false,
    completedAtMs: now,
    modifiedAtMs: now,
    decision,
    intent,
  });
  await audit(tx, call, {
    type: 'SESSION_EVENT',
    operation: 'StopSession',
    gkScopeId: session.gkScopeId,
    gkEngagementId: session.gkEngagementId,
    gkSessionId: session.gkSessionId,
    detail: { ...decision, intent },
  });
  return decision;
}
