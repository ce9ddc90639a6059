// UploadAudio: the one-call convenience. Bytes in, media segment out, nothing left behind when it fails.
import { missingField } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openSessionContext } from '../call/context.js';
import type { MediaDeps } from './deps.js';
import { once } from './once.js';
import { checkUpload, insertMedia, newMedia, type UploadRequest } from './get-upload-url.js';
import { storeBytes } from './receive-upload.js';

export async function uploadAudio(
  deps: MediaDeps,
  call: Call,
  input: UploadRequest & { audio: Uint8Array },
): Promise<string> {
  // The container is told from the bytes unless the caller says that there is no header.
  const request: UploadRequest = { ...input, container: input.container ?? 'WAV' };
  const faults = checkUpload(request);
  if (input.audio.length === 0) faults.add(missingField('audio'));
  const opened = await openSessionContext(deps, call, input.context, faults.found);
  const media = newMedia(deps, opened, request, 0);
  await deps.store.transaction((tx) => insertMedia(tx, call, media));
  try {
    await storeBytes(deps, media, once(input.audio), call.signal);
  } catch (error) {
    await deps.store.transaction((tx) => tx.media.delete(media.gkScopeId, media.gkMediaSegmentId));
    throw error;
  }
  return media.gkMediaSegmentId;
}
