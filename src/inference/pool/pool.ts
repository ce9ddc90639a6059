// Worker threads on demand, with a bounded queue. None runs until there is a job; more start while jobs wait;
// an idle one is ended, because a loaded model is most of the program's memory. Each worker runs one job at a
// time, and a long job yields to those whose turn it is. A full queue answers BUSY. A deadline or an abort
// frees the caller at once and tells the worker through shared memory; a worker that does not react, or dies,
// loses only its own job and the work it has begun.
import { AppError, messageOf } from '../../errors.js';
import { BackgroundShare, type WorkerShare } from './background-share.js';
import { begunBy, type Begun } from './begun-work.js';
import { FairQueue, putFirst } from './fair-queue.js';
import {
  canceled,
  countSlice,
  streamLost,
  deadlineExceeded,
  type Job,
  type JobOptions,
  type Pin,
} from './job.js';
import type { PoolOptions, PoolStats } from './pool-options.js';
import { WorkerSlot } from './worker-slot.js';
import type { Reply } from './worker-protocol.js';

/** A worker that holds no more than this has time for others. */
const HELD_FEW = 4;

const isBackground = ({ priority }: Pick<JobOptions, 'priority'>): boolean => priority === 'background';

export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #slots: WorkerSlot[];
  readonly #running = new Map<number, Job>();
  readonly #queue = new FairQueue<Job>();
  readonly #background: BackgroundShare;
  readonly #counts = { processed: 0, failed: 0, rejected: 0, restarts: 0 };
  #nextId = 1;
  #meanJobMs = 200;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { workers, callersNearMs } = options;
    this.#background = new BackgroundShare(workers, () => this.#dispatch(), callersNearMs);
    this.#slots = Array.from(
      { length: workers },
      (_, index) =>
        new WorkerSlot(index, options.entry, options.workerData, options.idleMs, {
          reply: (reply) => this.#onReply(index, reply),
          paused: () => this.#onPaused(index),
          gone: (cause) => this.#onClose(index, cause),
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
    // Background work may wait for any length of time; only its time on a worker is limited.
    const latestAtMs = isBackground(options) ? Infinity : now + this.#options.jobTimeoutMs;
    const deadlineAtMs = Math.min(options.deadlineAtMs ?? Infinity, latestAtMs);
    if (this.#closed)
      return Promise.reject(new AppError('CANCELLED_SERVER', 'the voice engine is shutting down'));
    if (options.signal?.aborted) return Promise.reject(canceled());
    if (deadlineAtMs <= now) return Promise.reject(deadlineExceeded());
    if (options.pin && !this.#slotOf(options.pin)) return Promise.reject(streamLost());
    if (!isBackground(options)) this.#background.callerCame();
    return new Promise((resolve, reject) => {
      const job = this.#makeJob(request, options, deadlineAtMs, {
        resolve: (value, pin) => resolve({ value: value as T, pin }),
        reject,
      });
      this.#admit(job);
      this.#dispatch();
    });
  }

  /** Jobs that will run at once, or as soon as a worker has started, do not count as waiting. */
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
      suspended: [...this.#queue].filter((job) => job.gaveWay).length,
      heldBytes: this.#slots.reduce((sum, slot) => sum + slot.begun.heldBytes, 0),
      ...this.#counts,
      warned: this.#slots.filter((slot) => slot.loaded && slot.warning !== undefined).length,
    };
  }

  /** True even without a worker, unless the last one could not load its models. */
  healthy(): boolean {
    return (
      !this.#closed &&
      (this.#slots.some((slot) => slot.loaded) || this.#slots.every((slot) => slot.failedStarts === 0))
    );
  }

  /**
   * Keeps a worker that holds state for later jobs, however long they take to come. A file counts as begun by
   * its client.
   */
  keep(pin: Pin, file?: Begun): void {
    const kept = this.#slotOf(pin);
    kept?.hold(1);
    if (file) kept?.begun.add(file);
    // Held state is bound to its worker, so more workers are started before the first ones are overloaded.
    const full = this.#slots.every(
      ({ held, loaded, state }) => state === 'empty' || (loaded && held >= HELD_FEW),
    );
    if (full) this.#slots.find((slot) => slot.state === 'empty')?.start();
  }

  /** Undoes one `keep`. */
  release(pin: Pin, file?: Begun): void {
    const kept = this.#slotOf(pin);
    kept?.hold(-1);
    if (!file || !kept) return;
    kept.begun.remove(file);
    // A job may have been waiting for that place.
    this.#dispatch();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#background.close();
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
    const onAbort = () => this.#giveUp(job, canceled());
    const { clock, jobTimeoutMs } = this.#options;
    const timer =
      deadlineAtMs === Infinity
        ? setInterval(() => this.#giveUpIfTooLong(job), jobTimeoutMs)
        : setTimeout(() => this.#giveUp(job, deadlineExceeded()), deadlineAtMs - clock.now());
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const release = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
    };
    const { slackMs, pin, transfer = [] } = options;
    const job: Job = {
      id: this.#nextId++,
      ...(pin && { pin }),
      ...begunBy(options),
      ...(slackMs === undefined ? {} : { dueAtMs: clock.now() + slackMs }),
      request,
      transfer,
      deadlineAtMs,
      ...{ level: 0, gaveWay: false, sliceFromMs: 0, usedMs: 0, settled: false },
      ...answer,
      release,
    };
    return job;
  }

  #slotOf(pin: Pin): WorkerSlot | undefined {
    const slot = this.#slots[pin.slot];
    return slot?.generation === pin.generation ? slot : undefined;
  }

  /** Whether the job could run on this worker, once it is free. */
  #fits(job: Job, slot: WorkerSlot): boolean {
    if (job.pin && job.pin.slot !== slot.index) return false;
    if (isBackground(job) && !this.#admitsBackground(slot)) return false;
    if (job.pin) return true;
    return job.priority === 'live' || slot.begun.allows(job.client);
  }

  #currentShare(): WorkerShare {
    const jobs = [...this.#queue, ...this.#running.values()];
    return this.#background.now(jobs.filter((job) => !isBackground(job)).length);
  }

  get #backgroundRuns(): number {
    return [...this.#running.values()].filter(isBackground).length;
  }

  /**
   * Background work stays off workers with unfinished work that a caller waits for, unless all have some:
   * then it yields as usual.
   */
  #admitsBackground(slot: WorkerSlot): boolean {
    return !slot.begun.isWaitedFor || this.#slots.every(({ begun }) => begun.isWaitedFor);
  }

  #idleSlot(job: Job): WorkerSlot | undefined {
    if (isBackground(job) && this.#backgroundRuns >= this.#currentShare().workers) return undefined;
    // The one that holds the least: held state will bring it work.
    const idle = this.#slots.filter((slot) => slot.state === 'idle' && this.#fits(job, slot));
    return idle.reduce<WorkerSlot | undefined>(
      (least, slot) => (least && least.held <= slot.held ? least : slot),
      undefined,
    );
  }

  #dispatch(): void {
    for (;;) {
      const job = this.#queue.next((waiting) => this.#idleSlot(waiting) !== undefined);
      const slot = job && this.#idleSlot(job);
      if (!job || !slot) break;
      this.#give(slot, job);
    }
    this.#requestPreemption();
    this.#grow();
  }

  #requestPreemption(): void {
    const share = this.#currentShare();
    let tooMany = this.#backgroundRuns - share.workers;
    for (const [index, job] of this.#running) {
      const slot = this.#slots[index];
      const wish = slot && this.#queue.wish(job, (waiting) => this.#fits(waiting, slot));
      if (!isBackground(job)) slot?.requestPreemption(wish ?? 'no');
      else if (tooMany-- > 0) slot?.requestPreemption('atOnce');
      else slot?.requestPreemption(share.isTurn && wish === 'no' ? 'afterSlice' : (wish ?? 'no'));
    }
    if (share.workers < this.#slots.length && [...this.#queue].some(isBackground))
      this.#background.awaitChange();
  }

  #give(slot: WorkerSlot, job: Job): void {
    job.sliceFromMs = this.#options.clock.now();
    this.#running.set(slot.index, job);
    if (!job.gaveWay) {
      const { id, request, deadlineAtMs, transfer } = job;
      slot.send({ id, request, deadlineAtMs }, transfer);
      return;
    }
    // Its caller has gone while it waited: when resumed, it learns that first.
    if (job.settled) slot.cancel(job.id);
    slot.send({ resume: job.id });
  }

  /** Starts one more worker for each job that no worker is about to take. */
  #grow(): void {
    if (this.#closed) return;
    let wanted = [...this.#queue].filter((job) => !job.pin).length;
    wanted -= this.#slots.filter((slot) => slot.state === 'starting').length;
    // If no worker is left, a job does not wait for the scheduled retry.
    const none = !this.#slots.some((slot) => slot.loaded);
    for (const slot of this.#slots) {
      if (wanted <= 0) return;
      if (slot.state !== 'empty' && !(none && slot.state === 'waiting')) continue;
      slot.start();
      wanted--;
    }
  }

  /**
   * Fails all waiting jobs, since no worker will come; the slot keeps trying, so that the pool recovers by
   * itself.
   */
  #onFailedStart(cause: unknown): void {
    const reason = messageOf(cause);
    this.#options.log.error({ cause: reason }, 'a voice worker did not start');
    if (this.#closed || this.#slots.some((slot) => slot.loaded || slot.state === 'starting')) return;
    for (const job of this.#queue.clear())
      this.#fail(job, new AppError('INTERNAL_ERROR', `the voice engine did not start: ${reason}`, { cause }));
  }

  /** Removes and returns the job that has left this worker, for now or for good. */
  #take(index: number): Job | undefined {
    const job = this.#running.get(index);
    if (!job) return undefined;
    this.#running.delete(index);
    this.#background.left(isBackground(job));
    countSlice(job, this.#options.clock.now());
    return job;
  }

  #onPaused(index: number): void {
    const [job, slot] = [this.#take(index), this.#slots[index]];
    if (job && slot) {
      job.gaveWay = true;
      if (!job.pin) {
        job.pin = { slot: index, generation: slot.generation };
        // Copied now: if its caller leaves, the job's priority changes.
        job.counted = begunBy(job);
        this.keep(job.pin, job.counted);
      }
      if (job.settled) putFirst(job);
      this.#queue.add(job, Infinity);
    }
    this.#dispatch();
  }

  #onReply(index: number, reply: Reply): void {
    const job = this.#take(index);
    if (job) {
      if (job.counted && job.pin) this.release(job.pin, job.counted);
      this.#answer(job, reply, index);
    }
    this.#dispatch();
  }

  #answer(job: Job, reply: Reply, index: number): void {
    if (job.settled) return;
    if (reply.ok) {
      this.#counts.processed++;
      this.#meanJobMs += 0.1 * (job.usedMs - this.#meanJobMs);
      this.#settle(job);
      job.resolve(reply.value, { slot: index, generation: this.#slots[index]?.generation ?? 0 });
    } else if (reply.kind === 'failed') {
      this.#options.log.error({ message: reply.message }, 'voice job failed');
      this.#fail(
        job,
        new AppError('INTERNAL_ERROR', 'the audio could not be processed', { cause: reply.message }),
      );
    } else {
      this.#fail(job, reply.kind === 'deadline' ? deadlineExceeded() : canceled());
    }
  }

  #onClose(index: number, cause: unknown): void {
    const job = this.#take(index);
    if (job) this.#fail(job, new AppError('INTERNAL_ERROR', 'the audio could not be processed', { cause }));
    const generation = this.#slots[index]?.generation;
    for (const waiting of [...this.#queue]) {
      const { pin } = waiting;
      if (pin?.slot !== index || pin.generation === generation) continue;
      this.#queue.remove(waiting);
      this.#fail(waiting, streamLost());
    }
    if (this.#closed) return;
    this.#counts.restarts++;
    this.#options.log.error({ worker: index, cause: String(cause) }, 'a voice worker ended');
    this.#dispatch();
  }

  /** For background work: limits how long it ran, not how long it waited. */
  #giveUpIfTooLong(job: Job): void {
    const { clock, jobTimeoutMs } = this.#options;
    const runs = [...this.#running.values()].includes(job);
    if (job.usedMs + (runs ? clock.now() - job.sliceFromMs : 0) >= jobTimeoutMs)
      this.#giveUp(job, deadlineExceeded());
  }

  /** Frees the caller now; the worker notices between two windows, or is replaced after the grace time. */
  #giveUp(job: Job, error: AppError): void {
    if (job.settled) return;
    this.#fail(job, error);
    if (job.gaveWay && this.#queue.has(job)) {
      putFirst(job);
      this.#dispatch();
      return;
    }
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
