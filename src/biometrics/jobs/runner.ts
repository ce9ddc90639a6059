// Runs jobs one after another on this node. A job is claimed under a lease, so that several nodes share the
// work and a crashed node's job is taken up again.
import type { Clock, Log } from '../../platform.js';
import { isOutage } from '../../errors.js';
import type { BiometricsStore } from '../ports/store.js';
import type { Job, JobKind } from '../model/jobs.js';

/** Does the work and answers the result document. Must be repeatable: it may run again after a crash. */
export type JobWork = (job: Job) => Promise<{ result: object; expiresAtMs?: number }>;

export interface JobRunnerDeps {
  store: BiometricsStore;
  clock: Clock;
  log: Log;
  work: Record<JobKind, JobWork>;
  onExpired(job: Job): Promise<void>;
}

const LEASE_MS = 10 * 60_000;
const POLL_MS = 2_000;
const ATTEMPTS_MAX = 3;

export class JobRunner {
  readonly #deps: JobRunnerDeps;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), POLL_MS).unref();
  }

  wake(): void {
    if (this.#stopped || this.#running) return;
    this.#running = this.#drain()
      .catch((cause: unknown) => {
        if (!isOutage(cause)) this.#deps.log.error({ err: cause }, 'the job runner failed');
      })
      .finally(() => (this.#running = undefined));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #drain(): Promise<void> {
    for (const expired of await this.#deps.store.transaction((tx) =>
      tx.jobs.deleteExpired(this.#deps.clock.now()),
    )) {
      await this.#deps.onExpired(expired);
    }
    while (!this.#stopped) {
      const now = this.#deps.clock.now();
      const job = await this.#deps.store.transaction((tx) => tx.jobs.claim(now, now + LEASE_MS));
      if (!job) return;
      await this.#run(job);
    }
  }

  async #run(job: Job): Promise<void> {
    const { clock, log, store, work } = this.#deps;
    const finish = (end: Partial<Job>) =>
      store.transaction(async (tx) => {
        // As it is now: the work may have noted how far it came.
        const { leaseUntilMs: _lease, ...rest } = (await tx.jobs.find(job.gkScopeId, job.gkJobId)) ?? job;
        await tx.jobs.update({ ...rest, ...end, modifiedAtMs: clock.now() });
      });
    try {
      const { result, expiresAtMs } = await work[job.kind](job);
      await finish({
        state: 'COMPLETED',
        result: JSON.stringify(result),
        ...(expiresAtMs !== undefined && { expiresAtMs }),
      });
    } catch (cause) {
      log.error({ err: cause, gkJobId: job.gkJobId, kind: job.kind }, 'a job failed');
      const last = job.attempts >= ATTEMPTS_MAX;
      await finish(
        last
          ? {
              state: 'FAILED',
              error: 'the job failed; see the server log',
              expiresAtMs: clock.now() + 86_400_000,
            }
          : { state: 'PENDING' },
      );
    }
  }
}
