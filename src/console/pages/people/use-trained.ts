// Whether a voice can be compared with somebody's: that requires a trained voiceprint.
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { useReadContext } from '../../tenant/context.js';
import { isTrained } from '../voice/lab-api.js';

/** It may be trained on the same page meanwhile. */
const EVERY_MS = 10_000;

/** Undefined until it is known. */
export function useTrained(profiles: readonly string[] | undefined): boolean | undefined {
  const read = useReadContext();
  const key = read && profiles ? `trained ${profiles.join(' ')}` : undefined;
  const hasTrained = async (signal: AbortSignal): Promise<boolean> => {
    const found = await Promise.all(
      (profiles ?? []).map((value) =>
        call('GetVoiceprintProfileDetails', { context: read, gkVoiceprintProfileId: { value } }, signal),
      ),
    );
    return found.some(({ details }) => isTrained(details?.status));
  };
  return useQuery(key, hasTrained, { everyMs: EVERY_MS }).data;
}
