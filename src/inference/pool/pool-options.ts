// What a pool of workers is started with, and what it says of itself.
import type { Clock, Log } from '../../platform.js';

export interface PoolOptions {
  /** The worker's module, .ts in development and .js once built. */
  entry: URL;
  workerData: unknown;
  /** Most workers at a time. */
  workers: number;
  /** A worker without work for so long is ended; 0 keeps it. */
  idleMs: number;
  /** Jobs that may wait; those that run, or will once a worker has started, are not counted. */
  queueLimit: number;
  /** No job runs or waits longer than this. */
  jobTimeoutMs: number;
  /** How long a worker may ignore a cancellation before it is replaced. */
  graceMs: number;
  /** How long callers count as near after they asked for something; meanwhile background work stands aside for their jobs. */
  callersNearMs?: number;
  log: Log;
  clock: Clock;
}

export interface PoolStats {
  /** The most there may be. */
  workers: number;
  /** Those that have their models loaded now. */
  loaded: number;
  busy: number;
  queued: number;
  queueLimit: number;
  /** Jobs among those queued that gave way. */
  suspended: number;
  /** Memory of what workers have begun, as they last said. */
  heldBytes: number;
  processed: number;
  failed: number;
  rejected: number;
  restarts: number;
  /** Loaded workers that run, but not as they should; the log says why. */
  warned: number;
}
