// UploadAudio: uploads a recording in one call. Bytes in, media segment out, and nothing left behind if it fails.
import { isBusy, mayHaveBeenMade, missingField } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { MediaInfo } from '../../voice/engine.js';
import { openSessionContext } from '../call/context.js';
import type { MediaSegment } from '../model/media.js';
import type { EngineDeps } from '../ports/deps.js';
import type { MediaDeps } from './deps.js';
import { streamOf } from './stream-of.js';
import { checkUpload, insertMedia, newMedia, type UploadRequest } from './get-upload-url.js';
import { rawFormatOf } from '../rules/media-for-engine.js';
import { putBytes } from './receive-upload.js';

/**
 * With the medium's own facts, found without processing; absent if it cannot be decoded, or will be processed
 * next anyway.
 */
export async function uploadAudio(
  deps: EngineDeps & MediaDeps,
  call: Call,
  input: UploadRequest & { audio: Uint8Array; isHeardNext?: boolean },
): Promise<{ gkMediaSegmentId: string; facts?: MediaInfo }> {
  // The container is recognized by its bytes unless the caller says that there is no header.
  const request: UploadRequest = { ...input, container: input.container ?? 'WAV' };
  const faults = checkUpload(request);
  if (input.audio.length === 0) faults.add(missingField('audio'));
  const opened = await openSessionContext(deps, call, input.context, faults.found);
  const media = newMedia(deps, opened, request, 0);
  const blob = await putBytes(deps, media, streamOf(input.audio), call.signal);
  try {
    const facts = input.isHeardNext ? undefined : await probe(deps, call, media, input.audio);
    const about = facts && {
      lengthMs: facts.durationMs,
      sampleRateHz: facts.sampleRateHz,
      channels: facts.channels,
    };
    await deps.store.transaction((tx) => insertMedia(tx, call, { ...media, ...about, blob }));
    return { gkMediaSegmentId: media.gkMediaSegmentId, ...(facts && { facts }) };
  } catch (error) {
    // A row may point to the bytes; if none does, they are swept.
    if (!mayHaveBeenMade(error)) await deps.blobs.delete(media.gkScopeId, blob.blobId);
    throw error;
  }
}

async function probe(
  deps: EngineDeps,
  call: Call,
  media: MediaSegment,
  bytes: Uint8Array,
): Promise<MediaInfo | undefined> {
  const raw = rawFormatOf(media);
  try {
    const { media: facts } = await deps.engine.inspectAudio(
      bytes,
      {
        ...(raw && { raw }),
        envelopePoints: 0,
        spectrogramColumns: 0,
        mediaOnly: true,
        client: call.caller.clientId,
      },
      call.signal,
    );
    return facts;
  } catch (error) {
    // A busy engine must not make the upload fail. The facts are determined again when the audio is read.
    if (isBusy(error)) return undefined;
    throw error;
  }
}
