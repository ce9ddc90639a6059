// Whether calls can be compared with a fraudster's voice: that takes a trained voiceprint.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { useReadContext } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { isTrained } from '../voice/lab-api.js';

const text = t.fraudster;
/** It may be trained on the same page. */
const EVERY_MS = 10_000;

/** One sentence under the name; nothing is claimed before it is known. */
export function FraudsterVoice({ profiles }: { profiles: readonly string[] | undefined }): ReactNode {
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
  const trained = useQuery(key, hasTrained, { everyMs: EVERY_MS });
  if (trained.data === undefined) return text.about;
  return `${text.about} ${trained.data ? text.withVoice : text.withoutVoice}`;
}
