// A node is ready when it has read its part of large lists, and also when that fails or takes too long.
import { describe, expect, it, onTestFinished } from 'vitest';
import { startShareWarming } from '../../src/compose/share-warming.js';
import { silentLog } from '../../src/platform.js';

const LONG_MS = 600_000;

function start(warm: () => Promise<number>, times: { settleMs: number; readyAfterMs: number }) {
  const warming = startShareWarming({ log: silentLog }, warm, times);
  onTestFinished(() => warming.stop());
  return warming.readiness.check;
}

describe('a node that has come', () => {
  it('is not ready before it has read its part', async () => {
    let isRead = (_lists: number): void => {};
    const reading = new Promise<number>((resolve) => (isRead = resolve));
    const check = start(() => reading, { settleMs: 0, readyAfterMs: LONG_MS });
    expect(await check()).toBe('this node is reading its part of them');
    isRead(1);
    await expect.poll(check).toBe(true);
  });

  it('is ready when its part cannot be read: it is read when it is asked for', async () => {
    const check = start(() => Promise.reject(new Error('too large')), { settleMs: 0, readyAfterMs: LONG_MS });
    await expect.poll(check).toBe(true);
  });

  it('is ready when it takes too long', async () => {
    const check = start(() => new Promise(() => {}), { settleMs: 0, readyAfterMs: 1 });
    await expect.poll(check).toBe(true);
  });

  it('waits for others to be found first', async () => {
    let isAsked = false;
    const warm = async () => Number((isAsked = true));
    const warming = startShareWarming({ log: silentLog }, warm, { settleMs: LONG_MS, readyAfterMs: 1 });
    expect(await warming.readiness.check()).not.toBe(true);
    warming.stop();
    expect(isAsked).toBe(false);
  });
});
