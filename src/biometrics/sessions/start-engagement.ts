// StartEngagement: opens a customer transaction that sessions belong to.
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openContext, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { Faults, ID_LENGTH_MAX } from '../call/limits.js';
import type { CustomData } from '../model/outcome.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { Engagement } from '../model/sessions.js';

interface StartEngagementInput {
  context: RequestContext;
  engagementId?: string;
  correlationId?: string;
  customData?: CustomData;
}

export async function startEngagement(
  deps: BiometricsDeps,
  call: Call,
  input: StartEngagementInput,
): Promise<string> {
  const faults = new Faults()
    .text('details.engagement_id', input.engagementId, ID_LENGTH_MAX)
    .text('details.correlation_id', input.correlationId, ID_LENGTH_MAX)
    .customData('details.custom_data', input.customData);
  const { gkScopeId, configset } = await openContext(deps, call, input.context, {
    engagement: 'unused',
    session: 'unused',
    configset: 'optional',
    faults: faults.found,
  });
  return deps.store.transaction(async (tx) => {
    const engagement = newEngagement(deps, gkScopeId, configset?.configsetId ?? '', input);
    await insertEngagement(tx, call, engagement);
    return engagement.gkEngagementId;
  });
}

export function newEngagement(
  deps: BiometricsDeps,
  gkScopeId: string,
  configsetId: string,
  input: Omit<StartEngagementInput, 'context'>,
): Engagement {
  const now = deps.clock.now();
  return {
    gkEngagementId: deps.ids.uuid(),
    gkScopeId,
    isActive: true,
    engagementId: input.engagementId ?? '',
    correlationId: input.correlationId ?? '',
    analystId: '',
    configsetId,
    customData: input.customData ?? {},
    createdAtMs: now,
    modifiedAtMs: now,
    lastActivityAtMs: now,
  };
}

export async function insertEngagement(
  tx: BiometricsTransaction,
  call: Call,
  engagement: Engagement,
): Promise<void> {
  await tx.engagements.insert(engagement);
  await audit(tx, call, {
    type: 'ENGAGEMENT_EVENT',
    operation: 'StartEngagement',
    gkScopeId: engagement.gkScopeId,
    gkEngagementId: engagement.gkEngagementId,
    subjects: [engagement.gkEngagementId],
    // The caller's own references lead to the customer.
    personal: { engagementId: engagement.engagementId, correlationId: engagement.correlationId },
  });
}
