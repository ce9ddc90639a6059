// What the pool and its workers say to each other.

export interface Request {
  id: number;
  request: unknown;
  deadlineMs: number;
}

export type Reply =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; kind: 'cancelled' | 'deadline' | 'failed'; message: string };

export interface Ready {
  ready: true;
  /** Something works, but not as it should; for the log. */
  warning?: string;
}

/** What a worker is started with: its own settings, and a word of shared memory for cancellation. */
export interface WorkerStart {
  settings: unknown;
  /** Holds the id of the job to give up; shared, because a worker that computes reads no messages. */
  cancelledJob: Int32Array<SharedArrayBuffer>;
  entry: string;
}
