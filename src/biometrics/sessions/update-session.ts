// UpdateSession: changes the details that the field mask names.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openContext, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { SessionDetails, SessionIntent } from '../model/sessions.js';
import { checkDetails } from './start-session.js';

export interface UpdateSessionInput {
  context: RequestContext;
  gkSessionId?: string;
  details: Partial<SessionDetails>;
  claimedGkPersonId?: string;
  intent?: SessionIntent;
}

export async function updateSession(
  deps: BiometricsDeps,
  call: Call,
  input: UpdateSessionInput,
): Promise<void> {
  const gkSessionId = input.gkSessionId || input.context.gkSessionId || '';
  const { gkScopeId } = await openContext(
    deps,
    call,
    { ...input.context, gkSessionId },
    {
      engagement: 'mandatory',
      session: 'mandatory',
      configset: 'unused',
      mayBeOver: true,
      ...(!input.context.gkSessionId || input.gkSessionId ? { sessionField: 'gk_session_id' } : {}),
      faults: checkDetails(input.details).found,
    },
  );
  const { claimedGkPersonId } = input;
  if (claimedGkPersonId && !(await deps.store.read.parties.find(gkScopeId, 'PERSON', claimedGkPersonId))) {
    throw notFound('person', 'details.claimed_gk_person_id');
  }
  await deps.store.transaction(async (tx) => {
    const current = await tx.sessions.find(gkScopeId, gkSessionId);
    if (!current) throw notFound('session', 'gk_session_id');
    await tx.sessions.update({
      ...current,
      details: { ...current.details, ...input.details },
      ...(claimedGkPersonId && { claimedGkPersonId }),
      ...(input.intent && { intent: input.intent }),
      modifiedAtMs: deps.clock.now(),
    });
    await audit(tx, call, {
      type: 'SESSION_EVENT',
      operation: 'UpdateSession',
      gkScopeId,
      gkEngagementId: current.gkEngagementId,
      gkSessionId,
      detail: { changed: Object.keys(input.details) },
    });
  });
}
