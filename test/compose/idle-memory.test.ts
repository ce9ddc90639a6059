// @module-tag slow
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { composeIdleMemory } from '../../src/compose/idle-memory.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const state = { activeMs: 0, collections: 0 };
  const part = composeIdleMemory({
    everyMs: 1000,
    idleBelowMs: 50,
    activeMs: () => state.activeMs,
    collect: () => {
      state.collections++;
      // The collection itself is work, and must not lead to the next one.
      state.activeMs += 80;
    },
  });
  const second = (activeMs: number) => {
    state.activeMs += activeMs;
    vi.advanceTimersByTime(1000);
    return state.collections;
  };
  return { part, second };
}

it('collects once when work has ended, not while it lasts and not again while idle', async () => {
  const { part, second } = watched();
  expect([second(600), second(300), second(10), second(0), second(20)]).toEqual([0, 0, 1, 1, 1]);
  expect([second(400), second(5), second(5)]).toEqual([1, 2, 2]);
  await part.stop?.();
  expect([second(400), second(5)]).toEqual([2, 2]);
});

it('really collects by default', async () => {
  vi.useRealTimers();
  let collected = false;
  const registry = new FinalizationRegistry(() => (collected = true));
  registry.register({ some: 'garbage' }, 1);
  const part = composeIdleMemory({ everyMs: 20, activeMs: () => 0 });
  await expect.poll(() => collected).toBe(true);
  registry.unregister(part);
  await part.stop?.();
});
