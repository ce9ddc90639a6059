// The least cosine of some rows never hides one that could score above the floor, and hides most of those that cannot.
import { describe, expect, it } from 'vitest';
import {
  leastCosine,
  rangesFrom,
  RANGE_NUMBERS,
  type RowRanges,
} from '../../../src/voice/search/row-ranges.js';
import { scoreLine, type ScoreTerms } from '../../../src/voice/search/score-line.js';
import { createRng } from '../../support/sounds.js';

const random = createRng(13);
const between = (least: number, largest: number): number => least + (largest - least) * random();
const ERROR = 0.08;
const ROW_ERROR = 0.01;

const usual: ScoreTerms = {
  wide: { offset: -2, perZ: 1.1, gain: 8, shift: 0.5 },
  narrow: { offset: -2.6, perZ: 0.8, gain: 7, shift: 0.3 },
  isNarrow: false,
  share: 0.5,
  perCosine: 6,
  weights: { enrol: 0.2, snr: 0.05, enrolZ: -0.1, snrZ: 0.05 },
  enrolMin: Math.log(2),
  enrolMax: Math.log(60),
  snrMin: 0,
  snrMax: 22,
};
const falling: ScoreTerms = { ...usual, perCosine: -40 };
const ranges: RowRanges = {
  hasNarrow: true,
  hasWide: true,
  leastScale: 1 / 512,
  largestError: ROW_ERROR,
  mean: { least: 0.02, largest: 0.2 },
  sd: { least: 0.03, largest: 0.09 },
  snrDb: { least: -5, largest: 40 },
  logNetSeconds: { least: 0, largest: 5 },
};

const rowIn = ({ mean, sd, snrDb, logNetSeconds }: RowRanges) => ({
  isNarrow: random() < 0.5,
  mean: between(mean.least, mean.largest),
  sd: between(sd.least, sd.largest),
  snrDb: between(snrDb.least, snrDb.largest),
  logNetSeconds: between(logNetSeconds.least, logNetSeconds.largest),
});

describe('the least cosine of some rows', () => {
  it.each([-3, 0, 4, 12])('hides nothing that can score above %d', (floor) => {
    const least = leastCosine(usual, ranges, floor, ERROR);
    expect(least).toBeGreaterThan(-1);
    const highest = Array.from({ length: 20_000 }, () => {
      const { slope, offset } = scoreLine(usual, rowIn(ranges));
      return slope * (least + ROW_ERROR * (1 + ERROR) + ERROR) + offset;
    });
    expect(Math.max(...highest)).toBeLessThanOrEqual(floor);
  });

  it('is close to what rows need that are all alike', () => {
    const one = { least: 0.1, largest: 0.1 };
    const alike = { ...ranges, hasNarrow: false, mean: one, sd: one, snrDb: one, logNetSeconds: one };
    const line = scoreLine(usual, { isNarrow: false, mean: 0.1, sd: 0.1, snrDb: 0.1, logNetSeconds: 0.1 });
    const least = leastCosine(usual, alike, 4, ERROR);
    expect(line.slope * least + line.offset).toBeLessThan(4);
    expect(line.slope * (least + ERROR + 1.2 * ROW_ERROR) + line.offset).toBeGreaterThan(4);
  });

  it.each<[string, ScoreTerms, RowRanges, number]>([
    ['there is no floor yet', usual, ranges, -Infinity],
    ['scores fall with the cosine', falling, ranges, 4],
    ['strangers have no spread', usual, { ...ranges, sd: { least: 0, largest: 0.09 } }, 4],
    ['a limit is not a number', usual, { ...ranges, mean: { least: NaN, largest: 0.1 } }, 4],
  ])('hides nothing where %s', (_where, terms, within, floor) => {
    expect(leastCosine(terms, within, floor, ERROR)).toBe(-Infinity);
  });

  it('is not asked for where a number of a row is none', () => {
    expect(rangesFrom(new Float32Array(RANGE_NUMBERS))).toMatchObject({ hasWide: true, hasNarrow: false });
    // The first four are the sums of all numbers.
    expect(rangesFrom(new Float32Array(RANGE_NUMBERS).fill(NaN, 2, 3))).toBeUndefined();
  });
});
