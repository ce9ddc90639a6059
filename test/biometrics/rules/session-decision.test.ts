// One decision over the factors of a session: which of them speaks for it, and what an attack check that cannot know does to it.
import { describe, expect, it } from 'vitest';
import { defaultParameters, resolveParameters } from '../../../src/biometrics/model/parameters.js';
import type { DecisionSummary, Factor } from '../../../src/biometrics/model/sessions.js';
import { decideSession } from '../../../src/biometrics/rules/session-decision.js';

const factor = (kind: Factor['kind'], fields: Partial<Factor>): Factor =>
  ({ kind, reason: '', risk: 10, reliability: 90, netSpeechMs: 5000, ...fields }) as Factor;
const match = factor('AUTHENTICATION', { decision: 'AUTHENTIC' });
const stranger = factor('AUTHENTICATION', { decision: 'NO_MATCH', risk: 650 });
const twoVoices = factor('AUTHENTICATION', {
  decision: 'UNCERTAIN',
  reason: 'SPEAKER_CHANGED',
  risk: 650,
  netSpeechMs: 20_000,
});
const live = factor('SYNTHETIC_SPEECH', { decision: 'NO_RISK_DETECTED' });
const notReplayed = factor('CHANNEL_PLAYBACK', { decision: 'NO_RISK_DETECTED' });
const weak = factor('CHANNEL_PLAYBACK', { decision: 'UNCERTAIN', reliability: 10 });
const foreign = factor('SYNTHETIC_SPEECH', { decision: 'UNCERTAIN', reliability: 0 });
const unsure = factor('SYNTHETIC_SPEECH', { decision: 'UNCERTAIN', risk: 430, reliability: 69 });
const nobodyKnown = factor('FRAUD_DETECTION', { decision: 'NO_RISK_DETECTED' });
const tooShort = {
  kind: 'SYNTHETIC_SPEECH',
  decision: 'UNCERTAIN',
  reason: 'AUDIO_TOO_SHORT',
  netSpeechMs: 900,
} as Factor;
const refused = {
  kind: 'AUTHENTICATION',
  decision: 'UNCERTAIN',
  reason: 'PROFILE_LOCKED',
  netSpeechMs: 0,
} as Factor;
const machine = factor('SYNTHETIC_SPEECH', { decision: 'FRAUD', risk: 900 });

const cases: [name: string, factors: Factor[], decision: string][] = [
  ['a match of a live voice', [match, live], 'AUTHENTIC'],
  ['a check that is weak on this audio leaves a match alone', [match, weak], 'AUTHENTIC'],
  ['one that has met nothing like it does not', [match, foreign], 'UNCERTAIN'],
  ['nor does an all-clear of another check help', [foreign, notReplayed], 'UNCERTAIN'],
  ['a stranger stays a stranger', [stranger, foreign], 'NO_MATCH'],
  ['a match with somebody else in a part of it', [match, twoVoices], 'UNCERTAIN'],
  ['and not a match where that part is like it', [{ ...twoVoices, risk: 10 }], 'UNCERTAIN'],
  ['until more speech matches', [twoVoices, { ...match, netSpeechMs: 30_000 }], 'AUTHENTIC'],
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
  ['no playback does not mean no synthetic speech', [unsure, notReplayed], 'UNCERTAIN'],
  ['in whichever order', [notReplayed, unsure], 'UNCERTAIN'],
  ['nor does nobody known', [nobodyKnown, unsure], 'UNCERTAIN'],
  ['nor where the audio was too short for it', [tooShort, notReplayed], 'UNCERTAIN'],
  ['until more speech clears it', [unsure, notReplayed, { ...live, netSpeechMs: 9000 }], 'NO_RISK_DETECTED'],
  ['or another look at the same', [unsure, notReplayed, live], 'NO_RISK_DETECTED'],
  ['too short, then long enough', [tooShort, live], 'NO_RISK_DETECTED'],
  ['and too short after it takes nothing back', [live, tooShort], 'NO_RISK_DETECTED'],
  ['a check for playback that cannot know leaves the all-clear alone', [live, weak], 'NO_RISK_DETECTED'],
  ['and a match is not for synthetic speech to doubt where it cannot tell', [match, unsure], 'AUTHENTIC'],
  ['a caller whom a lock turned away', [refused], 'UNCERTAIN'],
  ['who is not clear because other checks found nothing', [refused, live, notReplayed], 'UNCERTAIN'],
  ['nor because of a match before the lock', [match, refused, live], 'UNCERTAIN'],
  ['but is known once it is open again', [refused, match, live], 'AUTHENTIC'],
  ['a stranger who has caused the lock', [stranger, refused], 'NO_MATCH'],
  ['an attack on a locked print', [refused, machine], 'FRAUD'],
];

describe('the decision over a session', () => {
  it.each(cases)('%s', (_name, factors, decision) => {
    expect(decideSession(factors, defaultParameters).decision).toBe(decision);
  });
});

const parameters = resolveParameters({
  authentication: { riskLow: 20, riskHigh: 80, reliabilityMin: 50 },
});

type Given = Partial<Factor> & Pick<Factor, 'kind' | 'decision'>;
const factorOf = (given: Given): Factor =>
  ({ reason: given.decision, netSpeechMs: 5000, ...given }) as Factor;

const authentic: Given = { kind: 'AUTHENTICATION', decision: 'AUTHENTIC', risk: 5, reliability: 90 };
const noMatch: Given = { kind: 'AUTHENTICATION', decision: 'NO_MATCH', risk: 95, reliability: 90 };
const clear: Given = { kind: 'FRAUD_DETECTION', decision: 'NO_RISK_DETECTED', risk: 10, reliability: 90 };
const fraudster: Given = { kind: 'FRAUD_DETECTION', decision: 'FRAUD', risk: 97, reliability: 90 };
const synthetic: Given = { kind: 'SYNTHETIC_SPEECH', decision: 'FRAUD', risk: 99, reliability: 80 };
const unheard: Given = { kind: 'AUTHENTICATION', decision: 'UNCERTAIN', reason: 'AUDIO_TOO_SHORT' };
const failed: Given = { kind: 'AUTHENTICATION', decision: 'FAILED', reason: 'INTERNAL_ERROR' };
const unscored: Given = { kind: 'FRAUD_DETECTION', decision: 'UNCERTAIN', reason: 'NO_SCORES' };

const rules: [name: string, factors: Given[], expected: Partial<DecisionSummary>][] = [
  [
    'an alarm stays one when an erasure has taken its score',
    [{ kind: 'SYNTHETIC_SPEECH', decision: 'FRAUD' }, authentic],
    { decision: 'FRAUD', reason: 'FRAUD_RISK' },
  ],
  ['nothing ran', [], { decision: 'UNCERTAIN', reason: 'NO_DATA' }],
  [
    'enrollment alone is no data',
    [{ kind: 'ENROLLMENT', decision: 'AUTHENTIC', risk: 1, reliability: 99 }],
    { decision: 'UNCERTAIN', reason: 'NO_DATA' },
  ],
  ['audio that could not be used', [unheard], { decision: 'UNCERTAIN', reason: 'BAD_AUDIO' }],
  ['nothing to compare with', [unscored], { decision: 'UNCERTAIN', reason: 'NO_AVAILABLE_SCORES' }],
  ['a failure outweighs bad audio', [unheard, failed], { decision: 'FAILED', reason: 'INTERNAL_ERROR' }],
  ['a score outweighs a failure', [failed, authentic], { decision: 'AUTHENTIC' }],
  ['a match', [authentic], { decision: 'AUTHENTIC', reason: 'AUTHENTIC', risk: 5, reliability: 90 }],
  ['a match at the very limit', [{ ...authentic, risk: 20 }], { decision: 'AUTHENTIC', risk: 20 }],
  ['a risk above the limit', [{ ...authentic, risk: 21 }], { decision: 'NO_MATCH', reason: 'NO_MATCH' }],
  [
    'a match that cannot be relied on',
    [{ ...authentic, reliability: 49 }],
    { decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY', reliability: 49 },
  ],
  [
    'the authentication with the most speech counts',
    [{ ...noMatch, netSpeechMs: 9000 }, authentic],
    { decision: 'NO_MATCH' },
  ],
  ['of equals the latest counts', [noMatch, authentic], { decision: 'AUTHENTIC' }],
  ['of equals the latest counts, here too', [authentic, noMatch], { decision: 'NO_MATCH' }],
  [
    'a sign of fraud outweighs any number of matches',
    [authentic, fraudster, authentic],
    { decision: 'FRAUD', reason: 'FRAUD_RISK', risk: 97 },
  ],
  [
    'the surest sign of fraud is told',
    [synthetic, fraudster],
    { decision: 'FRAUD', risk: 99, reliability: 80 },
  ],
  ['a match outweighs a clear watchlist', [authentic, clear], { decision: 'AUTHENTIC' }],
  [
    'a clear watchlist does not say who speaks',
    [unheard, clear],
    { decision: 'UNCERTAIN', reason: 'BAD_AUDIO' },
  ],
  [
    'a clear watchlist alone, with its highest risk',
    [{ ...clear, risk: 30 }, clear],
    { decision: 'NO_RISK_DETECTED', reason: 'NO_RISK_DETECTED', risk: 30 },
  ],
  [
    'the check that could not tell gives its figures',
    [
      { kind: 'SYNTHETIC_SPEECH', decision: 'UNCERTAIN', risk: 430, reliability: 69 },
      { kind: 'CHANNEL_PLAYBACK', decision: 'NO_RISK_DETECTED', risk: 8, reliability: 69 },
    ],
    { decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY', risk: 430, reliability: 69 },
  ],
  [
    'the same after its caller repeated digits',
    [
      { kind: 'SYNTHETIC_SPEECH', decision: 'UNCERTAIN', risk: 430, reliability: 69, recording: 'one' },
      { kind: 'CHANNEL_PLAYBACK', decision: 'NO_RISK_DETECTED', risk: 8, reliability: 69, recording: 'one' },
      { kind: 'LIVENESS', decision: 'AUTHENTIC', recording: 'one' },
    ],
    { decision: 'NO_RISK_DETECTED', risk: 8 },
  ],
  [
    'the same after the voice of another recording repeated digits',
    [
      { kind: 'SYNTHETIC_SPEECH', decision: 'UNCERTAIN', risk: 430, reliability: 69, recording: 'one' },
      { kind: 'CHANNEL_PLAYBACK', decision: 'NO_RISK_DETECTED', risk: 8, reliability: 69, recording: 'one' },
      { kind: 'LIVENESS', decision: 'AUTHENTIC', recording: 'two' },
    ],
    { decision: 'UNCERTAIN', risk: 430 },
  ],
  [
    'checks that could not decide',
    [
      { kind: 'FRAUD_DETECTION', decision: 'UNCERTAIN', risk: 50, reliability: 20 },
      { kind: 'CHANNEL_PLAYBACK', decision: 'UNCERTAIN', risk: 60, reliability: 30 },
    ],
    { decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY', risk: 60, reliability: 30 },
  ],
];

describe('which factor speaks for a session', () => {
  it.each(rules)('%s', (_name, factors, expected) => {
    expect(decideSession(factors.map(factorOf), parameters)).toMatchObject(expected);
  });

  it('has no figures where nothing was scored', () => {
    expect(decideSession([factorOf(unheard)], parameters)).not.toHaveProperty('risk');
  });
});
