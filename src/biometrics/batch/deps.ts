// What batches use beyond the operations that they are made of.
import type { MediaDeps } from '../media/deps.js';
import type { OperationDeps } from '../operations/deps.js';
import type { Recording } from '../model/batches.js';

/** Recordings that the operator lets batches read: from a folder of the server. */
export interface RecordingSource {
  /** What a recording stands for: itself, or the files of a folder. Throws INVALID_REQUEST where that is not allowed. */
  expand(recording: Recording): Promise<Recording[]>;
  /** Whether `read` would give it. */
  has(recording: Recording, maxBytes: number): Promise<boolean>;
  /** Undefined where there is no such recording, or it is larger than that. */
  read(recording: Recording, maxBytes: number): Promise<Uint8Array | undefined>;
}

export type BatchDeps = OperationDeps &
  MediaDeps & {
    recordings: RecordingSource;
    /** Lines that are worked on at the same time. */
    batchLinesAtOnce: number;
  };
