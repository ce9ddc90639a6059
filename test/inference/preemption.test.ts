// Long jobs are preempted: with one worker, others are served while they run, and what they leave behind is bounded.
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AppError } from '../../src/errors.js';
import { BegunWork } from '../../src/inference/pool/begun-work.js';
import { WorkerPool } from '../../src/inference/pool/pool.js';
import { silentLog, systemClock } from '../../src/platform.js';
import { threadProgram } from '../support/child-program.js';

const entry = threadProgram(join(import.meta.dirname, 'pool-worker.ts'));

/** Longer than any test waits: such a job ends because somebody ends it. */
const LONG_MS = 600_000;

const leaving: AbortController[] = [];
/** One worker, shared: to start one takes longer than any of these tests. */
let pool: WorkerPool;

beforeAll(async () => {
  pool = new WorkerPool({
    entry,
    workerData: 'ok',
    workers: 1,
    idleMs: 0,
    queueLimit: 40,
    jobTimeoutMs: LONG_MS,
    graceMs: 20_000,
    log: silentLog,
    clock: systemClock,
  });
  await pool.run({ do: 'echo' });
});
afterEach(async () => {
  for (const controller of leaving.splice(0)) controller.abort();
  await expect.poll(() => pool.stats()).toMatchObject({ busy: 0, queued: 0 });
});
afterAll(() => pool.close());

interface Running {
  outcome: Promise<string>;
  end(): void;
}

function long(client: string, ms = LONG_MS): Running {
  const controller = new AbortController();
  leaving.push(controller);
  const outcome = pool.run({ do: 'spin', ms, value: 'done' }, { client, signal: controller.signal }).then(
    ({ value }) => String(value),
    (error: AppError) => error.code,
  );
  return { outcome, end: () => controller.abort() };
}

const echo = async (client: string): Promise<string> =>
  String((await pool.run({ do: 'echo', value: `to ${client}` }, { client })).value);

/** The first of them to end. */
const first = (running: Running, other: Promise<string>): Promise<string> =>
  Promise.race([running.outcome, other]);

const suspended = (): number => pool.stats().suspended;

describe('a long job', () => {
  it.each([
    ['another client', 'b'],
    ['its own client', 'a'],
  ])('lets the short jobs of %s through, again and again', async (_name, client) => {
    const job = long('a');
    for (let at = 0; at < 3; at++) expect(await first(job, echo(client))).toBe(`to ${client}`);
  });

  it('that gave way comes to its end, and so do others beside it', async () => {
    const jobs = ['a', 'a', 'a', 'b'].map((client) => long(client, 300));
    expect(await Promise.all(jobs.map((job) => job.outcome))).toEqual(['done', 'done', 'done', 'done']);
    expect(pool.stats()).toMatchObject({ queued: 0, suspended: 0, heldBytes: 0, restarts: 0 });
  });

  it('that gave way is counted, with its memory, and goes when its caller does', async () => {
    const jobs = ['a', 'b', 'c'].map((client) => long(client));
    await expect.poll(() => pool.stats()).toMatchObject({ suspended: 2, heldBytes: 3000 });
    for (const job of jobs) job.end();
    expect(await Promise.all(jobs.map((job) => job.outcome))).toEqual(Array(3).fill('CANCELLED_CLIENT'));
    await expect.poll(() => pool.stats()).toMatchObject({ busy: 0, suspended: 0, heldBytes: 0, restarts: 0 });
  });

  it('frees a caller who leaves while it waits to go on', async () => {
    const [job, other] = [long('a'), long('b')];
    await expect.poll(suspended).toBe(1);
    job.end();
    expect(await job.outcome).toBe('CANCELLED_CLIENT');
    expect(await first(other, echo('c'))).toBe('to c');
    await expect.poll(() => pool.stats().heldBytes).toBe(1000);
  });

  it('of one client keeps no other from its turn, however many it has', async () => {
    const jobs = Array.from({ length: 20 }, () => long('a'));
    const most = Array.from({ length: 20 }, async () => ((await echo('b')) === 'to b' ? suspended() : NaN));
    expect(Math.max(...(await Promise.all(most)))).toBeLessThanOrEqual(8);
    expect(jobs).toHaveLength(20);
  });

  it('is lost with its worker, and the next worker serves', async () => {
    const job = long('a');
    const death = pool.run({ do: 'die' }, { client: 'b' }).catch((error: AppError) => error.code);
    expect([await death, await job.outcome]).toEqual(['INTERNAL_ERROR', 'INTERNAL_ERROR']);
    expect(await echo('c')).toBe('to c');
    expect(pool.stats()).toMatchObject({ suspended: 0, heldBytes: 0, restarts: 1 });
  });
});

describe('what a worker has begun', () => {
  const begun = (clients: string, heldBytes = 0): BegunWork => {
    const work = new BegunWork();
    for (const client of clients) work.add({ client });
    work.heldBytes = heldBytes;
    return work;
  };
  const letters = (count: number): string =>
    Array.from({ length: count }, (_, at) => String.fromCodePoint(0x100 + at)).join('');

  it.each([
    ['nothing', '', 0, 'a', true],
    ['seven of its own', 'aaaaaaa', 0, 'a', true],
    ['eight of its own', 'aaaaaaaa', 0, 'a', false],
    ['eight of another', 'aaaaaaaa', 0, 'b', true],
    ['one of its own, and much memory', 'ab', 1 << 30, 'a', false],
    ['none of its own, and much memory', 'aaaaaaaa', 1 << 30, 'b', true],
    ['thirty-one of others', letters(31), 0, 'a', true],
    ['thirty-two of others', letters(32), 0, 'a', false],
  ])('beside %s, %j, %d bytes: may %s begin: %s', (_name, clients, bytes, client, allowed) => {
    expect(begun(clients, bytes).allows(client)).toBe(allowed);
  });

  it('makes room when something ends', () => {
    const work = begun('aaaaaaaa');
    work.remove({ client: 'a' });
    expect([work.allows('a'), work.count]).toEqual([true, 7]);
  });

  it('is waited for by callers, not by background work', () => {
    const work = new BegunWork();
    const [batch, caller] = [{ client: 'a', priority: 'background' } as const, { client: 'a' }];
    work.add(batch);
    expect(work.isWaitedFor).toBe(false);
    work.add(caller);
    expect(work.isWaitedFor).toBe(true);
    work.remove(batch);
    expect(work.isWaitedFor).toBe(true);
    work.remove(caller);
    expect([work.isWaitedFor, work.count]).toEqual([false, 0]);
  });
});
