// A call that names a person makes the audio their personal data.
import { notFound } from '../../errors.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { PreparedAudio } from './audio-input.js';
import type { OpenedCall } from './opened-call.js';

export async function findPerson(
  { deps, context }: OpenedCall,
  gkPersonId: string | undefined,
): Promise<void> {
  if (gkPersonId && !(await deps.store.read.parties.find(context.gkScopeId, 'PERSON', gkPersonId)))
    throw notFound('person', 'gk_person_id');
}

/** The audio and its media become personal data of the person. */
export async function giveToPerson(
  tx: BiometricsTransaction,
  { deps, context: { gkScopeId } }: OpenedCall,
  { audio: { gkProcessedAudioId, gkMediaSegmentId } }: PreparedAudio,
  gkPersonId: string,
): Promise<void> {
  const modifiedAtMs = deps.clock.now();
  const audio = await tx.processedAudios.find(gkScopeId, gkProcessedAudioId);
  if (audio) await tx.processedAudios.update({ ...audio, gkPersonId, modifiedAtMs });
  const media = await tx.media.find(gkScopeId, gkMediaSegmentId);
  if (media) await tx.media.update({ ...media, gkPersonId, modifiedAtMs });
}
