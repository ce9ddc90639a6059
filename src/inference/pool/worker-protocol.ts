// What the pool and its workers say to each other.
import type { SharedWords } from './runtime-gate.js';

export interface Request {
  id: number;
  request: unknown;
  deadlineAtMs: number;
}

/** Takes up a job that gave way. */
export interface Resume {
  resume: number;
}

export type Reply = (
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; kind: 'cancelled' | 'deadline' | 'failed'; message: string }
) & {
  /** Memory of everything that the worker has begun. */
  heldBytes: number;
};

/** The job gave way and waits to be taken up again. */
export interface Paused {
  paused: number;
  heldBytes: number;
}

export interface Ready {
  ready: true;
  /** Something works, but not as it should; for the log. */
  warning?: string;
}

/** What a worker is started with: its own settings, and a little shared memory. */
export interface WorkerStart {
  settings: unknown;
  shared: SharedWords;
  entry: string;
}
