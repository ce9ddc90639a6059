// UpdateSession: changes the details that the field mask names.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openContext, refuseErased, type RequestContext } from '../call/context.js';
import { refusingErased } from '../call/data-subjects.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { SessionDetails, SessionIntent } from '../model/sessions.js';
import { checkDetails, requireClaimed } from './start-session.js';

interface UpdateSessionInput {
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
  const named = { gkScopeId, gkPersonId: input.claimedGkPersonId, of: { gkSessionId } };
  await refusingErased(deps, named, () => update(deps, call, gkScopeId, { ...input, gkSessionId }));
}

async function update(
  deps: BiometricsDeps,
  call: Call,
  gkScopeId: string,
  input: UpdateSessionInput & { gkSessionId: string },
): Promise<void> {
  const { claimedGkPersonId, gkSessionId } = input;
  await deps.store.transaction(async (tx) => {
    if (claimedGkPersonId) await requireClaimed(tx, gkScopeId, claimedGkPersonId);
    const current = await tx.sessions.find(gkScopeId, gkSessionId);
    if (!current) throw notFound('session', 'gk_session_id');
    refuseErased('session', 'gk_session_id', current);
    await tx.sessions.update({
      ...current,
      details: { ...current.details, ...input.details },
      ...(claimedGkPersonId && { claimedGkPersonId }),
      ...(input.intent && { intent: input.intent }),
      modifiedAtMs: deps.clock.now(),
    });
    const { claimedGkPersonId: before } = current;
    const isClaimChanged = claimedGkPersonId && claimedGkPersonId !== before;
    await audit(tx, call, {
      type: 'SESSION_EVENT',
      operation: 'UpdateSession',
      gkScopeId,
      gkEngagementId: current.gkEngagementId,
      gkSessionId,
      // From and to.
      ...(isClaimChanged && { subjects: [...(before ? [before] : []), claimedGkPersonId] }),
      detail: {
        changed: [
          ...Object.keys(input.details),
          ...(isClaimChanged ? ['claimedGkPersonId'] : []),
          ...(input.intent && input.intent !== current.intent ? ['intent'] : []),
        ],
      },
    });
  });
}
