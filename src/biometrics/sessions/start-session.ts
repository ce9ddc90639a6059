// StartSession: opens one interaction on one channel; if no engagement is given, it opens one too.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openContext, refuseErased, requireNotErased, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { Faults, ID_LENGTH_MAX, SHORT_TEXT_LENGTH_MAX } from '../call/limits.js';
import type { Session, SessionDetails, SessionIntent, SessionType } from '../model/sessions.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { insertEngagement, newEngagement } from './start-engagement.js';
import { say } from '../../words/server/say.js';

interface StartSessionInput {
  context: RequestContext;
  sessionType?: SessionType;
  isTest: boolean;
  claimedGkPersonId?: string;
  intent?: SessionIntent;
  details: Partial<SessionDetails>;
  /** For a batch line. */
  gkJobId?: string;
}

interface StartedSession {
  gkSessionId: string;
  gkEngagementId: string;
}

/** Sessions that may still join an ended engagement: work done after the call. */
const offlineTypes: ReadonlySet<SessionType> = new Set([
  'FRAUD_ANALYST',
  'ADMINISTRATION',
  'OFFLINE_MEDIA_PROCESSING',
  'WEB',
  'POST_CALL',
  'PRE_CALL',
  'OTHER',
]);

export async function startSession(
  deps: BiometricsDeps,
  call: Call,
  input: StartSessionInput,
): Promise<StartedSession> {
  const faults = checkDetails(input.details).required('session_type', input.sessionType);
  const sessionType = input.sessionType as SessionType;
  const { gkScopeId, engagement, configset } = await openContext(deps, call, input.context, {
    engagement: 'optional',
    session: 'unused',
    configset: 'optional',
    mayBeOver: offlineTypes.has(sessionType),
    faults: faults.found,
  });
  const { claimedGkPersonId } = input;
  refuseErased('engagement', 'context.gk_engagement_id', engagement);
  return deps.store.transaction(async (tx) => {
    if (claimedGkPersonId) await requireClaimed(tx, gkScopeId, claimedGkPersonId);
    if (engagement) await requireNotErased(tx, engagement);
    const now = deps.clock.now();
    const configsetId = configset?.configsetId ?? engagement?.configsetId ?? '';
    let gkEngagementId = engagement?.gkEngagementId;
    if (!gkEngagementId) {
      const created = newEngagement(deps, gkScopeId, configsetId, {});
      await insertEngagement(tx, call, created);
      gkEngagementId = created.gkEngagementId;
    }
    const session: Session = {
      gkSessionId: deps.ids.uuid(),
      gkScopeId,
      gkEngagementId,
      sessionType,
      isTest: input.isTest,
      isActive: true,
      configsetId,
      details: { ...emptyDetails, ...input.details },
      ...(claimedGkPersonId && { claimedGkPersonId }),
      ...(input.intent && { intent: input.intent }),
      createdAtMs: now,
      modifiedAtMs: now,
      lastActivityAtMs: now,
    };
    await tx.sessions.insert(session);
    await audit(tx, call, {
      type: 'SESSION_EVENT',
      operation: 'StartSession',
      gkScopeId,
      gkEngagementId,
      gkSessionId: session.gkSessionId,
      // Also by its ID: erasure shreds what it says about a person who is recognized only later.
      subjects: [session.gkSessionId, ...(claimedGkPersonId ? [claimedGkPersonId] : [])],
      detail: { sessionType, isTest: input.isTest, ...(input.gkJobId && { gkJobId: input.gkJobId }) },
      personal: {
        ani: session.details.ani,
        dnis: session.details.dnis,
        sessionId: session.details.sessionId,
      },
    });
    return { gkSessionId: session.gkSessionId, gkEngagementId };
  });
}

/** Inside the transaction that claims them: the person cannot be erased before it ends. */
export async function requireClaimed(
  tx: BiometricsTransaction,
  gkScopeId: string,
  gkPersonId: string,
): Promise<void> {
  if (!(await tx.parties.find(gkScopeId, 'PERSON', gkPersonId)))
    throw notFound('person', 'details.claimed_gk_person_id');
}

export const emptyDetails: SessionDetails = {
  sessionId: '',
  ani: '',
  dnis: '',
  agentId: '',
  agentExtension: '',
  isSuspicious: false,
  suspiciousReason: '',
  wasAbandon: false,
  businessType: '',
  datacenter: '',
  customData: {},
};

export function checkDetails(details: Partial<SessionDetails>): Faults {
  const faults = new Faults()
    .text('details.session_id', details.sessionId, ID_LENGTH_MAX)
    .text('details.ani', details.ani, ID_LENGTH_MAX)
    .text('details.dnis', details.dnis, ID_LENGTH_MAX)
    .text('details.suspicious_reason', details.suspiciousReason)
    .text('details.business_type', details.businessType, SHORT_TEXT_LENGTH_MAX)
    .text('details.datacenter', details.datacenter, SHORT_TEXT_LENGTH_MAX)
    .text('details.session_error.error_message', details.error?.message)
    .text('details.session_error.error_context', details.error?.context, ID_LENGTH_MAX)
    .customData('details.custom_data', details.customData);
  if (details.groupSize !== undefined && details.groupSize < 0) {
    faults.add({ field: 'details.group_size', violation: 'OUT_OF_RANGE', ...say('NEGATIVE') });
  }
  return faults;
}
