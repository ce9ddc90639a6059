// Errors by group against values worked out by hand.
import { describe, expect, it } from 'vitest';
import {
  fairnessOf,
  gini,
  spreadOfErrors,
  type GroupRates,
  type LabeledTrial,
} from '../../../src/voice/evaluation/fairness.js';

const at = { threshold: 0, level: 0.95, pause: async () => {} };
const rate = (value: number) => ({ value, low: 0, high: 1 });
const group = (falseAccept: number, miss: number, counts: Partial<GroupRates> = {}): GroupRates => ({
  group: 'g', speakers: 10, targets: 100, nontargets: 1000, falseAccept: rate(falseAccept), miss: rate(miss), ...counts,
}); // prettier-ignore

describe('unevenness (Gini, corrected for few groups)', () => {
  it.each<[string, number[], number | undefined]>([
    ['all alike', [0.02, 0.02, 0.02], 0],
    ['no errors at all', [0, 0], 0],
    ['one of two has all of them', [0.1, 0], 1],
    ['one of four has all of them', [0, 0, 0.3, 0], 1],
    // |1-3| twice = 4; 4 / (2 * 4 * 1).
    ['one and three', [0.01, 0.03], 0.5],
    // Pairs 1-2, 1-3, 2-3, each twice: 2 * (1 + 2 + 1) = 8; 8 / (2 * 6 * 2).
    ['one, two and three', [0.01, 0.02, 0.03], 1 / 3],
    ['a single group', [0.1], undefined],
  ])('%s', (_name, rates, expected) => {
    if (expected === undefined) expect(gini(rates)).toBeUndefined();
    else expect(gini(rates)).toBeCloseTo(expected, 10);
  });
});

describe('figures over groups', () => {
  it('are the mean of both unevennesses, and the worst by the best', () => {
    const { garbe, falseAcceptRatio, missRatio } = spreadOfErrors([group(0.01, 0.1), group(0.03, 0.1)]);
    expect(garbe).toBeCloseTo(0.25, 10);
    expect(falseAcceptRatio).toBeCloseTo(3, 10);
    expect(missRatio).toBeCloseTo(1, 10);
  });

  it('have no ratio where the best group has no error, and leave groups without trials out', () => {
    expect(spreadOfErrors([group(0, 0.1), group(0.03, 0.2)])).toEqual({
      missRatio: 2,
      garbe: expect.closeTo((1 + 1 / 3) / 2, 10),
    });
    expect(spreadOfErrors([group(0.01, 0.1), group(0, 0, { targets: 0, nontargets: 0 })])).toEqual({});
  });
});

describe('errors by group', () => {
  const trial = (score: number, target: boolean, ...speakers: [string, string]): LabeledTrial => ({
    score,
    target,
    groups: speakers,
    labels: [speakers[0][0], speakers[1][0]],
  });
  // Speakers a1, a2 of group a; b1, b2 of group b; x1 of none.
  const trials: LabeledTrial[] = [
    trial(2, true, 'a1', 'a1'),
    trial(-1, true, 'a2', 'a2'),
    trial(1, false, 'a1', 'a2'),
    trial(-2, false, 'a2', 'a1'),
    trial(3, true, 'b1', 'b1'),
    trial(4, true, 'b2', 'b2'),
    trial(-3, false, 'b1', 'b2'),
    trial(5, false, 'a1', 'b1'),
    { ...trial(6, false, 'x1', 'x1'), labels: [undefined, undefined] },
  ];

  it('counts a trial where both sides are of the group', async () => {
    const { by, groups, falseAcceptRatio, garbe, warnings } = await fairnessOf('language', trials, at);
    expect(by).toBe('language');
    expect(
      groups.map(({ group, speakers, targets, nontargets, falseAccept, miss }) => [
        group, speakers, targets, nontargets, falseAccept.value, miss.value,
      ]),
    ).toEqual([
      ['a', 2, 2, 2, 0.5, 0.5],
      ['b', 2, 2, 1, 0, 0],
    ]); // prettier-ignore
    expect(falseAcceptRatio).toBeUndefined();
    expect(garbe).toBe(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^a: only 2 speakers, 2 trials of the same speaker, 2 trials of different/),
      expect.stringMatching(/^b: only/),
      expect.stringMatching(/^2 trials were left out/),
      'few errors (false accepts: 1, false rejects: 1): GARBE and the ratios say little',
    ]);
  });

  it('has an interval that no error in one trial cannot close', async () => {
    const { groups } = await fairnessOf('language', trials, at);
    const accepts = groups[1]?.falseAccept;
    // Exact binomial: 1 - 0.025 of one trial.
    expect(accepts?.low).toBe(0);
    expect(accepts?.high).toBeCloseTo(0.975, 6);
  });

  it.each([
    [9, 10, true],
    [10, 9, true],
    [10, 10, false],
  ])('says when GARBE rests on few errors: %i accepts, %i rejects', async (accepts, rejects, isFew) => {
    const many = [
      ...Array.from({ length: 40 }, (_, i) => trial(i < accepts ? 1 : -1, false, 'a1', 'a2')),
      ...Array.from({ length: 40 }, (_, i) => trial(i < rejects ? -1 : 1, true, 'a1', 'a1')),
      trial(-1, false, 'b1', 'b2'),
      trial(1, true, 'b1', 'b1'),
    ];
    const { garbe, warnings } = await fairnessOf('language', many, at);
    expect(garbe).toBe(1);
    expect(warnings.some(({ code }) => code === 'FEW_ERRORS')).toBe(isFew);
  });

  it('says when there is nothing to compare', async () => {
    const { garbe, warnings } = await fairnessOf('language', trials.slice(0, 4), at);
    expect(garbe).toBeUndefined();
    expect(warnings[0]?.code).toBe('FEW_GROUPS');
  });
});
