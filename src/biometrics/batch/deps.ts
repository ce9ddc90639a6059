// What batches need beyond the operations they are made of.
import type { MediaDeps } from '../media/deps.js';
import type { OperationDeps } from '../operations/deps.js';
import type { Recording } from '../../manifest/lines.js';

/**
 * Recordings that the operator allows batches to read: from a folder of the server, or from S3. Throws
 * PERMISSION_DENIED for all others.
 */
export interface RecordingSource {
  /** Resolves a recording: to itself, or to everything in a folder. */
  expand(gkScopeId: string, recording: Recording): Promise<Recording[]>;
  /** Size in bytes; undefined if there is no such recording. */
  sizeOf(gkScopeId: string, recording: Recording): Promise<number | undefined>;
  /** Its first bytes, which identify its format; undefined if there is no such recording. */
  head(gkScopeId: string, recording: Recording): Promise<Uint8Array | undefined>;
  /** Undefined if there is none, or if it is larger than that. */
  read(gkScopeId: string, recording: Recording, maxBytes: number): Promise<Uint8Array | undefined>;
}

export type BatchDeps = OperationDeps &
  MediaDeps & {
    recordings: RecordingSource;
    /** Lines that are processed at the same time. */
    batchLinesAtOnce: number;
  };
