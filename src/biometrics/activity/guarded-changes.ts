// Consent and locks, possibly changed by several people at once: nobody undoes what they have not read.
import { namingWhoChanged } from '../../audit/last-change.js';
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import { optPersonIn, type OptInInput } from '../entities/consent.js';
import { lockVoiceprintProfile, unlockVoiceprintProfile, type SeenLock } from '../profiles/change-profile.js';
import type { ActivityDeps } from './session-timeline.js';

export function recordConsent(deps: ActivityDeps, call: Call, input: OptInInput): Promise<void> {
  const { context, gkPersonId } = input;
  return namingWhoChanged(
    deps,
    {
      tenantId: context.gkScopeId ?? '',
      subjectId: gkPersonId,
      operations: ['OptPersonIn', 'OptPersonOut'],
      isIt: () => true,
    },
    () => optPersonIn(deps, call, input),
  );
}

interface ReplaceLockInput {
  context: RequestContext;
  gkVoiceprintProfileId: string;
  isLocked: boolean;
  reason: string;
  /** Absent if it was not locked by hand. */
  seen?: SeenLock;
}

export function replaceLock(
  deps: ActivityDeps,
  call: Call,
  { context, gkVoiceprintProfileId, isLocked, reason, seen }: ReplaceLockInput,
): Promise<void> {
  const input = { context, gkVoiceprintProfileId, expected: { ...(seen && { lock: seen }) } };
  return namingWhoChanged(
    deps,
    {
      tenantId: context.gkScopeId ?? '',
      subjectId: gkVoiceprintProfileId,
      operations: ['LockVoiceprintProfile', 'UnlockVoiceprintProfile'],
      isIt: () => true,
    },
    () =>
      isLocked
        ? lockVoiceprintProfile(deps, call, { ...input, reason })
        : unlockVoiceprintProfile(deps, call, input),
  );
}
