import { describe, expect, it } from 'vitest';
import {
  cllr,
  eerWithInterval,
  minDcf,
  operatingPoints,
  ratesAt,
} from '../../../src/voice/evaluation/metrics.js';
import type { Trial } from '../../../src/voice/evaluation/arrange.js';
import { detPlot, scorePlot } from '../../../src/voice/evaluation/plots.js';
import { randomSource } from '../scoring/synthetic-speakers.js';

const trials = (targets: number[], impostors: number[]): Trial[] => [
  ...targets.map((score) => ({ score, target: true })),
  ...impostors.map((score) => ({ score, target: false })),
];

function normal(random: () => number, mean: number): number {
  return mean + Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
}

describe('evaluation', () => {
  it('has no error where the scores are apart and half where they are equal', () => {
    expect(eerWithInterval(trials([5, 6], [1, 2])).value).toBe(0);
    expect(eerWithInterval(trials([1, 1, 1], [1, 1])).value).toBeCloseTo(0.5);
    expect(eerWithInterval(trials([1, 2], [5, 6])).value).toBeCloseTo(1);
  });

  it('finds the known rate of two normal distributions, inside its interval', () => {
    const random = randomSource(4);
    const many = trials(
      Array.from({ length: 4000 }, () => normal(random, 2)),
      Array.from({ length: 20000 }, () => normal(random, -2)),
    );
    const { value, low, high } = eerWithInterval(many, 100);
    expect(value).toBeCloseTo(0.02275, 2);
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
    expect(high - low).toBeLessThan(0.02);
  });

  it('widens the interval when few speakers stand behind many trials', () => {
    const random = randomSource(8);
    const shift = Array.from({ length: 8 }, () => normal(random, 0));
    const grouped: Trial[] = Array.from({ length: 4000 }, (_, i) => {
      const speaker = i % 8;
      const target = i % 2 === 0;
      return {
        score: normal(random, (target ? 1.5 : -1.5) + 1.5 * (shift[speaker] ?? 0)),
        target,
        groups: [`s${speaker}`, `s${speaker}`] as const,
      };
    });
    const alone = grouped.map(({ score, target }) => ({ score, target }));
    const width = (t: Trial[]) => {
      const e = eerWithInterval(t, 100);
      return e.high - e.low;
    };
    expect(width(grouped)).toBeGreaterThan(2 * width(alone));
  });

  it('counts errors at a threshold, equal scores being accepted', () => {
    expect(ratesAt(trials([1, 2, 3, 4], [0, 1, 2, 2]), 2)).toEqual({ falseAccept: 0.5, miss: 0.25 });
  });

  it('gives the textbook costs', () => {
    expect(minDcf(operatingPoints(trials([5], [1])), 0.01)).toBe(0);
    expect(minDcf(operatingPoints(trials([1], [1])), 0.01)).toBeCloseTo(1);
    expect(cllr(trials([0, 0], [0]))).toBeCloseTo(1);
    expect(cllr(trials([50], [-50]))).toBeCloseTo(0);
    expect(cllr(trials([-500], [500]))).toBeGreaterThan(500);
  });

  it('draws both pictures as well-formed SVG', () => {
    const some = trials([3, 4, 5, 2], [-3, -2, 0, 3]);
    for (const svg of [
      detPlot(operatingPoints(some), 'a < b'),
      scorePlot(some, [{ far: 0.01, llr: 2 }], 'scores'),
    ]) {
      expect(svg).toMatch(/^<svg [^]*<\/svg>\n$/);
      expect(svg).not.toContain('NaN');
      expect(svg).not.toContain('a < b');
    }
  });
});
