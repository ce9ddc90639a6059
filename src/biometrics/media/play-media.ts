// The bytes behind a download URL: plain WAV, whatever format was uploaded. WAV is passed on as it is read; anything else is
// decoded by a worker of the voice engine.
import { AppError, notFound } from '../../errors.js';
import type { VoiceEngine } from '../../voice/engine.js';
import type { MediaDeps } from './deps.js';
import { rawFormatOf } from '../rules/media-for-engine.js';
import { say } from '../../words/server/say.js';

interface PlayedMedia {
  sizeBytes: number;
  bytes: AsyncIterable<Uint8Array>;
}

const HEADER_BYTES = 44;

export async function playMedia(
  deps: MediaDeps & { engine: Pick<VoiceEngine, 'toWav'> },
  gkMediaSegmentId: string,
  parameters: URLSearchParams,
  signal?: AbortSignal,
): Promise<PlayedMedia> {
  const media = await deps.store.read.media.findAnywhere(gkMediaSegmentId);
  if (!media?.blob) throw notFound('media segment');
  const channel = parameters.get('channel');
  const { head, all } = await peek(deps.blobs.read(media.gkScopeId, media.blob.blobId));
  // A plain WAV that is wanted whole is sent as it was uploaded.
  if (channel === null && media.container !== 'RAW' && isPlainWav(head))
    return { sizeBytes: media.blob.bytes, bytes: all };
  const raw = rawFormatOf(media);
  const converted = await deps.engine.toWav(
    all,
    // The holder of the address shows no token, so those of one tenant share a turn.
    { channel: Number(channel ?? 0), ...(raw && { raw }), client: media.gkScopeId },
    signal,
  );
  if (!converted.ok)
    throw new AppError('INVALID_REQUEST', say('MEDIA_NOT_PLAYABLE', { reason: converted.reason }));
  return { sizeBytes: converted.wav.length, bytes: only(converted.wav) };
}

/** The first bytes, and then everything from the start. */
async function peek(
  source: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; all: AsyncIterable<Uint8Array> }> {
  const pieces = source[Symbol.asyncIterator]();
  let head = new Uint8Array(0);
  while (head.length <= HEADER_BYTES) {
    const next = await pieces.next();
    if (next.done) break;
    head = new Uint8Array(Buffer.concat([head, next.value]));
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head;
    try {
      for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
    } finally {
      // A listener who stops half-way must not leave the file open.
      await pieces.return?.();
    }
  }
  return { head, all: all() };
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** 16-bit PCM in RIFF, which every player accepts. */
function isPlainWav(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (
    bytes.length > HEADER_BYTES &&
    view.getUint32(0) === 0x52494646 &&
    view.getUint32(12) === 0x666d7420 &&
    view.getUint16(20, true) === 1 &&
    view.getUint16(34, true) === 16
  );
}
