// The bytes behind an upload URL: streamed into the blob store, written once. The blob is durable before the row points to it,
// so a crash in between leaves an orphan to sweep, never a row without bytes.
import { createHash } from 'node:crypto';
import { AppError, mayHaveBeenMade, notFound } from '../../errors.js';
import { defaultParameters } from '../model/parameters.js';
import type { MediaDeps } from './deps.js';
import type { MediaSegment } from '../model/media.js';
import { rememberedParameters } from '../call/context.js';
import { say } from '../../words/server/say.js';

export async function receiveUpload(
  deps: MediaDeps,
  gkMediaSegmentId: string,
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<{ sizeBytes: number; sha256: string }> {
  const media = await deps.store.read.media.findAnywhere(gkMediaSegmentId);
  if (!media) throw notFound('media segment');
  return media.blob ? acceptRepeat(media.blob, source) : storeBytes(deps, media, source, signal);
}

/** A client that missed our answer sends again: the same bytes are accepted, others are not. */
async function acceptRepeat(
  blob: NonNullable<MediaSegment['blob']>,
  source: AsyncIterable<Uint8Array>,
): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    if (bytes > blob.bytes) throw alreadyUsed();
    hash.update(piece);
  }
  if (bytes === 0) throw emptyUpload();
  if (hash.digest('hex') !== blob.sha256) throw alreadyUsed();
  return { sizeBytes: blob.bytes, sha256: blob.sha256 };
}

async function storeBytes(
  deps: MediaDeps,
  media: MediaSegment,
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<{ sizeBytes: number; sha256: string }> {
  const blob = await putBytes(deps, media, source, signal);
  const discard = (): Promise<void> => deps.blobs.delete(media.gkScopeId, blob.blobId);
  try {
    if (blob.bytes === 0) throw emptyUpload();
    const kept = await deps.store.transaction(async (tx) => {
      const current = await tx.media.find(media.gkScopeId, media.gkMediaSegmentId);
      if (!current) throw notFound('media segment');
      // Another upload to this address was faster: a repeat of it is accepted, now as later.
      if (current.blob && current.blob.sha256 !== blob.sha256) throw alreadyUsed();
      if (!current.blob) await tx.media.update({ ...current, blob, modifiedAtMs: deps.clock.now() });
      return !current.blob;
    });
    if (!kept) await discard();
  } catch (error) {
    // A row may point to the bytes; if none does, they are swept.
    if (!mayHaveBeenMade(error)) await discard();
    throw error;
  }
  return { sizeBytes: blob.bytes, sha256: blob.sha256 };
}

/** Durable when it resolves; nothing refers to it yet. */
export async function putBytes(
  deps: MediaDeps,
  { gkScopeId, gkSessionId }: MediaSegment,
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<NonNullable<MediaSegment['blob']>> {
  const session = await deps.store.read.sessions.find(gkScopeId, gkSessionId);
  const { audio } = session ? await rememberedParameters(deps, session) : defaultParameters;
  const blobId = deps.ids.uuid();
  const { sizeBytes, sha256 } = await deps.blobs.put(gkScopeId, blobId, source, {
    maxBytes: Math.min(deps.mediaBytesMax, Math.floor(audio.mediaMegabytesMax * 1024 * 1024)),
    ...(signal && { signal }),
  });
  return { blobId, bytes: sizeBytes, sha256 };
}

function alreadyUsed(): AppError {
  return new AppError('ALREADY_EXISTS', say('OTHER_AUDIO_UPLOADED'));
}

/** The address stays valid for the intended audio. */
export function emptyUpload(): AppError {
  return new AppError('BAD_REQUEST', 'the upload is empty: send the content as the body of the PUT', {
    diagnostics: [{ code: 'EMPTY_UPLOAD' }],
  });
}
