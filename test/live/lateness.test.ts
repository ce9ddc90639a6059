// When a node that is behind with its calls takes no more of them.
import { describe, expect, it } from 'vitest';
import { Lateness } from '../../src/live/call-starter.js';

function measured(...waitedMs: number[]) {
  let now = 1_000_000;
  const lateness = new Lateness({ now: () => now });
  for (const ms of waitedMs) lateness.note(ms);
  return { lateness, pass: (ms: number) => void (now += ms) };
}
const often = (ms: number): number[] => Array.from({ length: 30 }, () => ms);

describe('a node', () => {
  it.each<[string, number[], number, boolean]>([
    ['with nothing measured', [], 200, false],
    ['in time', often(300), 200, false],
    ['late', often(2500), 200, true],
    ['late with few calls, for other reasons', often(2500), 3, false],
    ['late once', [3000, ...often(100)], 200, false],
  ])('%s takes new calls or not', (_name, waited, calls, isTooLate) => {
    expect(measured(...waited).lateness.isTooLate(calls)).toBe(isTooLate);
  });

  it('takes calls again once it answers in time, or when nothing was late for a while', () => {
    const better = measured(...often(2500));
    better.pass(10_000);
    for (const ms of often(100)) better.lateness.note(ms);
    expect(better.lateness.isTooLate(200)).toBe(false);
    const quiet = measured(...often(2500));
    quiet.pass(1000);
    expect(quiet.lateness.isTooLate(200)).toBe(true);
    quiet.pass(60_000);
    expect(quiet.lateness.isTooLate(200)).toBe(false);
  });
});
