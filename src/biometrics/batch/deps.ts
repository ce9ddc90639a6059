// What batches use beyond the operations that they are made of.
import type { MediaDeps } from '../media/deps.js';
import type { OperationDeps } from '../operations/deps.js';
import type { Recording } from '../../manifest/lines.js';

/** Recordings that the operator lets batches read: from a folder of the server, or from S3. Throws PERMISSION_DENIED for all others. */
export interface RecordingSource {
  /** What a recording stands for: itself, or everything in a folder. */
  expand(gkScopeId: string, recording: Recording): Promise<Recording[]>;
  /** In bytes; undefined where there is no such recording. */
  sizeOf(gkScopeId: string, recording: Recording): Promise<number | undefined>;
  /** Its first bytes, which tell what it is; undefined where there is no such recording. */
  head(gkScopeId: string, recording: Recording): Promise<Uint8Array | undefined>;
  /** Undefined where there is none, or it is larger than that. */
  read(gkScopeId: string, recording: Recording, maxBytes: number): Promise<Uint8Array | undefined>;
}

export type BatchDeps = OperationDeps &
  MediaDeps & {
    recordings: RecordingSource;
    /** Lines that are worked on at the same time. */
    batchLinesAtOnce: number;
  };
