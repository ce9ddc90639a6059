// GetSessionDetails: what is known about one session, while it is running and afterwards.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { endSessionIfIdle, openTenant, rememberedParameters, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { decideSession } from '../rules/session-decision.js';
import { deriveIntent } from '../rules/session-intent.js';
import type { Session } from '../model/sessions.js';

export async function getSessionDetails(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; gkSessionId?: string },
): Promise<Session> {
  const gkSessionId = input.gkSessionId || input.context.gkSessionId || '';
  const faults = new Faults().required('gk_session_id', gkSessionId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const found = await deps.store.read.sessions.find(gkScopeId, gkSessionId);
  if (!found) throw notFound('session', 'gk_session_id');
  const parameters = await rememberedParameters(deps, found);
  const session = await endSessionIfIdle(deps, found, parameters);
  const factors = await deps.store.read.factors.listByEngagement(gkScopeId, session.gkEngagementId);
  return {
    ...session,
    intent: session.intent ?? deriveIntent(session, factors),
    decision: session.decision ?? decideSession(factors, parameters),
  };
}
