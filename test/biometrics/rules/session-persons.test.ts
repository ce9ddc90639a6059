// Whom a session is about, by every kind of check that may run in it.
import { expect, it } from 'vitest';
import type { Factor } from '../../../src/biometrics/model/sessions.js';
import {
  enrolledFraudstersIn,
  fraudstersIn,
  personsIn,
} from '../../../src/biometrics/rules/session-persons.js';

const owners = new Map([
  ['print-a', 'anna'],
  ['print-b', 'bruno'],
]);
const check = (kind: Factor['kind'], decision: Factor['decision'], prints: number, print = 'print-a') =>
  ({ kind, decision, prints, gkVoiceprintProfileId: print }) as Factor;

it.each([
  ['a match with one print', check('AUTHENTICATION', 'AUTHENTIC', 1), 'VERIFIED'],
  ['no match with one print', check('AUTHENTICATION', 'NO_MATCH', 1), 'VERIFIED'],
  ['nothing to compare', check('AUTHENTICATION', 'FAILED', 0), 'VERIFIED'],
  ['a match among several', check('AUTHENTICATION', 'AUTHENTIC', 7), 'RECOGNIZED'],
  ['the nearest of several, who is not it', check('AUTHENTICATION', 'NO_MATCH', 7), undefined],
  ['an enrollment', check('ENROLLMENT', 'UNCERTAIN', 0), 'ENROLLED'],
  ['a watchlist', check('FRAUD_DETECTION', 'FRAUD', 3), undefined],
  ['an attack check', check('SYNTHETIC_SPEECH', 'FRAUD', 0), undefined],
  ['a print that is nobody’s', check('AUTHENTICATION', 'AUTHENTIC', 1, 'print-c'), undefined],
])('%s', (_name, factor, role) => {
  const isMatch = factor.decision === 'AUTHENTIC';
  const isMismatch = factor.decision === 'NO_MATCH';
  const gkVoiceprintProfileIds = ['print-a'];
  const anna = { gkPersonId: 'anna', role, gkVoiceprintProfileIds };
  expect(personsIn([factor], owners)).toEqual(
    role ? [{ ...anna, ...(isMatch && { isMatch }), ...(isMismatch && { isMismatch }) }] : [],
  );
});

it('names each known fraudster once who was recognized, and nobody else', () => {
  const factors = [
    check('FRAUD_DETECTION', 'FRAUD', 9, 'print-b'),
    check('FRAUD_DETECTION', 'NO_RISK_DETECTED', 9),
    check('AUTHENTICATION', 'FRAUD', 1),
    check('FRAUD_DETECTION', 'FRAUD', 9, 'print-b'),
    check('FRAUD_DETECTION', 'FRAUD', 9, 'print-c'),
  ];
  expect(fraudstersIn(factors, owners)).toEqual(['bruno']);
});

it('names each fraudster once whose voice was enrolled, and nobody else', () => {
  const factors = [
    check('ENROLLMENT', 'UNCERTAIN', 0, 'print-b'),
    check('FRAUD_DETECTION', 'FRAUD', 9),
    check('ENROLLMENT', 'UNCERTAIN', 0, 'print-b'),
    check('ENROLLMENT', 'UNCERTAIN', 0, 'print-c'),
  ];
  expect(enrolledFraudstersIn(factors, owners)).toEqual(['bruno']);
});

const of = (print: string) => ({ gkVoiceprintProfileIds: [print] });

it('names each person once in each role, in the order in which they came, and whose print matched', () => {
  const factors = [
    check('AUTHENTICATION', 'NO_MATCH', 1),
    check('AUTHENTICATION', 'AUTHENTIC', 1, 'print-b'),
    check('AUTHENTICATION', 'AUTHENTIC', 1),
    check('ENROLLMENT', 'UNCERTAIN', 0),
  ];
  expect(personsIn(factors, owners)).toEqual([
    { gkPersonId: 'anna', role: 'VERIFIED', isMatch: true, isMismatch: true, ...of('print-a') },
    { gkPersonId: 'bruno', role: 'VERIFIED', isMatch: true, ...of('print-b') },
    { gkPersonId: 'anna', role: 'ENROLLED', ...of('print-a') },
  ]);
});
