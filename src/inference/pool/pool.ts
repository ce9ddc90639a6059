// Worker threads on demand, with a bounded queue. None runs until there is a job; more start while jobs
// wait; one that stays idle is let go, because a loaded model is most of the program's memory. One job at a
// time per worker; a full queue answers BUSY; a deadline or an abort frees the caller at once and tells the
// worker through shared memory; a worker that does not listen, or dies, takes only its own job with it.
import { AppError } from '../../errors.js';
import type { Clock, Log } from '../../platform.js';
import type { WorkPriority } from '../../voice/engine.js';
import { FairQueue, type Waiting } from './fair-queue.js';
import { WorkerSlot } from './worker-slot.js';
import type { Reply } from './worker-protocol.js';

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
  log: Log;
  clock: Clock;
}

/** Ties jobs to the worker that holds their state; void once that worker is gone. */
export interface Pin {
  slot: number;
  generation: number;
}

export interface JobOptions {
  transfer?: ArrayBuffer[];
  deadlineAtMs?: number;
  signal?: AbortSignal;
  pin?: Pin;
  /** Whose job it is; clients take turns. */
  client?: string;
  priority?: WorkPriority;
  /** How long it may wait before somebody notices; jobs of one priority go in the order in which they are due. */
  slackMs?: number;
}

interface Job extends Waiting {
  id: number;
  request: unknown;
  options: JobOptions;
  deadlineAtMs: number;
  startedAtMs: number;
  settled: boolean;
  resolve(value: unknown, pin: Pin): void;
  reject(error: AppError): void;
  release(): void;
}

export interface PoolStats {
  /** The most there may be. */
  workers: number;
  /** Those that have their models loaded now. */
  loaded: number;
  busy: number;
  queued: number;
  queueLimit: number;
  processed: number;
  failed: number;
  rejected: number;
  restarts: number;
  /** Loaded workers that run, but not as they should; the log says why. */
  warned: number;
}

/** A worker that holds no more than this has time for others. */
const HELD_FEW = 4;

export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #slots: WorkerSlot[];
  readonly #running = new Map<number, Job>();
  readonly #queue = new FairQueue<Job>();
  readonly #counts = { processed: 0, failed: 0, rejected: 0, restarts: 0 };
  #nextId = 1;
  #meanJobMs = 200;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#slots = Array.from(
      { length: options.workers },
      (_, index) =>
        new WorkerSlot(index, options.entry, options.workerData, options.idleMs, {
          reply: (reply) => this.#onReply(index, reply),
          gone: (cause) => this.#onGone(index, cause),
          ready: (warning) => {
            if (warning !== undefined)
              options.log.warn({ worker: index, cause: warning }, 'a voice worker started with a warning');
            this.#dispatch();
          },
          failed: (cause) => this.#onFailedStart(cause),
        }),
    );
  }

  run<T>(request: unknown, options: JobOptions = {}): Promise<{ value: T; pin: Pin }> {
    const now = this.#options.clock.now();
    const deadlineAtMs = Math.min(options.deadlineAtMs ?? Infinity, now + this.#options.jobTimeoutMs);
    if (this.#closed)
      return Promise.reject(new AppError('CANCELLED_SERVER', 'the voice engine is shutting down'));
    if (options.signal?.aborted) return Promise.reject(cancelled());
    if (deadlineAtMs <= now) return Promise.reject(tooLate());
    if (options.pin && !this.#slotOf(options.pin)) return Promise.reject(lost());
    return new Promise((resolve, reject) => {
      const job = this.#makeJob(request, options, deadlineAtMs, {
        resolve: (value, pin) => resolve({ value: value as T, pin }),
        reject,
      });
      this.#admit(job);
      this.#dispatch();
    });
  }

  /** Those that will run at once, or as soon as a worker has started, do not count as waiting. */
  #admit(job: Job): void {
    const soon = this.#slots.filter((slot) => slot.state !== 'busy').length;
    const refused = this.#queue.add(job, this.#options.queueLimit + soon);
    if (!refused) return;
    this.#counts.rejected++;
    const retryAfterMs = this.#retryAfterMs();
    this.#fail(refused, new AppError('BUSY', 'the voice engine is busy', { retryAfterMs }));
  }

  stats(): PoolStats {
    return {
      workers: this.#slots.length,
      loaded: this.#slots.filter((slot) => slot.loaded).length,
      busy: this.#running.size,
      queued: this.#queue.length,
      queueLimit: this.#options.queueLimit,
      ...this.#counts,
      warned: this.#slots.filter((slot) => slot.loaded && slot.warning !== undefined).length,
    };
  }

  /** Also without a worker, unless the last one could not load its models. */
  healthy(): boolean {
    return (
      !this.#closed &&
      (this.#slots.some((slot) => slot.loaded) || this.#slots.every((slot) => slot.failedStarts === 0))
    );
  }

  /** Keeps a worker that holds state for later jobs, however long they take to come. */
  keep(pin: Pin): void {
    this.#slotOf(pin)?.hold(1);
    // What is held is bound to its worker, so the next workers are started before the first ones are overloaded.
    const full = this.#slots.every(
      ({ held, loaded, state }) => state === 'empty' || (loaded && held >= HELD_FEW),
    );
    if (full) this.#slots.find((slot) => slot.state === 'empty')?.start();
  }

  /** Undoes one `keep`. */
  release(pin: Pin): void {
    this.#slotOf(pin)?.hold(-1);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const waiting = [...this.#queue.clear(), ...this.#running.values()];
    for (const [index, job] of this.#running) this.#slots[index]?.cancel(job.id);
    for (const job of waiting)
      this.#fail(job, new AppError('CANCELLED_SERVER', 'the voice engine is shutting down'));
    await Promise.all(this.#slots.map((slot) => slot.stop()));
  }

  #makeJob(
    request: unknown,
    options: JobOptions,
    deadlineAtMs: number,
    answer: Pick<Job, 'resolve' | 'reject'>,
  ): Job {
    const onAbort = () => this.#giveUp(job, cancelled());
    const timer = setTimeout(() => this.#giveUp(job, tooLate()), deadlineAtMs - this.#options.clock.now());
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const release = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
    };
    const job: Job = {
      id: this.#nextId++,
      pinned: options.pin !== undefined,
      ...(options.client === undefined ? {} : { client: options.client }),
      ...(options.priority === undefined ? {} : { priority: options.priority }),
      ...(options.slackMs === undefined ? {} : { dueAtMs: this.#options.clock.now() + options.slackMs }),
      request,
      options,
      deadlineAtMs,
      startedAtMs: 0,
      settled: false,
      ...answer,
      release,
    };
    return job;
  }

  #slotOf(pin: Pin): WorkerSlot | undefined {
    const slot = this.#slots[pin.slot];
    return slot?.generation === pin.generation ? slot : undefined;
  }

  #idleSlot(pin: Pin | undefined): WorkerSlot | undefined {
    if (pin) return this.#slots.find((slot) => slot.state === 'idle' && pin.slot === slot.index);
    // The one that holds the least: what is held will bring it work.
    const idle = this.#slots.filter((slot) => slot.state === 'idle');
    return idle.reduce<WorkerSlot | undefined>(
      (least, slot) => (least && least.held <= slot.held ? least : slot),
      undefined,
    );
  }

  #dispatch(): void {
    for (;;) {
      const job = this.#queue.next((waiting) => this.#idleSlot(waiting.options.pin) !== undefined);
      const slot = job && this.#idleSlot(job.options.pin);
      if (!job || !slot) break;
      job.startedAtMs = this.#options.clock.now();
      this.#running.set(slot.index, job);
      slot.send(
        { id: job.id, request: job.request, deadlineAtMs: job.deadlineAtMs },
        job.options.transfer ?? [],
      );
    }
    this.#grow();
  }

  /** One worker more for each job that none is about to take. */
  #grow(): void {
    if (this.#closed) return;
    let wanted = [...this.#queue].filter((job) => !job.pinned).length;
    wanted -= this.#slots.filter((slot) => slot.state === 'starting').length;
    // Where no worker is left, a job does not wait for the time of the next try.
    const none = !this.#slots.some((slot) => slot.loaded);
    for (const slot of this.#slots) {
      if (wanted <= 0) return;
      if (slot.state !== 'empty' && !(none && slot.state === 'waiting')) continue;
      slot.start();
      wanted--;
    }
  }

  /** Nobody waits for a worker that does not come; the slot goes on trying, so that health comes back by itself. */
  #onFailedStart(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#options.log.error({ cause: reason }, 'a voice worker did not start');
    if (this.#closed || this.#slots.some((slot) => slot.loaded || slot.state === 'starting')) return;
    for (const job of this.#queue.clear())
      this.#fail(job, new AppError('INTERNAL_ERROR', `the voice engine did not start: ${reason}`, { cause }));
  }

  #onReply(index: number, reply: Reply): void {
    const job = this.#running.get(index);
    this.#running.delete(index);
    if (job && !job.settled) {
      if (reply.ok) {
        this.#counts.processed++;
        this.#meanJobMs += 0.1 * (this.#options.clock.now() - job.startedAtMs - this.#meanJobMs);
        this.#settle(job);
        job.resolve(reply.value, { slot: index, generation: this.#slots[index]?.generation ?? 0 });
      } else if (reply.kind === 'failed') {
        this.#options.log.error({ message: reply.message }, 'voice job failed');
        this.#fail(
          job,
          new AppError('INTERNAL_ERROR', 'the audio could not be processed', { cause: reply.message }),
        );
      } else {
        this.#fail(job, reply.kind === 'deadline' ? tooLate() : cancelled());
      }
    }
    this.#dispatch();
  }

  #onGone(index: number, cause: unknown): void {
    const job = this.#running.get(index);
    this.#running.delete(index);
    if (job) this.#fail(job, new AppError('INTERNAL_ERROR', 'the audio could not be processed', { cause }));
    const generation = this.#slots[index]?.generation;
    for (const waiting of [...this.#queue]) {
      const { pin } = waiting.options;
      if (pin?.slot !== index || pin.generation === generation) continue;
      this.#queue.remove(waiting);
      this.#fail(waiting, lost());
    }
    if (this.#closed) return;
    this.#counts.restarts++;
    this.#options.log.error({ worker: index, cause: String(cause) }, 'a voice worker ended');
    this.#dispatch();
  }

  /** Frees the caller now; the worker hears of it between two windows, or is replaced after the grace time. */
  #giveUp(job: Job, error: AppError): void {
    if (job.settled) return;
    this.#fail(job, error);
    if (this.#queue.remove(job)) return;
    const slot = this.#slots.find((candidate) => this.#running.get(candidate.index) === job);
    if (!slot) return;
    slot.cancel(job.id);
    setTimeout(() => {
      if (this.#running.get(slot.index) === job) slot.kill();
    }, this.#options.graceMs).unref();
  }

  #settle(job: Job): void {
    job.settled = true;
    job.release();
  }

  #fail(job: Job, error: AppError): void {
    if (job.settled) return;
    this.#counts.failed++;
    this.#settle(job);
    job.reject(error);
  }

  #retryAfterMs(): number {
    const estimate = (this.#meanJobMs * (this.#queue.length + 1)) / Math.max(1, this.#slots.length);
    return Math.round(Math.min(5000, Math.max(50, estimate)));
  }
}

const cancelled = (): AppError => new AppError('CANCELLED_CLIENT', 'the call was cancelled');
const tooLate = (): AppError =>
  new AppError('DEADLINE_EXCEEDED', 'the deadline passed before the audio was processed');
const lost = (): AppError => new AppError('INTERNAL_ERROR', 'the audio stream was lost');
