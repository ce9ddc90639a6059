// One decision over the factors of a session: what an attack check that cannot know does to it.
import { describe, expect, it } from 'vitest';
import { defaultParameters } from '../../../src/biometrics/model/parameters.js';
import type { Factor } from '../../../src/biometrics/model/sessions.js';
import { decideSession } from '../../../src/biometrics/rules/session-decision.js';

const factor = (kind: Factor['kind'], fields: Partial<Factor>): Factor =>
  ({ kind, reason: '', risk: 10, reliability: 90, netSpeechMs: 5000, ...fields }) as Factor;
const match = factor('AUTHENTICATION', { decision: 'AUTHENTIC' });
const stranger = factor('AUTHENTICATION', { decision: 'NO_MATCH', risk: 650 });
const live = factor('SYNTHETIC_SPEECH', { decision: 'NO_RISK_DETECTED' });
const notReplayed = factor('CHANNEL_PLAYBACK', { decision: 'NO_RISK_DETECTED' });
const weak = factor('CHANNEL_PLAYBACK', { decision: 'UNCERTAIN', reliability: 10 });
const foreign = factor('SYNTHETIC_SPEECH', { decision: 'UNCERTAIN', reliability: 0 });
const machine = factor('SYNTHETIC_SPEECH', { decision: 'FRAUD', risk: 900 });

const cases: [name: string, factors: Factor[], decision: string][] = [
  ['a match of a live voice', [match, live], 'AUTHENTIC'],
  ['a check that is weak on this audio leaves a match alone', [match, weak], 'AUTHENTIC'],
  ['one that has met nothing like it does not', [match, foreign], 'UNCERTAIN'],
  ['nor does an all-clear of another check help', [foreign, notReplayed], 'UNCERTAIN'],
  ['a stranger stays a stranger', [stranger, foreign], 'NO_MATCH'],
  ['an attack is one', [match, foreign, machine], 'FRAUD'],
  [
    'the check with more speech speaks: now it knows',
    [match, foreign, { ...live, netSpeechMs: 9000 }],
    'AUTHENTIC',
  ],
  [
    'the check with more speech speaks: now it does not',
    [match, live, { ...foreign, netSpeechMs: 9000 }],
    'UNCERTAIN',
  ],
  ['of equals, the newest', [match, foreign, live], 'AUTHENTIC'],
  ['checks alone', [live, notReplayed], 'NO_RISK_DETECTED'],
];

describe('the decision over a session', () => {
  it.each(cases)('%s', (_name, factors, decision) => {
    expect(decideSession(factors, defaultParameters).decision).toBe(decision);
  });
});
