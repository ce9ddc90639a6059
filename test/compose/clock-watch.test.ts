// A node whose clock is not that of the others: it says so, and so does the doctor.
import { describe, expect, it } from 'vitest';
import { watchClock } from '../../src/compose/clock-watch.js';
import { examine } from '../../src/compose/doctor/doctor.js';
import { configWith } from '../../src/config.js';
import { silentLog, systemClock, type Clock } from '../../src/platform.js';
import { forEachDatabase } from '../support/database.js';
import { startTestServer } from '../support/server.js';
import { temporaryFolder, TEST_MASTER_KEY } from '../support/storage.js';

const HOUR_MS = 3600_000;

/** Goes as the system's does, so far off. */
const offBy = (offset: { ms: number }): Clock => ({ now: () => systemClock.now() + offset.ms });

function collectingLog() {
  const lines: string[] = [];
  return {
    lines,
    log: { ...silentLog, warn: (_fields: object, message: string) => void lines.push(message) },
  };
}

const minutesIn = (metrics: string): number | undefined => {
  const seconds = /^voxgate_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1];
  return seconds === undefined ? undefined : Math.round(Number(seconds) / 60);
};

await forEachDatabase((under) => {
  const isShared = under.dialect === 'postgres';

  describe('the clock of a node', () => {
    it.each([
      ['ahead', HOUR_MS, /^THE CLOCK OF THIS NODE IS 3[56]\d\d s ahead of the database's\. Set the clocks/],
      ['behind', -HOUR_MS, /^THE CLOCK OF THIS NODE IS 3[56]\d\d s behind the database's\. Set the clocks/],
    ])('that is an hour %s is told once, and once more when it is right', async (_name, ms, wanted) => {
      const database = await under.open();
      const { lines, log } = collectingLog();
      const offset = { ms };
      const watch = await watchClock({ clock: offBy(offset), log }, database);
      await watch.look();
      expect(lines).toEqual(isShared ? [expect.stringMatching(wanted)] : []);
      offset.ms = 0;
      await watch.look();
      await watch.look();
      const again = 'the clock agrees with the database again';
      expect(lines.slice(1)).toEqual(isShared ? [again] : []);
      await watch.stop();
    });

    it('that differs by less than tokens allow is not told', async () => {
      const { lines, log } = collectingLog();
      const watch = await watchClock({ clock: offBy({ ms: 2000 }), log }, await under.open());
      await watch.stop();
      expect(lines).toEqual([]);
    });

    it.each([
      ['an hour off, and another goes with the database', HOUR_MS, true, false],
      ['an hour behind, and another goes with the database', -HOUR_MS, true, false],
      ['an hour off, as all are: it is the database that is wrong', HOUR_MS, false, true],
      ['some seconds off', 15_000, true, true],
      ['right', 0, true, true],
    ])('keeps it from calls only where others are right: %s', async (_name, ms, isKept, isReady) => {
      const watch = await watchClock({ clock: offBy({ ms }), log: silentLog }, await under.open());
      const [check] = watch.checksBeside(() => isKept);
      await watch.stop();
      const reason = expect.stringMatching(/^it is 3[56]\d\d s .* with which other nodes go$/) as string;
      expect(await check?.check()).toEqual(isShared ? isReady || reason : undefined);
    });

    it('is compared at the start, is a metric, and the doctor compares it, too', async () => {
      const where = await under.locate();
      const config = {
        home: temporaryFolder(),
        database: where.kind === 'sqlite' ? `sqlite:${where.file}` : where.url,
        'sealing.masterKey': TEST_MASTER_KEY,
      };
      const { lines, log } = collectingLog();
      const clock = offBy({ ms: HOUR_MS });
      const server = await startTestServer({ config, overrides: { clock, log } });
      const told = lines.filter((line) => line.startsWith('THE CLOCK OF THIS NODE'));
      const { body } = await server.rest('GET', '/metrics');
      await server.stop();
      expect([told.length, minutesIn(String(body))]).toEqual(isShared ? [1, 60] : [0, undefined]);

      const found = (await examine(configWith(config), clock, 'quick')).find(({ name }) => name === 'clock');
      expect(found).toMatchObject(
        isShared
          ? {
              status: 'warning',
              found: expect.stringContaining("ahead of the database's") as string,
              advice: expect.stringContaining('NTP') as string,
            }
          : { status: 'ok' },
      );
    });

    if (isShared)
      it(
        'that is off takes it out of the balancer while another node is right',
        { tags: 'slow' },
        async () => {
          const where = await under.locate();
          const config = {
            database: where.kind === 'postgres' ? where.url : '',
            'postgres.poolMax': 4,
            'sealing.masterKey': TEST_MASTER_KEY,
          };
          let isWell = true;
          const health = { readiness: [{ name: 'health', check: async () => isWell }] };
          const right = await startTestServer({ config, parts: [health] });
          const clock = offBy({ ms: HOUR_MS });
          const off = await startTestServer({ config, overrides: { clock } });
          const stateOf = async (server: typeof right) => {
            const { status, body } = await server.rest('GET', '/readyz');
            const reasons = (body as { reasons?: Record<string, string> }).reasons ?? {};
            return [status, Object.keys(reasons)];
          };
          await expect.poll(() => stateOf(off)).toEqual([503, ['clock']]);
          expect(await stateOf(right)).toEqual([200, []]);
          // One that can serve nobody is no reason to leave out another, whatever the time there.
          isWell = false;
          await expect.poll(() => stateOf(off)).toEqual([200, []]);
          isWell = true;
          await expect.poll(() => stateOf(off)).toEqual([503, ['clock']]);
          await right.stop();
          await expect.poll(() => stateOf(off)).toEqual([200, []]);
          await off.stop();
        },
      );
  });
});
