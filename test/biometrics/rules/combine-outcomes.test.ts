// One decision over all factors of AnalyzeAudio.
import { describe, expect, it } from 'vitest';
import { combineOutcomes, type OverallOutcome } from '../../../src/biometrics/rules/combine-outcomes.js';

type Factor = Parameters<typeof combineOutcomes>[0];
type Attack = Parameters<typeof combineOutcomes>[2][number];

const risk = (value: number) => ({ risk: value, reliability: 80 });
const match: Factor = { decision: 'AUTHENTIC', reason: 'VOICEPRINT_MATCH', risk: risk(100) };
const noMatch: Factor = { decision: 'NO_MATCH', reason: 'VOICEPRINT_NO_MATCH', risk: risk(600) };
const known: Factor = { decision: 'FRAUD', reason: 'FRAUDSTER_INDICATION', risk: risk(750) };
const unknown: Factor = { decision: 'NO_RISK_DETECTED', reason: 'NO_RISK_DETECTED', risk: risk(20) };
const synthetic: Attack = {
  kind: 'synthetic',
  decision: 'FRAUD',
  reason: 'SYNTHETIC_SPEECH_DETECTED',
  risk: risk(950),
  unfamiliar: false,
};
const clear: Attack = {
  kind: 'synthetic',
  decision: 'NO_RISK_DETECTED',
  reason: 'AUDIO_OK',
  risk: risk(30),
  unfamiliar: false,
};
const notReplayed: Attack = { ...clear, kind: 'playback' };
const unsure: Attack = {
  kind: 'synthetic',
  decision: 'UNCERTAIN',
  reason: 'LOW_RELIABILITY',
  risk: risk(500),
  unfamiliar: false,
};
const unsureOfReplay: Attack = { ...unsure, kind: 'playback' };
const foreign: Attack = { ...unsure, unfamiliar: true };
const short: Attack = {
  kind: 'synthetic',
  decision: 'UNCERTAIN',
  reason: 'AUDIO_TOO_SHORT',
  unfamiliar: false,
};

const cannotKnow: OverallOutcome = { decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY', risk: risk(500) };

const cases: [name: string, Factor, Factor, Attack[], OverallOutcome][] = [
  ['a match alone', match, undefined, [], match],
  ['a match of nobody on the watchlist', match, unknown, [], match],
  ['a match that the watchlist knows', match, known, [], known],
  ['no match and nobody known', noMatch, unknown, [], noMatch],
  ['nobody known and nobody claimed', undefined, unknown, [], unknown],
  [
    'an attack beats a match',
    match,
    unknown,
    [synthetic],
    { decision: 'FRAUD', reason: 'FRAUDSTER_INDICATION', risk: risk(950) },
  ],
  [
    'of two alarms the worse gives the risk',
    match,
    known,
    [synthetic],
    { decision: 'FRAUD', reason: 'FRAUDSTER_INDICATION', risk: risk(950) },
  ],
  ['a check that abstains changes nothing', match, unknown, [unsure], match],
  ['a check that has met nothing like it lets no match pass', match, unknown, [foreign], cannotKnow],
  ['nor an all-clear of the watchlist', undefined, unknown, [foreign], cannotKnow],
  ['nor one of another check', undefined, undefined, [foreign, notReplayed], cannotKnow],
  ['but a voice that does not match stays one', noMatch, unknown, [foreign], noMatch],
  [
    'and an alarm is one',
    match,
    unknown,
    [foreign, synthetic],
    { decision: 'FRAUD', reason: 'FRAUDSTER_INDICATION', risk: risk(950) },
  ],
  ['a check that clears changes nothing', noMatch, undefined, [clear], noMatch],
  [
    'checks alone, clear',
    undefined,
    undefined,
    [clear, notReplayed],
    { decision: 'NO_RISK_DETECTED', reason: 'AUDIO_OK', risk: risk(30) },
  ],
  ['no playback does not mean no synthetic speech', undefined, undefined, [unsure, notReplayed], cannotKnow],
  ['nor does nobody known', undefined, unknown, [unsure, notReplayed], cannotKnow],
  [
    'nor where the audio was too short for it',
    undefined,
    undefined,
    [short, notReplayed],
    { decision: 'UNCERTAIN', reason: 'AUDIO_TOO_SHORT' },
  ],
  [
    'but a check for playback that cannot know leaves the all-clear alone',
    undefined,
    undefined,
    [clear, unsureOfReplay],
    { decision: 'NO_RISK_DETECTED', reason: 'AUDIO_OK', risk: risk(30) },
  ],
  ['and that of the watchlist', undefined, unknown, [clear, unsureOfReplay], unknown],
  ['playback alone, unsure', undefined, undefined, [unsureOfReplay], cannotKnow],
  [
    'playback alone, clear',
    undefined,
    undefined,
    [notReplayed],
    { decision: 'NO_RISK_DETECTED', reason: 'AUDIO_OK', risk: risk(30) },
  ],
  [
    'checks alone, unsure',
    undefined,
    undefined,
    [unsure],
    { decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY', risk: risk(500) },
  ],
  [
    'checks alone, audio unfit',
    undefined,
    undefined,
    [short, short],
    { decision: 'UNCERTAIN', reason: 'AUDIO_TOO_SHORT' },
  ],
];

describe('the decision over all factors', () => {
  it.each(cases)('%s', (_name, authentication, fraud, attacks, expected) => {
    expect(combineOutcomes(authentication, fraud, attacks)).toEqual(expected);
  });
});
