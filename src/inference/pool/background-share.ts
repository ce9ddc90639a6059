// How many workers background work may use: all of them while nobody else is active. While callers are
// active, it gives up a worker for each of their jobs and one more: two workers share memory and often a
// core, and an answer that takes half as long again is late, whatever the cause. It resumes after a pause; if
// there is none, it gets a short turn from time to time.

/** How long after their last request callers are expected to send another. */
const CALLERS_NEAR_MS = 5000;
/** Live calls bring audio in pieces: the next one follows soon. */
const PAUSE_MS = 100;
/**
 * Guaranteed however busy callers are: a batch that has begun must finish. A turn is one slice, a twentieth
 * of this.
 */
const TURN_EVERY_MS = 2000;

interface PoolLoad {
  workers: number;
  callersAreNear: boolean;
  /** Callers' jobs that are running or waiting. */
  callersJobs: number;
  /** Time since the last of these ended. */
  quietMs: number;
  /** Time since background work last had a worker. */
  waitedMs: number;
}

export interface WorkerShare {
  /** How many workers background work may have at a time. */
  workers: number;
  /** It has a worker only because it waited for so long, and only for one slice. */
  isTurn: boolean;
}

/** With many workers, one stays free in addition to those of the callers. */
export function shareForBackground({
  workers,
  callersAreNear,
  callersJobs,
  quietMs,
  waitedMs,
}: PoolLoad): WorkerShare {
  if (!callersAreNear) return { workers, isTurn: false };
  const isPause = callersJobs === 0 && quietMs >= PAUSE_MS;
  const beside = workers - 1 - (isPause ? 0 : Math.max(1, callersJobs));
  const isTurn = beside < 1 && !isPause && waitedMs >= TURN_EVERY_MS;
  return { workers: Math.max(beside, isPause || isTurn ? 1 : 0), isTurn };
}

export class BackgroundShare {
  readonly #workers: number;
  readonly #changed: () => void;
  readonly #nearMs: number;
  #near: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;
  #callersAtMs = -Infinity;
  #backgroundAtMs = -Infinity;

  /** `changed` is called when more workers may be available for it, although nothing else has happened. */
  constructor(workers: number, changed: () => void, nearMs = CALLERS_NEAR_MS) {
    this.#workers = workers;
    this.#changed = changed;
    this.#nearMs = nearMs;
  }

  callerCame(): void {
    if (this.#near) this.#near.refresh();
    else
      this.#near = setTimeout(() => {
        this.#near = undefined;
        this.#changed();
      }, this.#nearMs).unref();
  }

  /** A job has left its worker, for now or for good. */
  left(isBackground: boolean): void {
    if (isBackground) this.#backgroundAtMs = performance.now();
    else this.#callersAtMs = performance.now();
  }

  now(callersJobs: number): WorkerShare {
    const nowMs = performance.now();
    return shareForBackground({
      workers: this.#workers,
      callersAreNear: this.#near !== undefined,
      callersJobs,
      quietMs: nowMs - this.#callersAtMs,
      waitedMs: nowMs - this.#backgroundAtMs,
    });
  }

  /** Call when background work is only waiting for a pause or its turn. */
  awaitChange(): void {
    this.#later ??= setTimeout(() => {
      this.#later = undefined;
      this.#changed();
    }, PAUSE_MS).unref();
  }

  close(): void {
    clearTimeout(this.#near);
    clearTimeout(this.#later);
    this.#near = undefined;
    this.#later = undefined;
  }
}
