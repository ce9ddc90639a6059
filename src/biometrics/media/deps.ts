// What the media operations use besides the store: signed URLs and a place for bytes.
import type { BiometricsDeps, MediaBytes } from '../ports/deps.js';
import type { SignedUrls } from './signed-urls.js';

interface BlobFacts {
  sizeBytes: number;
  sha256: string;
}

/** Sealed per scope, written once, durable when `put` returns. */
export interface MediaBlobs {
  put(
    gkScopeId: string,
    blobId: string,
    source: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<BlobFacts>;
  read(gkScopeId: string, blobId: string, options?: { bySealAlone: boolean }): AsyncIterable<Uint8Array>;
  exists(gkScopeId: string, blobId: string): Promise<boolean>;
  delete(gkScopeId: string, blobId: string): Promise<void>;
}

export interface MediaDeps extends BiometricsDeps {
  blobs: MediaBlobs;
  urls: SignedUrls;
  /** Largest upload of this installation; a config set can only allow less. */
  mediaBytesMax: number;
}

export function mediaBytesOf(blobs: MediaBlobs): MediaBytes {
  return {
    read: (media) => {
      if (!media.blob) throw new RangeError('media without bytes cannot be read');
      return blobs.read(media.gkScopeId, media.blob.blobId);
    },
  };
}
