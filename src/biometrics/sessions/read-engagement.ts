// Reads of engagements: details, the internal ID behind an external one, and those that share a correlation ID.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { Faults, ID_LENGTH_MAX } from '../call/limits.js';
import type { Engagement, Session } from '../model/sessions.js';

const CORRELATED_MAX = 5;

interface EngagementView {
  engagement: Engagement;
  sessions: Session[];
}

export async function getEngagementDetails(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; gkEngagementId?: string },
): Promise<EngagementView> {
  const gkEngagementId = input.gkEngagementId || input.context.gkEngagementId || '';
  const faults = new Faults().required('gk_engagement_id', gkEngagementId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const engagement = await deps.store.read.engagements.find(gkScopeId, gkEngagementId);
  if (!engagement) throw notFound('engagement', 'gk_engagement_id');
  return { engagement, sessions: await deps.store.read.sessions.listByEngagement(gkScopeId, gkEngagementId) };
}

export async function getGkEngagementId(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; engagementId: string },
): Promise<string> {
  const faults = new Faults().required('engagement_id', input.engagementId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const engagement = await deps.store.read.engagements.findByExternalId(gkScopeId, input.engagementId);
  if (!engagement) throw notFound('engagement', 'engagement_id');
  return engagement.gkEngagementId;
}

export async function listCorrelatedEngagements(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; correlationId: string },
): Promise<Engagement[]> {
  const faults = new Faults()
    .required('correlation_id', input.correlationId)
    .text('correlation_id', input.correlationId, ID_LENGTH_MAX);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  return deps.store.read.engagements.listByCorrelation(gkScopeId, input.correlationId, CORRELATED_MAX);
}
