// Where in a call its audio lies, when its sender has left parts of it out.
import { expect, it } from 'vitest';
import { LeftOut } from '../../src/live/waiting-audio.js';

const withGaps = (...gaps: [afterMs: number, ms: number][]): LeftOut => {
  const leftOut = new LeftOut();
  for (const [afterMs, ms] of gaps) leftOut.add(afterMs, ms);
  return leftOut;
};

it.each<[string, [number, number][], heardMs: number, endMs: number, positionMs: number]>([
  ['nothing', [], 5000, 5000, 5000],
  ['a gap that lies ahead', [[8000, 500]], 5000, 5000, 5000],
  ['a gap right behind it', [[5000, 500]], 5000, 5000, 5500],
  ['a gap before it', [[3000, 500]], 5000, 5500, 5500],
  ['two gaps, one at the very beginning', [[0, 60_000], [3000, 500]], 5000, 65_500, 65_500], // prettier-ignore
  ['two gaps in one place', [[3000, 500], [3000, 250]], 5000, 5750, 5750], // prettier-ignore
  ['a gap of nothing', [[3000, 0]], 5000, 5000, 5000],
])('with %s', (_what, gaps, heardMs, endMs, positionMs) => {
  const leftOut = withGaps(...gaps);
  expect(leftOut.endOf(heardMs)).toBe(endMs);
  expect(leftOut.positionAt(heardMs)).toBe(positionMs);
  // At the next node too.
  const carried = new LeftOut(leftOut.gaps);
  carried.add(9000, 100);
  expect(carried.endOf(heardMs)).toBe(endMs);
  expect(leftOut.positionAt(20_000)).toBe(carried.positionAt(20_000) - 100);
});

it('keeps no more gaps than anybody needs, and counts all of them', () => {
  const leftOut = new LeftOut();
  for (let at = 1; at <= 5000; at++) leftOut.add(at, 1);
  expect(leftOut.gaps).toHaveLength(1000);
  expect(leftOut.positionAt(6000)).toBe(11_000);
});
