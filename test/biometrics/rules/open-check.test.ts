// Which check keeps the answer open: only the one that nobody can stand in for, and only where it has not said that nothing was found.
import { expect, it } from 'vitest';
import {
  attackFactors,
  hasMismatch,
  isUncheckedIn,
  keepsAnswerOpen,
  makesUpFor,
  undecidedAmong,
  undecidedIn,
} from '../../../src/biometrics/rules/open-check.js';
import type { Decision } from '../../../src/biometrics/model/outcome.js';
import type { FactorKind } from '../../../src/biometrics/model/sessions.js';

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

type Remembered = readonly [FactorKind, Decision, recording: string, reason?: string];
const match: Remembered = ['AUTHENTICATION', 'AUTHENTIC', 'a'];
const liveMatch: Remembered = ['AUTHENTICATION', 'AUTHENTIC', 'live'];

it.each<[string, Decision, Remembered[], FactorKind[]]>([
  ['no check', 'AUTHENTIC', [match], []],
  ['a clear one', 'AUTHENTIC', [match, ['SYNTHETIC_SPEECH', 'NO_RISK_DETECTED', 'a']], []],
  ['an open one', 'AUTHENTIC', [match, ['SYNTHETIC_SPEECH', 'UNCERTAIN', 'a']], ['SYNTHETIC_SPEECH']],
  ['one of another recording', 'AUTHENTIC', [match, ['SYNTHETIC_SPEECH', 'UNCERTAIN', 'b']], []],
  ['an open one', 'NO_RISK_DETECTED', [['CHANNEL_PLAYBACK', 'UNCERTAIN', 'b']], ['CHANNEL_PLAYBACK']],
  ['an open one', 'NO_MATCH', [match, ['SYNTHETIC_SPEECH', 'UNCERTAIN', 'a']], []],
  ['nothing but an open one', 'UNCERTAIN', [['SYNTHETIC_SPEECH', 'UNCERTAIN', 'a']], ['SYNTHETIC_SPEECH']],
  [
    'an open one, and nobody of a watchlist',
    'UNCERTAIN',
    [
      ['FRAUD_DETECTION', 'NO_RISK_DETECTED', 'a'],
      ['SYNTHETIC_SPEECH', 'UNCERTAIN', 'a'],
      ['CHANNEL_PLAYBACK', 'NO_RISK_DETECTED', 'a'],
    ],
    ['SYNTHETIC_SPEECH'],
  ],
  [
    'an open one, and a match',
    'UNCERTAIN',
    [match, ['SYNTHETIC_SPEECH', 'FAILED', 'a']],
    ['SYNTHETIC_SPEECH'],
  ],
  [
    'an open one, and an open comparison',
    'UNCERTAIN',
    [
      ['AUTHENTICATION', 'UNCERTAIN', 'a'],
      ['SYNTHETIC_SPEECH', 'UNCERTAIN', 'a'],
    ],
    [],
  ],
  [
    'an open one, and an open watchlist',
    'UNCERTAIN',
    [
      ['FRAUD_DETECTION', 'UNCERTAIN', 'a'],
      ['SYNTHETIC_SPEECH', 'UNCERTAIN', 'a'],
    ],
    [],
  ],
  [
    'an open one, and a watchlist without anybody',
    'UNCERTAIN',
    [
      ['FRAUD_DETECTION', 'UNCERTAIN', 'a', 'NO_SCORES'],
      ['SYNTHETIC_SPEECH', 'UNCERTAIN', 'a'],
    ],
    ['SYNTHETIC_SPEECH'],
  ],
  [
    'two of one recording, of which one is open',
    'AUTHENTIC',
    [match, ['SYNTHETIC_SPEECH', 'UNCERTAIN', 'a'], ['SYNTHETIC_SPEECH', 'NO_RISK_DETECTED', 'a']],
    ['SYNTHETIC_SPEECH'],
  ],
  [
    'one of a live call that was open at first',
    'AUTHENTIC',
    [liveMatch, ['SYNTHETIC_SPEECH', 'UNCERTAIN', 'live'], ['SYNTHETIC_SPEECH', 'NO_RISK_DETECTED', 'live']],
    [],
  ],
  [
    'one of a live call that is open at last',
    'AUTHENTIC',
    [liveMatch, ['SYNTHETIC_SPEECH', 'NO_RISK_DETECTED', 'live'], ['SYNTHETIC_SPEECH', 'UNCERTAIN', 'live']],
    ['SYNTHETIC_SPEECH'],
  ],
])('%s beside %s in a session', (_check, decision, remembered, open) => {
  const factors = remembered.map(([kind, made, recording, why = '']) => ({
    kind,
    decision: made,
    recording,
    reason: why,
    operation: recording === 'live' ? 'LiveAudio' : 'Verify',
  }));
  expect(undecidedIn(decision, factors, ({ recording }) => recording)).toEqual(open);
});

it.each<[string, Decision, [FactorKind, Decision, string?][], boolean]>([
  ['a match', 'AUTHENTIC', [['AUTHENTICATION', 'AUTHENTIC']], true],
  ['nobody of a watchlist', 'NO_RISK_DETECTED', [['FRAUD_DETECTION', 'NO_RISK_DETECTED']], true],
  ['an empty watchlist', 'UNCERTAIN', [['FRAUD_DETECTION', 'UNCERTAIN', 'NO_SCORES']], true],
  ['an untrained watchlist', 'UNCERTAIN', [['FRAUD_DETECTION', 'UNCERTAIN', 'NOT_ENOUGH_SEGMENTS']], true],
  [
    'a watchlist that could not tell',
    'UNCERTAIN',
    [['FRAUD_DETECTION', 'UNCERTAIN', 'LOW_RELIABILITY']],
    false,
  ],
  [
    'an empty watchlist and too little speech',
    'UNCERTAIN',
    [
      ['FRAUD_DETECTION', 'UNCERTAIN', 'NO_SCORES'],
      ['AUTHENTICATION', 'UNCERTAIN', 'AUDIO_TOO_SHORT'],
    ],
    false,
  ],
  [
    'an empty watchlist and an attack check',
    'NO_RISK_DETECTED',
    [
      ['FRAUD_DETECTION', 'UNCERTAIN', 'NO_SCORES'],
      ['SYNTHETIC_SPEECH', 'NO_RISK_DETECTED'],
    ],
    false,
  ],
])('nobody looked for attacks beside %s', (_name, decision, made, isUnchecked) => {
  const factors = made.map(([kind, one, reason = '']) => ({ kind, decision: one, reason }));
  expect(isUncheckedIn(decision, factors)).toBe(isUnchecked);
});

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

it.each([
  ['nobody', [], false],
  ['clear of synthetic speech', [['SYNTHETIC_SPEECH', 'NO_RISK_DETECTED']], true],
  ['an attack', [['CHANNEL_PLAYBACK', 'FRAUD']], true],
  ['clear of playback alone', [['CHANNEL_PLAYBACK', 'NO_RISK_DETECTED']], false],
  [
    'undecided',
    [
      ['SYNTHETIC_SPEECH', 'UNCERTAIN'],
      ['CHANNEL_PLAYBACK', 'NO_RISK_DETECTED'],
    ],
    false,
  ],
  ['no known fraudster', [['FRAUD_DETECTION', 'NO_RISK_DETECTED']], false],
] as const)('makes up for what nobody had checked: %s', (_name, made, isMadeUp) => {
  expect(makesUpFor(made.map(([kind, decision]) => ({ kind, decision })))).toBe(isMadeUp);
});
