// Where in a call its audio lies, when its sender has left parts of it out.
import { expect, it } from 'vitest';
import { SkippedAudio } from '../../src/live/waiting-audio.js';

const withGaps = (...gaps: [afterMs: number, ms: number][]): SkippedAudio => {
  const skipped = new SkippedAudio();
  for (const [afterMs, ms] of gaps) skipped.add(afterMs, ms);
  return skipped;
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
  const skipped = withGaps(...gaps);
  expect(skipped.endOf(heardMs)).toBe(endMs);
  expect(skipped.positionAt(heardMs)).toBe(positionMs);
  // At the next node too.
  const continued = new SkippedAudio(skipped.gaps);
  continued.add(9000, 100);
  expect(continued.endOf(heardMs)).toBe(endMs);
  expect(skipped.positionAt(20_000)).toBe(continued.positionAt(20_000) - 100);
});

it('keeps no more gaps than anybody needs, and counts all of them', () => {
  const skipped = new SkippedAudio();
  for (let at = 1; at <= 5000; at++) skipped.add(at, 1);
  expect(skipped.gaps).toHaveLength(1000);
  expect(skipped.positionAt(6000)).toBe(11_000);
});
