// Opens a call on audio: its context, and the calibration of its scores, which every later phase works with. Even if the call
// is refused here, what it said about the voice is remembered, and in which session.
import { type FieldFault, requireTenant } from '../../errors.js';
import type { Call } from '../../platform.js';
import { activeCalibration, type ActiveCalibration } from '../calibration/active.js';
import { type FullContext, openFullContext, type RequestContext } from '../call/context.js';
import { isWorthRetrying, type NamedInCall, linkNamed } from '../call/data-subjects.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { OperationDeps } from './deps.js';

interface Opening {
  context: RequestContext;
  faults: readonly (FieldFault | undefined)[];
  named: Pick<NamedInCall, 'prints' | 'gkPersonId' | 'of'>;
}

export async function openSpeakerContext(
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
  await linkNamed(deps, { gkScopeId, ...named, askedIn });
}

export interface OpenedCall {
  deps: OperationDeps;
  call: Call;
  context: FullContext;
  /** The calibration of this call's scores. */
  calibration: ActiveCalibration;
}

export async function openCall(deps: OperationDeps, call: Call, context: FullContext): Promise<OpenedCall> {
  const calibration = await activeCalibration(deps.store, context.gkScopeId, deps.engine.model);
  return { deps, call, context, calibration };
}
