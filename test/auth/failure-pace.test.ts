// How wrong passwords in a row slow down the next attempt: the rule, row by row.
import { describe, expect, it } from 'vitest';
import { failureBudget, isGuarded, waitAfter } from '../../src/auth/users/failure-pace.js';

const MINUTE_MS = 60_000;

describe('all attempts at an account', () => {
  it.each([
    [0, 10, 0],
    [49, 10, 0],
    [50, 10, 30_000],
    [51, 10, MINUTE_MS],
    [52, 10, 2 * MINUTE_MS],
    [56, 10, 32 * MINUTE_MS],
    [57, 10, 60 * MINUTE_MS],
    [5000, 10, 60 * MINUTE_MS],
    [14, 3, 0],
    [15, 3, 30_000],
    // However much is set: a hundred in a row at most.
    [99, 1000, 0],
    [100, 1000, 30_000],
  ])('after %i failures, of which %i make a sender slow, wait %i ms', (failures, max, waitMs) => {
    expect(waitAfter(failures, max)).toBe(waitMs);
  });

  it('are never more than a hundred before all are slow', () => {
    for (const max of [3, 10, 20, 21, 1000]) expect(failureBudget(max)).toBeLessThanOrEqual(100);
  });
});

describe('senders, one by one,', () => {
  const settings = { loginFailuresMax: 10, loginLockMs: 15 * MINUTE_MS };
  it.each([
    [undefined, 0, false],
    [{ failures: 9, lastAtMs: 0, freeAtMs: 0 }, 0, false],
    [{ failures: 10, lastAtMs: 0, freeAtMs: 0 }, 0, true],
    [{ failures: 10, lastAtMs: 0, freeAtMs: 0 }, 15 * MINUTE_MS - 1, true],
    [{ failures: 10, lastAtMs: 0, freeAtMs: 0 }, 15 * MINUTE_MS, false],
  ])('with %o are slow at %i: %s', (row, nowMs, guarded) => {
    expect(isGuarded(row, settings, nowMs)).toBe(guarded);
  });
});
