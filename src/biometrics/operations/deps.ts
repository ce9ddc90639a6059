// What the biometric operations use beyond the store: the voice engine and the bytes of media.
import type { VoiceEngine } from '../../voice/engine.js';
import type { BiometricsDeps } from '../deps.js';
import type { Galleries } from '../galleries/galleries.js';
import type { MediaSegment } from '../media/model.js';

export interface MediaBytes {
  /** Throws NOT_FOUND when the bytes are gone. */
  read(media: MediaSegment): AsyncIterable<Uint8Array>;
}

export interface OperationDeps extends BiometricsDeps {
  engine: VoiceEngine;
  mediaBytes: MediaBytes;
  galleries: Galleries;
}
