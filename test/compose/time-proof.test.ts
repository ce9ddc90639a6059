// Deleting by age under a wrong clock.
import { expect, it } from 'vitest';
import { confirmTime, startTimeProof } from '../../src/compose/time-proof.js';
import { silentLog } from '../../src/platform.js';
import { forEachDatabase } from '../support/database.js';
import { testClock } from '../support/storage.js';

const DAY_MS = 24 * 3600_000;

await forEachDatabase(({ open }) => {
  it('believes a clock that goes as it should, and not one that jumped by more than a day', async () => {
    const database = await open();
    const clock = testClock();
    const lines: string[] = [];
    const log = { ...silentLog, error: (_fields: object, message: string) => lines.push(message) };
    const first = startTimeProof({ clock, log }, database);
    expect(await first.isProven()).toBe(true);
    first.stop();
    clock.advance(800 * DAY_MS);
    const second = startTimeProof({ clock, log }, database);
    expect(await second.isProven()).toBe(false);
    expect(await second.isProven()).toBe(false);
    expect(lines).toHaveLength(1);
    await confirmTime(database, clock.now());
    expect(await second.isProven()).toBe(true);
    clock.advance(-DAY_MS / 2);
    expect(await second.isProven()).toBe(true);
    expect(await second.isProven()).toBe(true);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('behind the last time seen');
    clock.advance(DAY_MS);
    expect(await second.isProven()).toBe(true);
    second.stop();
  });

  it('keeps what was stored under a clock far behind, also when it is right again', async () => {
    const database = await open();
    const clock = testClock();
    const lines: string[] = [];
    const log = { ...silentLog, error: (_fields: object, message: string) => lines.push(message) };
    const before = startTimeProof({ clock, log }, database);
    expect(await before.isProven()).toBe(true);
    before.stop();
    clock.advance(-800 * DAY_MS);
    const behind = startTimeProof({ clock, log }, database);
    expect(await behind.isProven()).toBe(false);
    behind.stop();
    clock.advance(800 * DAY_MS + 60_000);
    const after = startTimeProof({ clock, log }, database);
    expect(await after.isProven()).toBe(false);
    expect(await after.isProven()).toBe(false);
    expect(lines.filter((line) => line.includes('was more than a day behind'))).toHaveLength(1);
    await confirmTime(database, clock.now());
    expect(await after.isProven()).toBe(true);
    after.stop();
  });

  it('tells of a wrong clock once, also when several ask at the same moment', async () => {
    const database = await open();
    const clock = testClock();
    const lines: string[] = [];
    const log = { ...silentLog, error: (_fields: object, message: string) => lines.push(message) };
    await confirmTime(database, clock.now());
    clock.advance(-2 * DAY_MS);
    const proof = startTimeProof({ clock, log }, database);
    const answers = await Promise.all([proof.isProven(), proof.isProven(), proof.isProven()]);
    expect(answers).toEqual([false, false, false]);
    expect(lines).toHaveLength(1);
    proof.stop();
  });
});
