// Background work leaves a worker free while callers are near, and takes all of them when they are gone.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { backgroundWorkersMax } from '../../src/inference/pool/background-room.js';
import { WorkerPool } from '../../src/inference/pool/pool.js';
import { silentLog, systemClock } from '../../src/platform.js';

/** Longer than any test waits: such a job ends because somebody ends it. */
const LONG_MS = 600_000;
const background = { priority: 'background', client: 'batch' } as const;

describe('workers that background work may have', () => {
  it.each([
    [1, false, 1],
    [1, true, 1],
    [2, false, 2],
    [2, true, 1],
    [8, false, 8],
    [8, true, 7],
  ])('of %d, callers near: %s: %d', (workers, callersAreNear, most) => {
    expect(backgroundWorkersMax(workers, callersAreNear)).toBe(most);
  });
});

describe('with two workers', () => {
  let pool: WorkerPool;
  const leaving: AbortController[] = [];

  function long(): void {
    const controller = new AbortController();
    leaving.push(controller);
    void pool
      .run({ do: 'spin', ms: LONG_MS }, { ...background, signal: controller.signal })
      .catch(() => undefined);
  }
  const settled = (stats: object) =>
    vi.waitFor(() => expect(pool.stats()).toMatchObject(stats), { timeout: 60_000 });

  async function start(callersNearMs: number): Promise<void> {
    pool = new WorkerPool({
      entry: new URL('./pool-worker.ts', import.meta.url),
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

    it('a second one does not begin, and a caller disturbs nobody', async () => {
      long();
      long();
      expect(pool.stats()).toMatchObject({ busy: 1, queued: 1, suspended: 0 });
      expect((await pool.run({ do: 'echo', value: 1 })).value).toBe(1);
      expect(pool.stats()).toMatchObject({ busy: 1, queued: 1, suspended: 0 });
    });

    it('one begins between the steps of callers where all workers have some', async () => {
      const pins = [0, 1].map((slot) => ({ slot, generation: 1 }));
      for (const pin of pins) pool.keep(pin, { client: 'caller' });
      long();
      long();
      expect(pool.stats()).toMatchObject({ busy: 1, queued: 1 });
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
