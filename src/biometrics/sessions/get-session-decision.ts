// GetSessionDecision: what is known so far about who is calling. It only reads, and may be called repeatedly.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import {
  openContext,
  rememberedParameters,
  rememberNamedConfigset,
  type RequestContext,
} from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { decideSession } from '../rules/session-decision.js';
import type { DecisionSummary } from '../model/sessions.js';

interface SessionDecisionInput {
  context: RequestContext;
  /** Instead of the session in the context. */
  gkSessionId?: string;
}

export async function getSessionDecision(
  deps: BiometricsDeps,
  call: Call,
  input: SessionDecisionInput,
): Promise<DecisionSummary> {
  const gkSessionId = input.gkSessionId || input.context.gkSessionId || '';
  const opened = await openContext(
    deps,
    call,
    { ...input.context, gkSessionId },
    {
      engagement: 'mandatory',
      session: 'mandatory',
      configset: 'optional',
      mayBeOver: true,
      ...(!input.context.gkSessionId || input.gkSessionId ? { sessionField: 'gk_session_id' } : {}),
    },
  );
  const { session, engagement, gkScopeId } = opened;
  if (!session || !engagement) throw notFound('session');
  // Once the session is over its decision stands: later factors belong to later sessions.
  if (!session.isActive && session.decision) return session.decision;
  await rememberNamedConfigset(deps, session, opened.configset?.configsetId);
  const parameters = opened.configset ? opened.parameters : await rememberedParameters(deps, session);
  // After StopEngagement the factors of earlier sessions no longer count
  // (docs/reference/voiceprint-management.md#session-decision).
  const factors = engagement.isActive
    ? await deps.store.read.factors.listByEngagement(gkScopeId, engagement.gkEngagementId)
    : await deps.store.read.factors.listBySession(gkScopeId, session.gkSessionId);
  return decideSession(factors, parameters);
}
