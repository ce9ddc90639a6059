// Messages between the pool and its workers.
import type { SharedWords } from './runtime-gate.js';

export interface Request {
  id: number;
  request: unknown;
  deadlineAtMs: number;
}

/** Resumes a job that has yielded. */
export interface Resume {
  resume: number;
}

export type Reply = (
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; kind: 'canceled' | 'deadline' | 'failed'; message: string }
) & {
  /** Memory of all unfinished work of the worker. */
  heldBytes: number;
};

/** The job has yielded and waits to be resumed. */
export interface Paused {
  paused: number;
  heldBytes: number;
}

export interface Ready {
  ready: true;
  /** Something works, but not as it should; for the log. */
  warning?: string;
}

/** The start data of a worker: its own settings, and a little shared memory. */
export interface WorkerStart {
  settings: unknown;
  shared: SharedWords;
  entry: string;
}
