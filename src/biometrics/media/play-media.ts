// The bytes behind a download address: plain WAV, whatever the media was uploaded as.
import { AppError, notFound } from '../../errors.js';
import { decodeAudio } from '../../voice/audio/decode-audio.js';
import { encodeWav } from '../../voice/audio/encode-wav.js';
import type { MediaDeps } from './deps.js';
import { rawFormatOf } from './raw-format.js';

export async function playMedia(
  deps: MediaDeps,
  gkMediaSegmentId: string,
  parameters: URLSearchParams,
): Promise<Uint8Array> {
  const media = await deps.store.read.media.findAnywhere(gkMediaSegmentId);
  if (!media?.blob) throw notFound('media segment');
  const pieces: Uint8Array[] = [];
  for await (const piece of deps.blobs.read(media.gkScopeId, media.blob.blobId)) pieces.push(piece);
  const bytes = new Uint8Array(Buffer.concat(pieces));
  const channel = parameters.get('channel');
  // A plain WAV that is wanted whole goes out as it came in.
  if (channel === null && media.container !== 'RAW' && isPlainWav(bytes)) return bytes;
  const raw = rawFormatOf(media);
  const decoded = await decodeAudio(bytes, { channel: Number(channel ?? 0), ...(raw && { raw }) });
  if (!decoded.ok) throw new AppError('INVALID_REQUEST', `the media cannot be played: ${decoded.reason}`);
  return encodeWav(decoded.samples, decoded.sampleRateHz);
}

/** 16-bit PCM in RIFF, which every player takes. */
function isPlainWav(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (
    bytes.length > 44 &&
    view.getUint32(0) === 0x52494646 &&
    view.getUint32(12) === 0x666d7420 &&
    view.getUint16(20, true) === 1 &&
    view.getUint16(34, true) === 16
  );
}
