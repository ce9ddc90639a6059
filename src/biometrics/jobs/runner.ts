// Runs jobs one after another on this node. A job is claimed under a lease that is renewed while it runs, so that several
// nodes share the work and a crashed node's job is soon resumed.
import type { Clock, Log } from '../../platform.js';
import { isBusy, isOutage } from '../../errors.js';
import type { BiometricsStore, BiometricsTransaction } from '../ports/store.js';
import type { Job, JobKind } from '../model/jobs.js';

export interface JobEnd {
  result: object;
  expiresAtMs?: number;
  /** Stored together with the end of the job. */
  record?(tx: BiometricsTransaction): Promise<void>;
}

/**
 * Does the work and returns the result document. Must be repeatable: it may run again after a crash. Long
 * work ends when the runner stops, or when it finds that the job is no longer its own, and asks to be
 * resumed.
 */
export type JobWork = (job: Job, stopping: AbortSignal) => Promise<JobEnd | 'again'>;

export interface JobRunnerDeps {
  store: BiometricsStore;
  clock: Clock;
  log: Log;
  /** Jobs of other kinds are left to other nodes. */
  work: Partial<Record<JobKind, JobWork>>;
  onExpired(job: Job): Promise<void>;
  /** No other process works on these jobs: jobs marked as in progress at start were interrupted. */
  isAlone: boolean;
  /** Whether the clock is trustworthy; otherwise no job is deleted because of its age. */
  isTimeProven(): Promise<boolean>;
}

const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 20_000;
const POLL_MS = 2_000;
const ATTEMPTS_MAX = 3;
/** Doubled with every attempt. */
const RETRY_PAUSE_MS = 2_000;
const RETRY_PAUSE_MAX_MS = 3600_000;
/**
 * Work that must be done whatever it takes: a full disk for an hour is no reason to keep a person's voice.
 */
const duties: ReadonlySet<JobKind> = new Set(['DELETE_PERSONAL_DATA', 'BATCH']);
const EXPIRE_EVERY_MS = 60_000;

export class JobRunner {
  readonly #deps: JobRunnerDeps;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  readonly #stopping = new AbortController();
  #expiredAtMs = 0;
  #hasLeftOvers: boolean;

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
    this.#hasLeftOvers = deps.isAlone;
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), POLL_MS).unref();
    if (this.#hasLeftOvers) this.wake();
  }

  wake(): void {
    if (this.#stopping.signal.aborted || this.#running) return;
    this.#running = this.#drain()
      .catch((cause: unknown) => {
        if (!isOutage(cause)) this.#deps.log.error({ err: cause }, 'the job runner failed');
      })
      .finally(() => (this.#running = undefined));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await this.#running;
  }

  async #drain(): Promise<void> {
    await this.#deleteExpired();
    const kinds = Object.keys(this.#deps.work) as JobKind[];
    if (this.#hasLeftOvers) await this.#deps.store.transaction((tx) => tx.jobs.release(kinds));
    this.#hasLeftOvers = false;
    while (!this.#stopping.signal.aborted) {
      const now = this.#deps.clock.now();
      // Nearly always there is none, and a transaction would block other writers or cost three queries.
      if (!(await this.#deps.store.read.jobs.anyWaiting(kinds, now))) return;
      const job = await this.#deps.store.transaction((tx) => tx.jobs.claim(kinds, now, now + LEASE_MS));
      if (!job) return;
      await this.#run(job);
    }
  }

  async #renew(job: Job): Promise<void> {
    await this.#deps.store.transaction(async (tx) => {
      const current = await currentJobOf(tx, job);
      if (current) await tx.jobs.update({ ...current, leaseUntilMs: this.#deps.clock.now() + LEASE_MS });
    });
  }

  async #deleteExpired(): Promise<void> {
    const now = this.#deps.clock.now();
    if (now - this.#expiredAtMs < EXPIRE_EVERY_MS && now >= this.#expiredAtMs) return;
    this.#expiredAtMs = now;
    if (!(await this.#deps.isTimeProven())) return;
    const expired = await this.#deps.store.transaction((tx) => tx.jobs.deleteExpired(now));
    for (const job of expired) await this.#deps.onExpired(job);
  }

  async #run(job: Job): Promise<void> {
    const { clock, log, store, work } = this.#deps;
    const finish = (end: Partial<Job>, record?: JobEnd['record']) =>
      store.transaction(async (tx) => {
        // Read again: the work may have stored its progress.
        const current = await currentJobOf(tx, job);
        if (!current)
          return log.warn({ gkJobId: job.gkJobId }, 'a job was ended or taken over in the meantime');
        const { leaseUntilMs: _lease, ...rest } = current;
        await tx.jobs.update({ ...rest, ...end, modifiedAtMs: clock.now() });
        await record?.(tx);
      });
    const renewing = setInterval(() => void this.#renew(job).catch(() => {}), RENEW_EVERY_MS).unref();
    try {
      const done = await work[job.kind]?.(job, this.#stopping.signal);
      if (done === undefined || done === 'again') return await finish({ state: 'PENDING' });
      const { result, expiresAtMs, record } = done;
      await finish(
        {
          state: 'COMPLETED',
          result: JSON.stringify(result),
          ...(expiresAtMs !== undefined && { expiresAtMs }),
        },
        record,
      );
    } catch (cause) {
      const comesAgain = isBusy(cause);
      const about = { err: cause, gkJobId: job.gkJobId, kind: job.kind };
      if (comesAgain) log.warn(about, 'a job cannot be done now and will be retried');
      else log.error(about, 'a job failed');
      const isLast = job.attempts >= ATTEMPTS_MAX && !duties.has(job.kind) && !comesAgain;
      const pauseMs = Math.min(RETRY_PAUSE_MAX_MS, RETRY_PAUSE_MS * 2 ** Math.min(job.attempts - 1, 20));
      await finish(
        isLast
          ? {
              state: 'FAILED',
              error: 'the job failed; see the server log',
              expiresAtMs: clock.now() + 86_400_000,
            }
          : { state: 'PENDING', leaseUntilMs: clock.now() + pauseMs },
      );
    } finally {
      clearInterval(renewing);
    }
  }
}

/**
 * The current job, unless its lease has expired and another node has claimed it: every claim adds one
 * attempt, and only the latest may say how it ended.
 */
export async function currentJobOf(tx: BiometricsTransaction, job: Job): Promise<Job | undefined> {
  const current = await tx.jobs.find(job.gkScopeId, job.gkJobId);
  return current?.state === 'STARTED' && current.attempts === job.attempts ? current : undefined;
}
