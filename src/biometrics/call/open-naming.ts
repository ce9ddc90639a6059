// Opens the context of a call that names whose voice it contains. Even if the call is refused here, for an error in the
// request or in its context, what it said about the voice is remembered, and in which session.
import { requireTenant, type FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { openFullContext, type FullContext, type RequestContext } from './context.js';
import { isWorthRetrying, tieNamed, type NamedInCall } from './tie-speaker.js';

interface Opening {
  context: RequestContext;
  faults: readonly (FieldFault | undefined)[];
  named: Pick<NamedInCall, 'prints' | 'gkPersonId' | 'of'>;
}

export async function openNaming(
  deps: BiometricsDeps,
  call: Call,
  { context, faults, named }: Opening,
): Promise<FullContext> {
  try {
    return await openFullContext(deps, call, context, faults);
  } catch (error) {
    if (!isWorthRetrying(error) && (await isTheirTenant(deps, call, context)))
      await remember(deps, context, named);
    throw error;
  }
}

/** Reveals nothing about a tenant other than the caller's own. */
async function isTheirTenant(
  { tenants }: BiometricsDeps,
  { caller }: Call,
  { gkScopeId = '' }: RequestContext,
): Promise<boolean> {
  try {
    requireTenant(caller, gkScopeId, 'context.gk_scope_id');
  } catch {
    return false;
  }
  return tenants.isUsable(gkScopeId);
}

async function remember(
  deps: BiometricsDeps,
  { gkScopeId = '', gkEngagementId, gkSessionId = '' }: RequestContext,
  named: Opening['named'],
): Promise<void> {
  const session = await deps.store.read.sessions.find(gkScopeId, gkSessionId);
  const isNamed = session !== undefined && !session.isErased && session.gkEngagementId === gkEngagementId;
  const askedIn = isNamed ? { gkEngagementId: session.gkEngagementId, gkSessionId } : undefined;
  await tieNamed(deps, { gkScopeId, ...named, askedIn });
}
