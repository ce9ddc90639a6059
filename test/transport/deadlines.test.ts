// Time limits of calls: who is told, when, and who is not.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadlines } from '../../src/transport/dispatch/deadlines.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('time limits of calls', () => {
  const told: string[] = [];
  beforeEach(() => told.splice(0));

  function watched(): (name: string, limitMs: number) => () => void {
    const deadlines = new Deadlines();
    return (name, limitMs) => deadlines.add(performance.now(), limitMs, (why) => told.push(`${name} ${why}`));
  }

  it.each([50, 1999, 2000, 30_000])('tells after %d ms, once, within the grain', (limitMs) => {
    watched()('call', limitMs);
    vi.advanceTimersByTime(limitMs - 1);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(told).toEqual(['call deadline']);
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual(['call deadline']);
  });

  it.each([50, 30_000])('tells nobody whose limit of %d ms was called off', (limitMs) => {
    const add = watched();
    add('ended', limitMs)();
    add('goes on', limitMs);
    vi.advanceTimersByTime(limitMs + 200);
    expect(told).toEqual(['goes on deadline']);
  });

  it('a call that is called off twice takes no other call along', () => {
    const add = watched();
    const callOff = add('first', 5000);
    callOff();
    add('second', 5000);
    callOff();
    vi.advanceTimersByTime(5200);
    expect(told).toEqual(['second deadline']);
  });

  it('one that was told takes no other call along when it is called off late', () => {
    const add = watched();
    const callOff = add('first', 3000);
    vi.advanceTimersByTime(3200);
    add('second', 3000);
    callOff();
    vi.advanceTimersByTime(3200);
    expect(told).toEqual(['first deadline', 'second deadline']);
  });

  it('keeps no clock running when nobody waits', () => {
    const add = watched();
    const callsOff = [add('a', 5000), add('b', 9000)];
    expect(vi.getTimerCount()).toBe(1);
    for (const callOff of callsOff) callOff();
    vi.advanceTimersByTime(200);
    expect(vi.getTimerCount()).toBe(0);
    add('c', 5000);
    vi.advanceTimersByTime(5200);
    expect(told).toEqual(['c deadline']);
  });

  it('a server that stops tells everybody who is still waiting, and only those', () => {
    const deadlines = new Deadlines();
    const add = (name: string, limitMs: number) =>
      deadlines.add(performance.now(), limitMs, (why) => told.push(`${name} ${why}`));
    add('ended', 5000)();
    add('long', 5000);
    add('short', 100);
    deadlines.end();
    expect(told.toSorted()).toEqual(['long shutdown', 'short shutdown']);
    vi.advanceTimersByTime(60_000);
    expect(told).toHaveLength(2);
  });
});
