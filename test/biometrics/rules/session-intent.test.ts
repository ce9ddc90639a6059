// What a session was for, by what ran in it: the strongest kind counts, and other sessions of the engagement do not.
import { expect, it } from 'vitest';
import type { Factor, Session, SessionIntent } from '../../../src/biometrics/model/sessions.js';
import { deriveIntent } from '../../../src/biometrics/rules/session-intent.js';

const session = { gkSessionId: 'this' } as Session;
const ran = (kind: Factor['kind'], gkSessionId = 'this') => ({ kind, gkSessionId }) as Factor;

it.each<[name: string, factors: Factor[], expected: SessionIntent]>([
  ['nothing', [], 'OTHER'],
  ['an enrollment', [ran('ENROLLMENT')], 'ENROLLMENT'],
  ['a verification', [ran('AUTHENTICATION')], 'VERIFICATION'],
  ['a search for fraudsters', [ran('FRAUD_DETECTION')], 'FRAUD_DETECTION'],
  ['a check for attacks alone', [ran('SYNTHETIC_SPEECH')], 'OTHER'],
  ['a verification before an enrollment', [ran('AUTHENTICATION'), ran('ENROLLMENT')], 'ENROLLMENT'],
  ['an enrollment before a verification', [ran('ENROLLMENT'), ran('AUTHENTICATION')], 'ENROLLMENT'],
  ['a verification after a search', [ran('FRAUD_DETECTION'), ran('AUTHENTICATION')], 'VERIFICATION'],
  ['a search beside an attack check', [ran('SYNTHETIC_SPEECH'), ran('FRAUD_DETECTION')], 'FRAUD_DETECTION'],
  ['everything', [ran('FRAUD_DETECTION'), ran('AUTHENTICATION'), ran('ENROLLMENT')], 'ENROLLMENT'],
  ['an enrollment in another session', [ran('ENROLLMENT', 'other')], 'OTHER'],
  [
    'a search here, a verification in another session',
    [ran('AUTHENTICATION', 'other'), ran('FRAUD_DETECTION')],
    'FRAUD_DETECTION',
  ],
])('%s', (_name, factors, expected) => {
  expect(deriveIntent(session, factors)).toBe(expected);
});
