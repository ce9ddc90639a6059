// Which check keeps the answer open: only the one that nobody can stand in for, and only where it has not said that nothing was found.
import { expect, it } from 'vitest';
import {
  attackFactors,
  hasMismatch,
  hasUndecided,
  keepsAnswerOpen,
} from '../../../src/biometrics/rules/open-check.js';
import type { Decision } from '../../../src/biometrics/model/outcome.js';

it.each([
  ['synthetic', 'UNCERTAIN', true],
  ['synthetic', 'FAILED', true],
  ['synthetic', 'NO_RISK_DETECTED', false],
  ['playback', 'UNCERTAIN', false],
  ['playback', 'NO_RISK_DETECTED', false],
] as const)('a check for %s that says %s: %s', (kind, decision, isOpen) => {
  expect(keepsAnswerOpen({ kind: attackFactors[kind], decision })).toBe(isOpen);
});

it('is no matter of comparisons', () => {
  expect(keepsAnswerOpen({ kind: 'AUTHENTICATION', decision: 'UNCERTAIN' })).toBe(false);
});

it.each([
  ['AUTHENTIC', 'UNCERTAIN', 'NO_RISK_DETECTED', true],
  ['AUTHENTIC', 'NO_RISK_DETECTED', 'UNCERTAIN', true],
  ['AUTHENTIC', 'NO_RISK_DETECTED', 'NO_RISK_DETECTED', false],
  ['NO_RISK_DETECTED', 'NO_RISK_DETECTED', 'UNCERTAIN', true],
  ['NO_MATCH', 'UNCERTAIN', 'UNCERTAIN', false],
  ['FRAUD', 'FRAUD', 'UNCERTAIN', false],
] as const)(
  'beside %s, synthetic speech %s and playback %s are undecided: %s',
  (decision, synthetic, playback, isUndecided) => {
    expect(hasUndecided(decision, [{ decision: synthetic }, { decision: playback }])).toBe(isUndecided);
    expect(hasUndecided(decision, [undefined, undefined])).toBe(false);
  },
);

type Compared = readonly [Decision, group?: string, operation?: string];
const LIVE = 'LiveAudio';

it.each<[string, Decision, Compared[], boolean]>([
  ['a match alone', 'AUTHENTIC', [['AUTHENTIC']], false],
  ['a match and no match', 'AUTHENTIC', [['AUTHENTIC'], ['NO_MATCH']], true],
  ['no match before a match', 'AUTHENTIC', [['NO_MATCH'], ['AUTHENTIC']], true],
  ['a match and too little speech', 'AUTHENTIC', [['AUTHENTIC'], ['UNCERTAIN']], false],
  ['a match, and nobody in a group', 'AUTHENTIC', [['AUTHENTIC'], ['NO_MATCH', 'a']], false],
  [
    'a match in a group, and none in it later',
    'AUTHENTIC',
    [
      ['AUTHENTIC', 'a'],
      ['NO_MATCH', 'a'],
    ],
    true,
  ],
  [
    'a match in a group, and none in another',
    'AUTHENTIC',
    [
      ['AUTHENTIC', 'a'],
      ['NO_MATCH', 'b'],
    ],
    false,
  ],
  [
    'a live call that matches at last',
    'AUTHENTIC',
    [
      ['UNCERTAIN', '', LIVE],
      ['AUTHENTIC', '', LIVE],
    ],
    false,
  ],
  [
    'a live call that no longer matches',
    'AUTHENTIC',
    [
      ['AUTHENTIC', '', LIVE],
      ['UNCERTAIN', '', LIVE],
    ],
    true,
  ],
  ['no match of its own', 'AUTHENTIC', [['NO_MATCH']], false],
  ['another decision', 'FRAUD', [['AUTHENTIC'], ['NO_MATCH']], false],
])('a mismatch beside the decision: %s, %s', (_what, decision, compared, expected) => {
  const factors = compared.map(([made, gkCollectionId = '', operation = 'Verify']) => ({
    kind: 'AUTHENTICATION' as const,
    decision: made,
    operation,
    ...(gkCollectionId && { gkCollectionId }),
  }));
  expect(hasMismatch(decision, factors)).toBe(expected);
});
