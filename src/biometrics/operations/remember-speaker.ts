// Whose voice a recording was said to hold, remembered where the call itself could not be stored: it failed, or the print was gone
// when it was done. Otherwise the erasure of that person would not find the recording.
import { isOutage } from '../../errors.js';
import { eraseIfErased } from '../call/late-erasure.js';
import type { AudioInput } from './audio-input.js';
import type { OpenedCall } from './opened-call.js';

/** The call has its own fault to tell, unless nothing can be stored now: then it has to come again. */
export async function rememberSpeaker(
  { deps, context: { gkScopeId } }: OpenedCall,
  { gkMediaSegmentId, gkProcessedAudioId }: AudioInput,
  gkPersonId: string,
): Promise<void> {
  const tie = deps.store.transaction(async (tx) => {
    const heard = gkProcessedAudioId
      ? (await tx.processedAudios.find(gkScopeId, gkProcessedAudioId))?.gkMediaSegmentId
      : gkMediaSegmentId;
    if (!heard) return;
    await tx.media.tie(gkScopeId, heard, gkPersonId);
    await eraseIfErased(deps, tx, { gkScopeId, gkPersonId });
  });
  await tie.catch((cause: unknown) => {
    if (isOutage(cause)) throw cause;
  });
}
