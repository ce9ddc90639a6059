// Whether a voiceprint is locked now, and how to change that.
import type { VoiceprintProfileDetailsForReadJson } from '../../../gen/vendor/biosec/v1/voiceprint/manager_pb.js';
import { call } from '../../api/client.js';
import { useQuery, type Query } from '../../api/hooks.js';
import { ifFound, useReadContext, type Context } from '../../tenant/context.js';

export type Lock = NonNullable<VoiceprintProfileDetailsForReadJson['lockInfo']>;

/** Null: there is no such voiceprint any more. */
export function useLock(print: string | undefined): Query<{ lock?: Lock } | null> {
  const read = useReadContext();
  return useQuery(read && print && `lock ${print}`, async (signal) => {
    const request = { context: read, gkVoiceprintProfileId: { value: print } };
    const found = await ifFound(call('GetVoiceprintProfileDetails', request, signal));
    if (!found) return null;
    const lock = found.details?.lockInfo;
    return lock?.status === 'LOCK_STATUS_LOCKED' ? { lock } : {};
  });
}

/** Locks or unlocks it, unless the lock has changed since it was shown. */
export async function replaceLock(
  context: Context,
  print: string,
  seen: Lock | null | undefined,
  lock: { isLocked: boolean; reason?: string },
): Promise<void> {
  const gkVoiceprintProfileId = { value: print };
  await call('ReplaceLock', { context, gkVoiceprintProfileId, ...lock, ...(seen && { expected: seen }) });
}
