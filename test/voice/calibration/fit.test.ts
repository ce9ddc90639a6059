import { describe, expect, it } from 'vitest';
import { fitCalibration, thresholdsFor } from '../../../src/voice/calibration/fit.js';
import { randomSource } from '../scoring/synthetic-speakers.js';

const random = randomSource(21);
const normal = (mean: number): number =>
  mean + Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());

describe('calibration', () => {
  it('finds the log-likelihood ratio of two known distributions', () => {
    // Unit-variance scores around +1 and -1 have the ratio 2x.
    const trials = [
      ...Array.from({ length: 3000 }, () => ({ terms: [1, normal(1), 0], target: true })),
      ...Array.from({ length: 9000 }, () => ({ terms: [1, normal(-1), 0], target: false })),
    ];
    const [offset = NaN, slope = NaN, unused = NaN] = fitCalibration(trials);
    expect(offset).toBeCloseTo(0, 0);
    expect(slope).toBeGreaterThan(1.8);
    expect(slope).toBeLessThan(2.2);
    expect(unused).toBe(0);
  });

  it('refuses trials of one kind only', () => {
    expect(() => fitCalibration([{ terms: [1, 2], target: true }])).toThrow(RangeError);
  });
});

describe('thresholds', () => {
  const scores = Array.from({ length: 20000 }, () => normal(-4));
  it('accept the wanted share of impostors', () => {
    const [one, thousandth] = thresholdsFor(scores, [0.01, 0.001]);
    expect(one!.accepts / scores.length).toBeCloseTo(0.01, 3);
    expect(thousandth!.accepts / scores.length).toBeCloseTo(0.001, 3);
    expect(thousandth!.llr).toBeGreaterThan(one!.llr);
  });

  it('go on rising where the trials are too few to show the rate', () => {
    const [seen, unseen] = thresholdsFor(scores.slice(0, 2000), [0.01, 0.0001]);
    expect(unseen!.llr).toBeGreaterThan(seen!.llr + 0.5);
  });
});
