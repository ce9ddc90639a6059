// Jobs whose work fails: a report is given up after a few attempts, the erasure of a person never; a lease that a wrong
// clock set does not hold a job for years.
import { expect, it, onTestFinished } from 'vitest';
import { JobRunner, type JobWork } from '../../../src/biometrics/jobs/runner.js';
import { newJob, type Job, type JobKind } from '../../../src/biometrics/model/jobs.js';
import { silentLog } from '../../../src/platform.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import type { Database } from '../../../src/storage/database.js';
import { forEachDatabase } from '../../support/database.js';
import { testStorage } from '../../support/storage.js';

const HOUR_MS = 3600_000;

async function runnerOn(database: Database, work: JobWork, isAlone = false) {
  const { keyring, audit, clock } = await testStorage(database);
  const store = createBiometricsStore(database, keyring, audit);
  const runner = new JobRunner({
    store,
    clock,
    log: silentLog,
    work: { PROFILES_STATUS: work, DELETE_PERSONAL_DATA: work },
    onExpired: async () => {},
    isAlone,
    isTimeProven: async () => true,
  });
  onTestFinished(() => runner.stop());
  const insert = async (kind: JobKind, more: Partial<Job> = {}): Promise<void> => {
    const now = clock.now();
    const blank = { input: '', result: '', error: '', requestedBy: '', attempts: 0 };
    const times = { createdAtMs: now, modifiedAtMs: now };
    const job: Job = { gkJobId: 'j', gkScopeId: 't', kind, state: 'PENDING', ...blank, ...times, ...more };
    await store.transaction((tx) => tx.jobs.insert(job));
  };
  /** The job after its next attempt. */
  const attempt = async (): Promise<Job | undefined> => {
    const before = (await store.read.jobs.find('t', 'j'))?.attempts ?? 0;
    for (let tries = 0; tries < 500; tries++) {
      runner.wake();
      await new Promise((resolve) => setTimeout(resolve, 10));
      const job = await store.read.jobs.find('t', 'j');
      if (job && job.attempts > before && job.state !== 'STARTED') return job;
    }
    throw new Error('the job was not taken up');
  };
  const find = () => store.read.jobs.find('t', 'j');
  /** As a call does that has found more to do. */
  const ask = () =>
    store.transaction((tx) =>
      tx.jobs.ask(
        newJob(
          { gkJobId: 'j', gkScopeId: 't', kind: 'DELETE_PERSONAL_DATA', requestedBy: '' },
          {},
          clock.now(),
        ),
      ),
    );
  return { clock, insert, ask, attempt, find, wake: () => runner.wake(), stop: () => runner.stop() };
}

const failing: JobWork = () => Promise.reject(new Error('the disk is full'));

await forEachDatabase(({ open }) => {
  it('gives a report up after three attempts', async () => {
    const { clock, insert, attempt } = await runnerOn(await open(), failing);
    await insert('PROFILES_STATUS');
    expect(await attempt()).toMatchObject({ state: 'PENDING', attempts: 1 });
    clock.advance(HOUR_MS);
    expect(await attempt()).toMatchObject({ state: 'PENDING', attempts: 2 });
    clock.advance(HOUR_MS);
    expect(await attempt()).toMatchObject({ state: 'FAILED', attempts: 3 });
  });

  it('never gives up an erasure', async () => {
    let isFull = true;
    const { clock, insert, attempt } = await runnerOn(await open(), (job, stopping) =>
      isFull ? failing(job, stopping) : Promise.resolve({ result: {} }),
    );
    await insert('DELETE_PERSONAL_DATA');
    for (let attempts = 1; attempts <= 6; attempts++) {
      const job = await attempt();
      expect(job).toMatchObject({ state: 'PENDING', attempts });
      expect(job?.leaseUntilMs).toBeGreaterThan(clock.now());
      clock.advance(HOUR_MS + 1);
    }
    isFull = false;
    expect(await attempt()).toMatchObject({ state: 'COMPLETED' });
  });

  it('is finished by the node that has it, not by one that lost it', async () => {
    const database = await open();
    let runs = 0;
    let goOn = (): void => {};
    const slow: JobWork = () => {
      const run = ++runs;
      if (run > 1) return Promise.resolve({ result: { run } });
      return new Promise((resolve) => (goOn = () => resolve({ result: { run } })));
    };
    const frozen = await runnerOn(database, slow);
    const other = await runnerOn(database, slow);
    await frozen.insert('PROFILES_STATUS');
    frozen.wake();
    while (runs === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    other.clock.advance(HOUR_MS);
    expect(await other.attempt()).toMatchObject({ state: 'COMPLETED', attempts: 2, result: '{"run":2}' });
    goOn();
    await frozen.stop();
    expect(await other.find()).toMatchObject({ state: 'COMPLETED', attempts: 2, result: '{"run":2}' });
  });

  it('is done once more where it is asked for while it runs, and once where it waits', async () => {
    let runs = 0;
    let goOn = (): void => {};
    const { ask, attempt, find, wake, stop } = await runnerOn(await open(), () => {
      runs += 1;
      if (runs > 1) return Promise.resolve({ result: { runs } });
      return new Promise((resolve) => (goOn = () => resolve({ result: { runs } })));
    });
    await Promise.all([ask(), ask(), ask()]);
    wake();
    await expect.poll(() => runs).toBe(1);
    await ask();
    expect(await find()).toMatchObject({ state: 'PENDING' });
    goOn();
    await expect.poll(async () => (wake(), (await find())?.state)).toBe('COMPLETED');
    expect(await find()).toMatchObject({ attempts: 2, result: '{"runs":2}' });
    // Asked for again when it is over.
    await ask();
    expect(await attempt()).toMatchObject({ state: 'COMPLETED', attempts: 3, result: '{"runs":3}' });
    await stop();
  });

  it('takes up what was cut off: at once where nobody else can be at it, else when the lease is over', async () => {
    const database = await open();
    const cutOff = async (isAlone: boolean) => {
      const runner = await runnerOn(database, async () => ({ result: {} }), isAlone);
      return {
        ...runner,
        leased: { state: 'STARTED', attempts: 1, leaseUntilMs: runner.clock.now() + 60_000 } as const,
      };
    };
    const one = await cutOff(false);
    await one.insert('DELETE_PERSONAL_DATA', one.leased);
    one.wake();
    await one.stop();
    expect(await one.find()).toMatchObject({ state: 'STARTED', attempts: 1 });
    const other = await cutOff(true);
    expect(await other.attempt()).toMatchObject({ state: 'COMPLETED', attempts: 2 });
  });

  it('takes a job up whose lease comes from a wrong clock', async () => {
    const { clock, insert, attempt } = await runnerOn(await open(), async () => ({ result: {} }));
    await insert('DELETE_PERSONAL_DATA', {
      state: 'STARTED',
      leaseUntilMs: clock.now() + 800 * 24 * HOUR_MS,
    });
    expect(await attempt()).toMatchObject({ state: 'COMPLETED', attempts: 1 });
  });
});
