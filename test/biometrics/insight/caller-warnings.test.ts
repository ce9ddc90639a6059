// What is said of thresholds from callers: by what was measured and by the check with halves, each number under its own name.
import { expect, it } from 'vitest';
import { callerWarnings } from '../../../src/biometrics/accuracy/caller-warnings.js';

const wordsOf = (thresholds: Parameters<typeof callerWarnings>[0]): string[] =>
  callerWarnings(thresholds).map(({ message }) => message);

const HALVES = 'when half of the people set it for the other half';
const CHANCE =
  'with so few pairs, such shares may be due to chance alone: measure again when more people have called';

it.each<[string, { far: number; accepted: number; low?: number; checked?: number }, string[]]>([
  ['kept', { far: 0.01, accepted: 0.01, checked: 0.0125 }, []],
  ['a little above', { far: 0.01, accepted: 0.0147, checked: 0.0147 }, []],
  [
    'measured and checked too high',
    { far: 0.005, accepted: 0.0147, low: 0.0051, checked: 0.0234 },
    [`the new threshold for 0.5% accepts 1.47% of these strangers, more than it promises; 2.34% ${HALVES}`],
  ],
  [
    'measured too high, checked well',
    { far: 0.001, accepted: 0.0368, low: 0.0178, checked: 0.001 },
    [`the new threshold for 0.1% accepts 3.68% of these strangers, more than it promises; 0.1% ${HALVES}`],
  ],
  [
    'only the check is too high',
    { far: 0.01, accepted: 0.0147, low: 0.004, checked: 0.0234 },
    [
      `the new threshold for 1% accepts 1.47% of these strangers, but 2.34% ${HALVES}: more than it promises`,
      CHANCE,
    ],
  ],
  [
    'nothing was accepted but in the check',
    { far: 0.001, accepted: 0, low: 0, checked: 0.00781 },
    [
      `the new threshold for 0.1% accepts 0% of these strangers, but 0.781% ${HALVES}: more than it promises`,
      CHANCE,
    ],
  ],
  [
    'no check',
    { far: 0.01, accepted: 0.0183, low: 0.011, checked: NaN },
    ['the new threshold for 1% accepts 1.83% of these strangers: more than it promises'],
  ],
])('%s', (_name, { far, accepted, low = 0, checked = NaN }, said) => {
  const threshold = {
    far,
    llr: { value: 3, low: 2, high: 4 },
    accepted: { value: accepted, low, high: 1 },
    checked,
    extrapolated: false,
    before: { llr: 3, accepted: far },
  };
  expect(wordsOf([threshold])).toEqual(said);
});

it('speaks of chance only where all that is too high may be chance', () => {
  const threshold = (far: number, low: number) => ({
    far,
    llr: { value: 3, low: 2, high: 4 },
    accepted: { value: 0.02, low, high: 1 },
    checked: 0.02,
    extrapolated: false,
    before: { llr: 3, accepted: far },
  });
  expect(wordsOf([threshold(0.01, 0.004), threshold(0.001, 0.004)]).join()).not.toContain('chance');
  expect(wordsOf([threshold(0.01, 0.004), threshold(0.005, 0.004)])).toContain(CHANCE);
});
