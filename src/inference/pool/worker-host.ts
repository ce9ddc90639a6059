// The worker's side of the pool: takes one job after another, and lets the job ask whether it should go on.
import { parentPort, workerData } from 'node:worker_threads';
import type { Check, InRuntime } from '../work.js';
import { insideRuntime, isCancelled } from './runtime-gate.js';
import type { Ready, Reply, Request, WorkerStart } from './worker-protocol.js';

/** Thrown by `check` inside a job; the pool turns it into the caller's error. */
class JobCancelled extends Error {
  readonly kind: 'cancelled' | 'deadline';

  constructor(kind: 'cancelled' | 'deadline') {
    super(kind);
    this.kind = kind;
  }
}

export type Handler = (request: unknown, check: Check) => Promise<unknown>;

export interface Prepared {
  handle: Handler;
  /** Something works, but not as it should. */
  warning?: string;
}

/** Makes the handler from the pool's settings, then serves until the pool ends the thread. */
export async function serveJobs(
  prepare: (settings: unknown, inRuntime: InRuntime) => Promise<Prepared>,
): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('this module runs inside a worker thread');
  const { settings, shared } = workerData as WorkerStart;
  const inRuntime: InRuntime = (work) => insideRuntime(shared, work);
  const { handle, warning } = await prepare(settings, inRuntime);
  const answer = async ({ id, request, deadlineAtMs }: Request): Promise<Reply> => {
    const check: Check = () => {
      if (isCancelled(shared, id)) throw new JobCancelled('cancelled');
      if (Date.now() >= deadlineAtMs) throw new JobCancelled('deadline');
    };
    try {
      check();
      return { id, ok: true, value: await handle(request, check) };
    } catch (error) {
      if (error instanceof JobCancelled) return { id, ok: false, kind: error.kind, message: error.message };
      return {
        id,
        ok: false,
        kind: 'failed',
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      };
    }
  };
  port.on('message', (request: Request) => void answer(request).then((reply) => port.postMessage(reply)));
  port.postMessage({ ready: true, ...(warning !== undefined && { warning }) } satisfies Ready);
}
