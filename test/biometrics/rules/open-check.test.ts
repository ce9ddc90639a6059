// Which check keeps the answer open: only the one that nobody can stand in for, and only where it has not said that nothing was found.
import { expect, it } from 'vitest';
import { attackFactors, keepsAnswerOpen } from '../../../src/biometrics/rules/open-check.js';

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
