// Which check keeps the answer open: only the one that nobody can stand in for, and only where it has not said that nothing was found.
import { expect, it } from 'vitest';
import { attackFactors, keepsAnswerOpen, undecidedAmong } from '../../../src/biometrics/rules/open-check.js';

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
  ['AUTHENTIC', 'UNCERTAIN', 'NO_RISK_DETECTED', ['SYNTHETIC_SPEECH']],
  ['AUTHENTIC', 'NO_RISK_DETECTED', 'UNCERTAIN', ['CHANNEL_PLAYBACK']],
  ['AUTHENTIC', 'FAILED', 'UNCERTAIN', ['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK']],
  ['AUTHENTIC', 'NO_RISK_DETECTED', 'NO_RISK_DETECTED', undefined],
  ['NO_RISK_DETECTED', 'NO_RISK_DETECTED', 'UNCERTAIN', ['CHANNEL_PLAYBACK']],
  ['NO_MATCH', 'UNCERTAIN', 'UNCERTAIN', undefined],
  ['FRAUD', 'FRAUD', 'UNCERTAIN', undefined],
] as const)(
  'beside %s, synthetic speech %s and playback %s leave open %s',
  (decision, synthetic, playback, open) => {
    const checks = [
      { kind: 'synthetic', decision: synthetic },
      { kind: 'playback', decision: playback },
    ] as const;
    expect(undecidedAmong(decision, checks).undecidedChecks).toEqual(open);
    expect(undecidedAmong(decision, [undefined, undefined])).toEqual({});
  },
);
