// Work that one node does for all: one at a time, once per period, and never lost with the node that had it.
import { expect, it } from 'vitest';
import { oncePer, underLease } from '../../src/storage/leases.js';
import { writeSetting } from '../../src/storage/settings.js';
import { forEachDatabase } from '../support/database.js';

const HOUR_MS = 3600_000;

await forEachDatabase(({ open }) => {
  it('is done by one of three that come together, once per period', async () => {
    const database = await open();
    let done = 0;
    const work = async () => ++done;
    const turns = await Promise.all([1, 2, 3].map(() => oncePer(database, 'sweep', HOUR_MS, work)));
    expect(turns.filter((turn) => turn !== undefined)).toEqual([1]);
    expect(await oncePer(database, 'sweep', HOUR_MS, work)).toBeUndefined();
    expect(await oncePer(database, 'another sweep', HOUR_MS, work)).toBe(2);
  });

  it('is free for the next when it failed, when its period is over, or when a wrong clock set it', async () => {
    const database = await open();
    const failing = () => Promise.reject(new Error('no'));
    await expect(oncePer(database, 'sweep', HOUR_MS, failing)).rejects.toThrow('no');
    expect(await oncePer(database, 'sweep', -1, async () => 'short')).toBe('short');
    expect(await oncePer(database, 'sweep', HOUR_MS, async () => 'again')).toBe('again');
    await writeSetting(database, 'sweep', `somebody ${Date.now() + 1000 * HOUR_MS}`);
    expect(await oncePer(database, 'sweep', HOUR_MS, async () => 'right')).toBe('right');
  });

  it('is given back when it is done, where it is no matter of periods', async () => {
    const database = await open();
    const inside = () => underLease(database, 'setup', HOUR_MS, async () => 'inside');
    expect(await underLease(database, 'setup', HOUR_MS, inside)).toEqual({
      held: true,
      result: { held: false },
    });
    expect(await inside()).toEqual({ held: true, result: 'inside' });
  });
}, 'both quick');
