// Whether a voiceprint is locked at this moment.
import type { VoiceprintProfileDetailsForReadJson } from '../../../gen/vendor/biosec/v1/voiceprint/manager_pb.js';
import { call } from '../../api/client.js';
import { overtaken } from '../../api/errors.js';
import { useQuery, type Query } from '../../api/hooks.js';
import { ifFound, useReadContext, type Context } from '../../tenant/context.js';

export type Lock = NonNullable<VoiceprintProfileDetailsForReadJson['lockInfo']>;

/** Null: it is not locked. */
export function useLock(print: string | undefined): Query<Lock | null> {
  const read = useReadContext();
  return useQuery(read && print && `lock ${print}`, async (signal) => {
    const request = { context: read, gkVoiceprintProfileId: { value: print } };
    const found = await ifFound(call('GetVoiceprintProfileDetails', request, signal));
    const lock = found?.details?.lockInfo;
    return lock?.status === 'LOCK_STATUS_LOCKED' ? lock : null;
  });
}

/** Refuses where the lock is not the one that was shown any more: somebody else has set, changed or opened it meanwhile. */
export async function refuseOtherLock(
  context: Context,
  print: string,
  seen: Lock | null | undefined,
): Promise<void> {
  const gkVoiceprintProfileId = { value: print };
  const { details } = await call('GetVoiceprintProfileDetails', { context, gkVoiceprintProfileId });
  if (markOf(details?.lockInfo) !== markOf(seen)) throw overtaken();
}

/** A lock that opens by itself is nobody's word. */
const markOf = (lock: Lock | null | undefined): string =>
  lock?.status === 'LOCK_STATUS_LOCKED' && lock.autoUnlockTimestamp === undefined
    ? `${lock.lockTimestamp ?? ''} ${lock.reason ?? ''}`
    : '';
