// The worker's side of the pool: runs one job after another, and lets the job ask whether it should go on. A
// job that yields stays here as a promise until the pool resumes it; meanwhile the worker serves others.
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Check } from '../../voice/check.js';
import { collectGarbage } from '../collect-garbage.js';
import type { InRuntime } from '../work.js';
import { isPreempted } from './preemption.js';
import { insideRuntime, isCanceled, type SharedWords } from './runtime-gate.js';
import type { Paused, Ready, Reply, Request, Resume, WorkerStart } from './worker-protocol.js';

/** Thrown by `check` inside a job; the pool turns it into the caller's error. */
class JobCanceled extends Error {
  readonly kind: 'canceled' | 'deadline';

  constructor(kind: 'canceled' | 'deadline') {
    super(kind);
    this.kind = kind;
  }
}

export type Handler = (request: unknown, check: Check) => Promise<unknown>;

interface Prepared {
  handle: Handler;
  /** Something works, but not as it should. */
  warning?: string;
  /** Memory of unfinished work; 0 if absent. */
  heldBytes?: () => number;
}

/** From the end of a job to the collection of what it and others left behind. */
const TIDY_AFTER_MS = 10_000;

class JobHost {
  readonly #port: MessagePort;
  readonly #shared: SharedWords;
  readonly #prepared: Prepared;
  /** Jobs that have yielded. */
  readonly #paused = new Map<number, () => void>();
  /** Since when the current job has had the worker. */
  #sliceFromMs = 0;
  #tidying: NodeJS.Timeout | undefined;

  constructor(port: MessagePort, shared: SharedWords, prepared: Prepared) {
    this.#port = port;
    this.#shared = shared;
    this.#prepared = prepared;
  }

  take(message: Request | Resume): void {
    this.#sliceFromMs = performance.now();
    if ('resume' in message) this.#resume(message.resume);
    else
      void this.#answer(message).then((reply) => {
        this.#port.postMessage(reply);
        this.#tidyUp();
      });
  }

  /**
   * A long recording leaves hundreds of megabytes of samples behind. V8 collects them when something new needs the space, which
   * in a worker with little to do is never.
   */
  #tidyUp(): void {
    this.#tidying ??= setTimeout(() => {
      this.#tidying = undefined;
      collectGarbage();
    }, TIDY_AFTER_MS).unref();
  }

  get #heldBytes(): number {
    return this.#prepared.heldBytes?.() ?? 0;
  }

  #resume(id: number): void {
    const goOn = this.#paused.get(id);
    this.#paused.delete(id);
    goOn?.();
  }

  async #answer({ id, request, deadlineAtMs }: Request): Promise<Reply> {
    const stillWanted = (): void => {
      if (isCanceled(this.#shared, id)) throw new JobCanceled('canceled');
      if (Date.now() >= deadlineAtMs) throw new JobCanceled('deadline');
    };
    const check: Check = () => {
      stillWanted();
      const ranMs = performance.now() - this.#sliceFromMs;
      return isPreempted(this.#shared, ranMs) ? this.#pauseForOthers(id).then(stillWanted) : undefined;
    };
    try {
      stillWanted();
      const value = await this.#prepared.handle(request, check);
      return { id, ok: true, value, heldBytes: this.#heldBytes };
    } catch (error) {
      return { id, ok: false, ...faultOf(error), heldBytes: this.#heldBytes };
    }
  }

  #pauseForOthers(id: number): Promise<void> {
    return new Promise((resolve) => {
      this.#paused.set(id, resolve);
      this.#port.postMessage({ paused: id, heldBytes: this.#heldBytes } satisfies Paused);
    });
  }
}

function faultOf(error: unknown): { kind: 'canceled' | 'deadline' | 'failed'; message: string } {
  if (error instanceof JobCanceled) return { kind: error.kind, message: error.message };
  return {
    kind: 'failed',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

/**
 * Two thirds of the weight of other threads when cores are scarce. More would cost too much beside busy
 * programs.
 */
const NICER_BY = 2;

/**
 * Lets the thread that reads, decides and answers go first: it needs little time, but everybody waits for it,
 * and a computing worker would delay it whenever all cores are busy. Linux has a priority per thread;
 * elsewhere it belongs to the process.
 */
function letMainThreadGoFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + NICER_BY));
  } catch {
    // A sandbox may refuse it; then all threads are equal.
  }
}

/** Makes the handler from the pool's settings, then serves until the pool ends the thread. */
export async function serveJobs(
  prepare: (settings: unknown, inRuntime: InRuntime) => Promise<Prepared>,
): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('this module runs inside a worker thread');
  const { settings, shared } = workerData as WorkerStart;
  const prepared = await prepare(settings, (work) => insideRuntime(shared, work));
  letMainThreadGoFirst();
  const host = new JobHost(port, shared, prepared);
  port.on('message', (message: Request | Resume) => host.take(message));
  const { warning } = prepared;
  port.postMessage({ ready: true, ...(warning !== undefined && { warning }) } satisfies Ready);
}
