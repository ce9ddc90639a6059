// GetSessionDecision: what is known so far about who is calling, and what it means. It only reads, and may be called repeatedly.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import {
  openContext,
  rememberedParameters,
  rememberNamedConfigset,
  type OpenContext,
  type RequestContext,
} from '../call/context.js';
import { assessSessions } from '../assessment/gather.js';
import { withoutNames, type LiveAssessment } from '../assessment/model.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { decideSession } from '../rules/session-decision.js';
import type { DecisionSummary, Engagement, Session } from '../model/sessions.js';

interface SessionDecisionInput {
  context: RequestContext;
  /** Instead of the session in the context. */
  gkSessionId?: string;
}

interface Opened {
  session: Session;
  engagement: Engagement;
}

interface AssessedDecision extends DecisionSummary {
  /** As lists and pages show it; it names nobody. */
  assessment?: LiveAssessment;
}

export async function getSessionDecision(
  deps: BiometricsDeps,
  call: Call,
  input: SessionDecisionInput,
): Promise<AssessedDecision> {
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
  const decision = await decisionOf(deps, { ...opened, session, engagement });
  const assessed = await assessSessions(deps, gkScopeId, [{ ...session, decision }]);
  const assessment = assessed.get(session.gkSessionId);
  return { ...decision, ...(assessment && { assessment: withoutNames(assessment) }) };
}

async function decisionOf(
  deps: BiometricsDeps,
  { session, engagement, configset, parameters: named }: OpenContext & Opened,
): Promise<DecisionSummary> {
  // Once the session is over its decision stands: later factors belong to later sessions.
  if (!session.isActive && session.decision) return session.decision;
  await rememberNamedConfigset(deps, session, configset?.configsetId);
  const parameters = configset ? named : await rememberedParameters(deps, session);
  // After StopEngagement the factors of earlier sessions no longer count
  // (docs/reference/voiceprint-management.md#session-decision).
  const factors = engagement.isActive
    ? await deps.store.read.factors.listByEngagement(session.gkScopeId, engagement.gkEngagementId)
    : await deps.store.read.factors.listBySession(session.gkScopeId, session.gkSessionId);
  return decideSession(factors, parameters);
}
