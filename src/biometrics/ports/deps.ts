// Everything an operation may use, built once in the composition root.
import type { Call, Clock, Ids } from '../../platform.js';
import type { VoiceEngine } from '../../voice/engine.js';
import type { ConfigsetRevision } from '../model/configsets.js';
import type { MediaSegment } from '../model/media.js';
import type { Parameters } from '../model/parameters.js';
import type { BiometricsStore, Tenants } from './store.js';

export interface BiometricsDeps {
  clock: Clock;
  ids: Ids;
  store: BiometricsStore;
  tenants: Tenants;
  configsetCache: { parametersOf(revision: ConfigsetRevision): Parameters };
  /** Tells the job runner that there is work; otherwise it would find it a little later. */
  jobs: { wake(): void };
  /** Absent if nothing listens to live calls. */
  lines?: SessionLines;
}

/** The connections of live calls. */
export interface SessionLines {
  /** Called before sessions end: afterwards it is known for each of their calls whether its sender is gone. Never fails. */
  look(call: Call, gkScopeId: string, gkSessionIds: readonly string[]): Promise<void>;
}

export interface MediaBytes {
  /** Throws NOT_FOUND if the bytes were deleted. */
  read(media: MediaSegment): AsyncIterable<Uint8Array>;
}

/** For operations that process audio. */
export interface EngineDeps extends BiometricsDeps {
  engine: VoiceEngine;
  mediaBytes: MediaBytes;
}
