// Background work stands aside for the jobs of callers while they are near, and takes all workers when they are gone.
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { shareForBackground } from '../../src/inference/pool/background-share.js';
import { WorkerPool } from '../../src/inference/pool/pool.js';
import { silentLog, systemClock } from '../../src/platform.js';
import { threadProgram } from '../support/child-program.js';

const entry = threadProgram(join(import.meta.dirname, 'pool-worker.ts'));

/** Longer than any test waits: such a job ends because somebody ends it. */
const LONG_MS = 600_000;
const background = { priority: 'background', client: 'batch' } as const;

describe('workers that background work may have', () => {
  const gone = { callersAreNear: false, callersJobs: 0, quietMs: 10_000, waitedMs: 0 };
  const pause = { ...gone, callersAreNear: true, quietMs: 100 };
  const justNow = { ...pause, quietMs: 99, waitedMs: 1999 };
  const asking = { ...pause, callersJobs: 1, quietMs: 0, waitedMs: 1999 };
  const turn = { workers: 1, isTurn: true };
  const some = (workers: number) => ({ workers, isTurn: false });
  it.each([
    ['nobody is there', 1, gone, some(1)],
    ['nobody is there', 2, gone, some(2)],
    ['nobody is there', 8, gone, some(8)],
    ['callers pause', 1, pause, some(1)],
    ['callers pause', 2, pause, some(1)],
    ['callers pause', 8, pause, some(7)],
    ['a caller had an answer just now', 1, justNow, some(0)],
    ['a caller had an answer just now', 2, justNow, some(0)],
    ['a caller had an answer just now', 8, justNow, some(6)],
    ['a caller waits', 2, asking, some(0)],
    ['a caller waits', 8, asking, some(6)],
    ['many callers wait', 8, { ...asking, callersJobs: 7 }, some(0)],
    ['it has waited for long', 1, { ...justNow, waitedMs: 2000 }, turn],
    ['it has waited for long', 2, { ...asking, waitedMs: 2000 }, turn],
    ['it has waited for long', 8, { ...asking, callersJobs: 30, waitedMs: 2000 }, turn],
    ['it has waited for long and there is room', 8, { ...asking, waitedMs: 2000 }, some(6)],
  ])('where %s, of %d', (_, workers, load, share) => {
    expect(shareForBackground({ workers, ...load })).toEqual(share);
  });
});

describe('with two workers', () => {
  let pool: WorkerPool;
  const leaving: AbortController[] = [];

  function long(who: object = background): void {
    const controller = new AbortController();
    leaving.push(controller);
    void pool.run({ do: 'spin', ms: LONG_MS }, { ...who, signal: controller.signal }).catch(() => undefined);
  }
  const settled = (stats: object) =>
    vi.waitFor(() => expect(pool.stats()).toMatchObject(stats), { timeout: 60_000 });

  async function start(callersNearMs: number): Promise<void> {
    pool = new WorkerPool({
      entry,
      workerData: 'ok',
      workers: 2,
      idleMs: 0,
      queueLimit: 10,
      jobTimeoutMs: LONG_MS,
      graceMs: 20_000,
      callersNearMs,
      log: silentLog,
      clock: systemClock,
    });
    // Both have started, and no caller was there.
    long();
    long();
    await settled({ busy: 2, loaded: 2 });
  }
  afterEach(async () => {
    for (const controller of leaving.splice(0)) controller.abort();
    await settled({ busy: 0, queued: 0 });
  });

  describe('while callers are near', () => {
    beforeAll(() => start(LONG_MS));
    afterAll(() => pool.close());

    it('one of two long jobs gives way to a caller and stays aside', async () => {
      expect((await pool.run({ do: 'echo', value: 1 })).value).toBe(1);
      await settled({ busy: 1, queued: 1, suspended: 1 });
      for (let at = 0; at < 3; at++) expect((await pool.run({ do: 'echo', value: at })).value).toBe(at);
      await settled({ busy: 1, queued: 1, suspended: 1 });
    });

    it('a second one does not begin', async () => {
      long();
      long();
      await settled({ busy: 1, queued: 1, suspended: 0 });
    });

    it('none goes on beside a caller who is being served', async () => {
      long();
      await settled({ busy: 1, queued: 0 });
      long({ client: 'caller' });
      await settled({ busy: 1, queued: 1, suspended: 1 });
    });

    it('it has a turn from time to time, however long callers ask', async () => {
      long({ client: 'caller' });
      await settled({ busy: 1, queued: 0 });
      expect((await pool.run({ do: 'spin', ms: 1, value: 1 }, background)).value).toBe(1);
      expect(pool.stats()).toMatchObject({ busy: 1, queued: 0 });
    });

    it('one begins between the steps of callers where all workers have some', async () => {
      const pins = [0, 1].map((slot) => ({ slot, generation: 1 }));
      for (const pin of pins) pool.keep(pin, { client: 'caller' });
      long();
      long();
      await settled({ busy: 1, queued: 1 });
      for (const pin of pins) pool.release(pin, { client: 'caller' });
    });
  });

  describe('when no caller came for a while', () => {
    beforeAll(() => start(50));
    afterAll(() => pool.close());

    it('both are taken again', async () => {
      await pool.run({ do: 'echo' });
      await settled({ busy: 2, queued: 0 });
    });

    it('none is taken to which the next step of a caller will come', async () => {
      const { pin } = await pool.run({ do: 'echo' }, background);
      pool.keep(pin, { client: 'caller' });
      long();
      long();
      expect(pool.stats()).toMatchObject({ busy: 1, queued: 1 });
      pool.release(pin, { client: 'caller' });
      expect(pool.stats()).toMatchObject({ busy: 2, queued: 0 });
    });
  });
});
