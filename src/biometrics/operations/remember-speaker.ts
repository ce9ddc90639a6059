// Whose voice a recording was said to hold, remembered where the call itself could not be stored: it failed, or the print was gone
// when it was done. Otherwise the erasure of that person would not find the recording.
import { eraseWhatCameLate } from '../entities/delete-personal-data.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { AudioInput } from './audio-input.js';
import type { OperationDeps } from './deps.js';
import type { OpenedCall } from './opened-call.js';

/** Never throws: the call has its own fault to tell. */
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
  // The hourly sweep looks again.
  await tie.catch(() => undefined);
}

/** Of a person who was erased while the call ran, what it has stored must go too. */
export async function eraseIfErased(
  deps: Pick<OperationDeps, 'clock' | 'jobs'>,
  tx: BiometricsTransaction,
  person: { gkScopeId: string; gkPersonId: string },
): Promise<void> {
  if (!(await tx.erasure.isErased(person.gkPersonId))) return;
  await eraseWhatCameLate(deps, tx, person);
  tx.afterCommit(() => deps.jobs.wake());
}
