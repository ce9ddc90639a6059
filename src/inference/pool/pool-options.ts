// The settings of a worker pool, and the state that it reports.
import type { Clock, Log } from '../../platform.js';

export interface PoolOptions {
  /** The worker's module, .ts in development and .js once built. */
  entry: URL;
  workerData: unknown;
  /** The maximum at a time. */
  workers: number;
  /** A worker that is idle for this long is ended; 0 keeps it. */
  idleMs: number;
  /** Jobs that may wait, not counting those that run or will run once a worker has started. */
  queueLimit: number;
  /** No job runs or waits longer than this. */
  jobTimeoutMs: number;
  /** How long a worker may ignore a cancellation before it is replaced. */
  graceMs: number;
  /** How long after a request callers count as near; meanwhile background work makes way for their jobs. */
  callersNearMs?: number;
  log: Log;
  clock: Clock;
}

export interface PoolStats {
  /** The maximum number. */
  workers: number;
  /** Workers whose models are loaded now. */
  loaded: number;
  busy: number;
  queued: number;
  queueLimit: number;
  /** Queued jobs that have yielded. */
  suspended: number;
  /** Memory of the work that workers have begun, as they last reported. */
  heldBytes: number;
  processed: number;
  failed: number;
  rejected: number;
  restarts: number;
  /** Loaded workers that run, but not as they should; the log says why. */
  warned: number;
}
