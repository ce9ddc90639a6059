import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../src/errors.js';
import { WorkerPool } from '../../src/inference/pool/pool.js';
import type { PoolOptions } from '../../src/inference/pool/pool-options.js';
import { silentLog, systemClock } from '../../src/platform.js';
import { threadProgram } from '../support/child-program.js';

const entry = threadProgram(join(import.meta.dirname, 'pool-worker.ts'));

const open: WorkerPool[] = [];
afterEach(async () => {
  for (const pool of open.splice(0)) await pool.close();
});

function start(options: Partial<PoolOptions> = {}): WorkerPool {
  const defaults = {
    entry,
    workerData: 'ok',
    workers: 1,
    idleMs: 0,
    queueLimit: 2,
    jobTimeoutMs: 30_000,
    graceMs: 200,
    log: silentLog,
    clock: systemClock,
  };
  const pool = new WorkerPool({ ...defaults, ...options });
  open.push(pool);
  return pool;
}

/** One whose worker has started, for jobs that must run at once. */
async function started(): Promise<WorkerPool> {
  const pool = start();
  await pool.run({ do: 'echo' });
  return pool;
}

const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'OK',
    (error: AppError) => error.code,
  );

/** Of all threads of this process. */
function threadPriorities(): number[] {
  return readdirSync('/proc/self/task').flatMap((thread) => {
    try {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return [Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
    } catch {
      // It has just ended.
      return [];
    }
  });
}

describe('worker pool', () => {
  it('answers jobs and transfers buffers away from the caller', async () => {
    const pool = start();
    const bytes = new Uint8Array([1, 2, 3]);
    const { value } = await pool.run<Uint8Array>({ do: 'echo', value: bytes }, { transfer: [bytes.buffer] });
    expect([...value]).toEqual([1, 2, 3]);
    expect(bytes.byteLength).toBe(0);
    expect(pool.stats()).toMatchObject({ workers: 1, busy: 0, queued: 0, processed: 1, failed: 0 });
  });

  it('refuses with BUSY and a time to come back when the queue is full', async () => {
    const pool = start();
    const jobs = [1, 2, 3, 4, 5].map(() => pool.run({ do: 'spin', ms: 100 }));
    const results = await Promise.allSettled(jobs);
    expect(results.map((r) => r.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    const refused = (results[4] as PromiseRejectedResult).reason as AppError;
    expect(refused.code).toBe('BUSY');
    expect(refused.retryAfterMs).toBeGreaterThanOrEqual(50);
    expect(pool.stats().rejected).toBe(2);
  });

  it.runIf(process.platform === 'linux')('lets the thread that answers go before its workers', async () => {
    await started();
    expect(threadPriorities()).toContain(getPriority() + 2);
  });

  it('fails only the job that threw', async () => {
    const pool = start();
    const [bad, good] = await Promise.all([code(pool.run({ do: 'throw' })), code(pool.run({ do: 'echo' }))]);
    expect([bad, good]).toEqual(['INTERNAL_ERROR', 'OK']);
  });

  it('replaces a worker that dies and fails only its job', async () => {
    const pool = start();
    const [bad, good] = await Promise.all([code(pool.run({ do: 'die' })), code(pool.run({ do: 'echo' }))]);
    expect([bad, good]).toEqual(['INTERNAL_ERROR', 'OK']);
    expect(pool.stats().restarts).toBe(1);
    expect(pool.healthy()).toBe(true);
  });

  it('stops a running job at its deadline and goes on with the same worker', async () => {
    const pool = await started();
    expect(await code(pool.run({ do: 'spin', ms: 20_000 }, { deadlineAtMs: Date.now() + 100 }))).toBe(
      'DEADLINE_EXCEEDED',
    );
    expect(await code(pool.run({ do: 'echo' }))).toBe('OK');
    expect(pool.stats().restarts).toBe(0);
  });

  it('replaces a worker that does not listen to a cancellation', async () => {
    const pool = await started();
    expect(await code(pool.run({ do: 'hang', ms: 60_000 }, { deadlineAtMs: Date.now() + 50 }))).toBe(
      'DEADLINE_EXCEEDED',
    );
    expect(await code(pool.run({ do: 'echo' }))).toBe('OK');
    expect(pool.stats().restarts).toBe(1);
  });

  it('lets an abort signal end a waiting and a running job', async () => {
    const pool = await started();
    const [running, waiting, already] = [new AbortController(), new AbortController(), AbortSignal.abort()];
    const first = code(pool.run({ do: 'spin', ms: 20_000 }, { signal: running.signal }));
    const second = code(pool.run({ do: 'echo' }, { signal: waiting.signal }));
    expect(await code(pool.run({ do: 'echo' }, { signal: already }))).toBe('CANCELLED_CLIENT');
    waiting.abort();
    expect(await second).toBe('CANCELLED_CLIENT');
    running.abort();
    expect(await first).toBe('CANCELLED_CLIENT');
    expect(await code(pool.run({ do: 'echo' }))).toBe('OK');
  });

  it('keeps pinned jobs on their worker and fails them once it is gone', async () => {
    const pool = start({ workers: 2 });
    const { pin, value } = await pool.run<number>({ do: 'count' });
    expect(value).toBe(1);
    for (const expected of [2, 3])
      expect((await pool.run<number>({ do: 'count' }, { pin })).value).toBe(expected);
    expect(await code(pool.run({ do: 'die' }, { pin }))).toBe('INTERNAL_ERROR');
    expect(await code(pool.run({ do: 'count' }, { pin }))).toBe('INTERNAL_ERROR');
    expect(await code(pool.run({ do: 'count' }))).toBe('OK');
  });

  it('has no worker until there is a job, and one while one is enough', async () => {
    const pool = start({ workers: 3 });
    expect(pool.stats().loaded).toBe(0);
    expect(pool.healthy()).toBe(true);
    for (let i = 0; i < 3; i++) await pool.run({ do: 'echo' });
    expect(pool.stats()).toMatchObject({ workers: 3, loaded: 1 });
  });

  it('grows to its size, and not beyond, while jobs wait', async () => {
    const pool = start({ workers: 2, queueLimit: 5 });
    const jobs = [1, 2, 3, 4, 5].map(() => pool.run({ do: 'spin', ms: 100 }));
    await Promise.all(jobs);
    // On a busy machine the first may have done all the work before the second is ready.
    await expect.poll(() => pool.stats()).toMatchObject({ loaded: 2, processed: 5 });
  });

  it('lets go a worker that stays idle, and starts another for the next job', async () => {
    const pool = start({ idleMs: 50 });
    const { pin } = await pool.run({ do: 'count' });
    await expect.poll(() => pool.stats().loaded).toBe(0);
    expect(pool.healthy()).toBe(true);
    expect(await code(pool.run({ do: 'count' }, { pin }))).toBe('INTERNAL_ERROR');
    expect((await pool.run<number>({ do: 'count' })).value).toBe(1);
    expect(pool.stats().restarts).toBe(0);
  });

  it('keeps an idle worker that holds state until it is released', async () => {
    const pool = start({ idleMs: 50 });
    const { pin } = await pool.run({ do: 'count' });
    pool.keep(pin);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await pool.run<number>({ do: 'count' }, { pin })).value).toBe(2);
    pool.release(pin);
    await expect.poll(() => pool.stats().loaded).toBe(0);
  });

  it('frees a caller who leaves while the worker starts; the worker serves the next', async () => {
    const pool = start();
    const leaving = new AbortController();
    const first = code(pool.run({ do: 'spin', ms: 20_000 }, { signal: leaving.signal }));
    const second = pool.run<number>({ do: 'count' });
    leaving.abort();
    expect(await first).toBe('CANCELLED_CLIENT');
    expect((await second).value).toBe(1);
    expect(pool.stats()).toMatchObject({ loaded: 1, busy: 0, queued: 0, restarts: 0 });
  });

  it('says why a worker cannot load its models, and is not healthy until one can', async () => {
    const gate = new SharedArrayBuffer(4);
    const pool = start({ workerData: gate, workers: 2 });
    const jobs = [pool.run({ do: 'echo' }), pool.run({ do: 'echo' })];
    for (const job of await Promise.allSettled(jobs))
      expect(job).toMatchObject({
        status: 'rejected',
        reason: { code: 'INTERNAL_ERROR', message: expect.stringContaining('no model here') },
      });
    expect(pool.healthy()).toBe(false);
    new Int32Array(gate)[0] = 1;
    expect(await code(pool.run({ do: 'echo' }))).toBe('OK');
    expect(pool.healthy()).toBe(true);
  });

  it('tries again by itself after a failed start', async () => {
    const gate = new SharedArrayBuffer(4);
    const pool = start({ workerData: gate });
    expect(await code(pool.run({ do: 'echo' }))).toBe('INTERNAL_ERROR');
    new Int32Array(gate)[0] = 1;
    await expect.poll(() => pool.healthy()).toBe(true);
    expect(pool.stats().loaded).toBe(1);
  });

  it.each(['starts', 'runs'])('ends open jobs when it closes while a worker %s', async (moment) => {
    const pool = start();
    if (moment === 'runs') await pool.run({ do: 'echo' });
    const job = code(pool.run({ do: 'spin', ms: 20_000 }));
    await pool.close();
    expect(await job).toBe('CANCELLED_SERVER');
    expect(await code(pool.run({ do: 'echo' }))).toBe('CANCELLED_SERVER');
  });

  it(
    'gives back what a long recording left behind, also where nothing else is to be done',
    { tags: ['slow'], timeout: 90_000 },
    async () => {
      const pool = await started();
      const heldBytes = async () => (await pool.run<{ heldBytes: number }>({ do: 'weigh' })).value.heldBytes;
      await pool.run({ do: 'keep' });
      expect(await heldBytes()).toBeGreaterThan(100e6);
      await pool.run({ do: 'drop' });
      await expect.poll(heldBytes, { timeout: 60_000, interval: 1000 }).toBeLessThan(20e6);
    },
  );
});
