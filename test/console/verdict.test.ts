// The one verdict over a session, by every mix of checks that may have run in it.
import { expect, it } from 'vitest';
import { isUnchecked } from '../../src/console/pages/sessions/open-checks.js';
import * as verdicts from '../../src/console/pages/sessions/verdict.js';
import { text as german } from '../../src/console/text/de/sessions.js';
import { text as english } from '../../src/console/text/en/sessions.js';
import type { DecisionJson } from '../../src/gen/vendor/biosec/v1/common_pb.js';
import type { TimelineEventJson } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';

const check = (
  factor: string,
  decision: DecisionJson,
  reason: string,
  more: Partial<TimelineEventJson> = {},
): TimelineEventJson => ({
  decision,
  reason,
  attributes: { factor },
  gkMediaSegmentId: { value: 'first' },
  ...more,
});
const match = check('AUTHENTICATION', 'DECISION_AUTHENTIC', 'VOICEPRINT_MATCH', { risk: 5 });
const other = check('AUTHENTICATION', 'DECISION_FRAUD', 'FRAUDSTER_INDICATION', { risk: 800 });
const refused = check('AUTHENTICATION', 'DECISION_UNCERTAIN', 'PROFILE_LOCKED');
const live = check('SYNTHETIC_SPEECH', 'DECISION_NO_RISK_DETECTED', 'AUDIO_OK', { risk: 3 });
const machine = check('SYNTHETIC_SPEECH', 'DECISION_FRAUD', 'SYNTHETIC_SPEECH_DETECTED', { risk: 900 });
const known = check('FRAUD_DETECTION', 'DECISION_FRAUD', 'FRAUDSTER_INDICATION', { risk: 950 });
const replayed = check('CHANNEL_PLAYBACK', 'DECISION_FRAUD', 'PLAYBACK_INDICATION', { risk: 800 });
const unsure = check('SYNTHETIC_SPEECH', 'DECISION_UNCERTAIN', 'LOW_RELIABILITY', { risk: 20 });
const failed = check('SYNTHETIC_SPEECH', 'DECISION_FAILED', 'INTERNAL_ERROR');
/** A search through stored calls names no recording. */
const foundBySearch: TimelineEventJson = {
  operation: 'FindCalls',
  decision: 'DECISION_FRAUD',
  reason: 'FRAUDSTER_INDICATION',
  attributes: { factor: 'FRAUD_DETECTION' },
};
const noMatch = check('AUTHENTICATION', 'DECISION_NO_MATCH', 'VOICEPRINT_NO_MATCH', { risk: 500 });
const short = check('AUTHENTICATION', 'DECISION_UNCERTAIN', 'AUDIO_TOO_SHORT');
const notListed = check('FRAUD_DETECTION', 'DECISION_NO_RISK_DETECTED', 'NO_RISK_DETECTED', { risk: 9 });
const unlisted = check('FRAUD_DETECTION', 'DECISION_UNCERTAIN', 'LOW_RELIABILITY');
const emptyList = check('FRAUD_DETECTION', 'DECISION_UNCERTAIN', 'NO_SCORES');
const untrained = check('FRAUD_DETECTION', 'DECISION_UNCERTAIN', 'NOT_ENOUGH_SEGMENTS');
const unplayed = check('CHANNEL_PLAYBACK', 'DECISION_UNCERTAIN', 'LOW_RELIABILITY', { risk: 20 });
const played = check('CHANNEL_PLAYBACK', 'DECISION_NO_RISK_DETECTED', 'AUDIO_OK', { risk: 3 });
const cut: TimelineEventJson = { operation: 'CutOffCall', attributes: { liveCallId: 'call' } };
const stopped: TimelineEventJson = {
  operation: 'EndCall',
  attributes: { liveCallId: 'call', endReason: 'ended' },
};
const ofGroup = (event: TimelineEventJson, gkGroupId: string): TimelineEventJson => ({
  ...event,
  operation: 'Identify',
  attributes: { ...event.attributes, gkGroupId },
});
/** Of which no recording is kept. */
function inCall({ gkMediaSegmentId: _none, ...event }: TimelineEventJson): TimelineEventJson {
  return { ...event, isFactor: true, attributes: { ...event.attributes, liveCallId: 'call' } };
}
const twoVoices = (stretchFromMs: string): TimelineEventJson =>
  check('AUTHENTICATION', 'DECISION_UNCERTAIN', 'SPEAKER_CHANGED', {
    attributes: { factor: 'AUTHENTICATION', stretchFromMs, stretchToMs: '99000' },
  });
const elsewhere = { gkMediaSegmentId: { value: 'second' } };

/** Whoever looks for synthetic speech has looked for playback as well, unless it says otherwise: session-marks.test.ts has the rest. */
function both(events: readonly TimelineEventJson[]): TimelineEventJson[] {
  const placeOf = ({ gkMediaSegmentId, attributes }: TimelineEventJson) =>
    `${gkMediaSegmentId?.value} ${attributes?.['liveCallId']}`;
  const isPlayback = (event: TimelineEventJson) => event.attributes?.['factor'] === 'CHANNEL_PLAYBACK';
  const isPlayed = new Set(events.filter(isPlayback).map(placeOf));
  return events.flatMap((event) => {
    if (event.attributes?.['factor'] !== 'SYNTHETIC_SPEECH' || isPlayed.has(placeOf(event))) return event;
    const attributes = { ...event.attributes, factor: 'CHANNEL_PLAYBACK' };
    return [event, { ...event, decision: 'DECISION_NO_RISK_DETECTED', reason: 'AUDIO_OK', attributes }];
  });
}
const { cutOffIn, printToLock } = verdicts;
const verdictOn: typeof verdicts.verdictOn = (decided, events, later = []) =>
  verdicts.verdictOn(decided, both(events), both(later));
const isReliable: typeof verdicts.isReliable = (decision, events, later) =>
  verdicts.isReliable(decision, both(events), both(later));
const isAllClear: typeof verdicts.isAllClear = (decision, events, later) =>
  verdicts.isAllClear(decision, both(events), both(later));

type Case = [
  name: string,
  events: TimelineEventJson[],
  decision: DecisionJson,
  reason: string,
  title: RegExp,
];

const cases: Case[] = [
  [
    'somebody who has no voiceprint, and nothing found',
    [check('AUTHENTICATION', 'DECISION_UNCERTAIN', 'NOT_ENROLLED'), notListed, live],
    'DECISION_UNCERTAIN',
    'NO_AVAILABLE_SCORES',
    /^Not compared, because this person has no trained voiceprint$/,
  ],
  [
    'somebody who has opted out, whom nobody is told to enroll',
    [check('AUTHENTICATION', 'DECISION_UNCERTAIN', 'PERSON_OPTED_OUT'), notListed, live],
    'DECISION_UNCERTAIN',
    'NO_AVAILABLE_SCORES',
    /^Not compared, because this person has opted out of voice biometrics$/,
  ],
  ['a match that was checked', [match, live], 'DECISION_AUTHENTIC', 'AUTHENTIC', /^The voice matches the/],
  ['one that was not', [match], 'DECISION_AUTHENTIC', 'AUTHENTIC', /attack checks were not made/],
  [
    'one of which another recording was checked',
    [match, { ...live, ...elsewhere }],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /attack checks were not made/,
  ],
  [
    'two of which one recording was checked',
    [match, live, { ...match, ...elsewhere }],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matches, but 1 of 2 recordings was not checked for attacks$/,
  ],
  [
    'one of which a check could not decide',
    [match, live, unsure],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /attack check could not decide/,
  ],
  [
    'one that was checked, and another that could not be',
    [match, live, { ...match, ...elsewhere }, { ...unsure, ...elsewhere }],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /attack check could not decide/,
  ],
  [
    'one that an attack check has left open',
    [match, unsure],
    'DECISION_UNCERTAIN',
    'LOW_RELIABILITY',
    /^The voice matches, but an attack check could not decide$/,
  ],
  [
    'nobody on the watchlist, and an attack check that has left it open',
    [notListed, unsure, played],
    'DECISION_UNCERTAIN',
    'DECISION_REASON_LOW_RELIABILITY',
    /^Not a known fraudster, but an attack check could not decide: synthetic speech$/,
  ],
  [
    'no list, and one of two attack checks',
    [unsure, played],
    'DECISION_UNCERTAIN',
    'LOW_RELIABILITY',
    /not every check could decide: synthetic speech$/,
  ],
  [
    'no check at all that decided',
    [unlisted, unsure],
    'DECISION_UNCERTAIN',
    'LOW_RELIABILITY',
    /^No check could/,
  ],
  [
    'attack checks only, none of which decided',
    [unsure, unplayed],
    'DECISION_UNCERTAIN',
    'LOW_RELIABILITY',
    /^No check could/,
  ],
  ['a poor recording', [notListed, unsure], 'DECISION_UNCERTAIN', 'BAD_AUDIO', /not good enough/],
  ['a match by a computer', [match, machine], 'DECISION_FRAUD', 'FRAUD_RISK', /computer-generated/],
  ['a match of a fraudster', [match, machine, known], 'DECISION_FRAUD', 'FRAUD_RISK', /known fraudster/],
  [
    'another voice',
    [other, live],
    'DECISION_FRAUD',
    'FRAUD_RISK',
    /not that of the person it was compared with/,
  ],
  ['a lock', [refused, live], 'DECISION_UNCERTAIN', 'NO_AVAILABLE_SCORES', /refused, because .* locked/],
  [
    'another voice in the next recording',
    [match, live, { ...noMatch, ...elsewhere }, { ...live, ...elsewhere }],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matches, but not in recording 2$/,
  ],
  [
    'another voice in the recording before',
    [{ ...noMatch, ...elsewhere }, match, live],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matches, but not in recording 1$/,
  ],
  [
    'another voice, and no attack check at all',
    [match, { ...noMatch, ...elsewhere }],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matches, but not in recording 2$/,
  ],
  [
    'the voiceprint of somebody else first',
    [noMatch, match, live],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /matches one voiceprint, and not another/,
  ],
  [
    'a recording that was too short, and was made again',
    [{ ...short, ...elsewhere }, match, live],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matches the/,
  ],
  [
    'nobody of a group, then a person by name',
    [ofGroup(noMatch, 'staff'), match, live],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matches the/,
  ],
  [
    'somebody of a group, then nobody of it',
    [ofGroup(match, 'staff'), live, { ...ofGroup(noMatch, 'staff'), ...elsewhere }],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matches, but not in recording 2$/,
  ],
  [
    'a watchlist that could not be asked',
    [match, live, unlisted],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /watchlist check could not decide/,
  ],
  [
    'a watchlist without anybody',
    [match, live, emptyList],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matches, but nobody on the watchlist had a trained voiceprint$/,
  ],
  [
    'a live call that was uncertain at first',
    [inCall(unsure), inCall(short), inCall(live), inCall(match)],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matches the/,
  ],
  [
    'a live call that matched at first',
    [inCall(live), inCall(match), inCall(live), inCall(short)],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /matched at first, and no longer does/,
  ],
  [
    'a live call that somebody else takes over',
    [inCall(live), inCall(match), inCall(live), inCall(twoVoices('17300')), inCall(twoVoices('25000'))],
    'DECISION_UNCERTAIN',
    'LOW_RELIABILITY',
    /^Somebody else speaks in a part of the call, from about 17 s on, after the voice had matched$/,
  ],
  [
    'one that is only a stranger’s in the end',
    [inCall(match), inCall(twoVoices('17300')), inCall(noMatch)],
    'DECISION_NO_MATCH',
    'NO_MATCH',
    /from about 17 s on, after the voice had matched$/,
  ],
  [
    'one that matches again',
    [inCall(match), inCall(live), inCall(twoVoices('17300')), inCall(match), inCall(live)],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matches the/,
  ],
  [
    'a stranger in a part of a recording',
    [twoVoices('2000'), live],
    'DECISION_UNCERTAIN',
    'LOW_RELIABILITY',
    /^Somebody else speaks in a part of the call, from about 2 s on$/,
  ],
  [
    'such a recording beside one that matches',
    [match, live, { ...twoVoices('2000'), ...elsewhere }],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^Somebody else speaks in a part of the call, from about 2 s on$/,
  ],
  [
    'a live call whose attack check is unsure at last',
    [inCall(live), inCall(match), inCall(unsure), inCall(match)],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /attack check could not decide/,
  ],
  [
    'a live call that was cut off',
    [inCall(live), inCall(match), cut],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /matched until listening was cut off/,
  ],
  [
    'a live call that somebody stopped listening to',
    [inCall(live), inCall(match), stopped],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matched until somebody stopped listening$/,
  ],
  [
    'one whose session was over by then',
    [inCall(live), inCall(match), { operation: 'EndCall', attributes: { liveCallId: 'call' } }],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matches the/,
  ],
  [
    'one in which nothing was found until then',
    [inCall(notListed), inCall(live), stopped],
    'DECISION_NO_RISK_DETECTED',
    'NO_RISK_DETECTED',
    /^Nothing suspicious was found until somebody stopped listening$/,
  ],
  [
    'a live call in which nobody spoke',
    [{ operation: 'LiveAudio', attributes: { liveCallId: 'call', netSpeechMs: '0', lengthMs: '20000' } }],
    'DECISION_UNCERTAIN',
    'NO_DATA',
    /^20 s of the call were listened to, and no speech was heard$/,
  ],
  [
    'a lock that is open again',
    [refused, match, live],
    'DECISION_AUTHENTIC',
    'AUTHENTIC',
    /^The voice matches the/,
  ],
];

const later: [name: string, later: TimelineEventJson[], decision: DecisionJson, title: RegExp][] = [
  [
    'a fraudster who was found later',
    [known],
    'DECISION_AUTHENTIC',
    /fraudster was found in this call later/,
  ],
  [
    'one where nothing was found before',
    [known, machine],
    'DECISION_NO_RISK_DETECTED',
    /fraudster was found/,
  ],
  ['one where fraud was known', [known], 'DECISION_FRAUD', /signs of fraud/],
  [
    'an attack that was found later',
    [machine],
    'DECISION_AUTHENTIC',
    /Signs of an attack were found in this call later: synthetic speech$/,
  ],
  [
    'attacks that were found later',
    [machine, machine, replayed],
    'DECISION_AUTHENTIC',
    /found in this call later: synthetic speech, playback$/,
  ],
  ['one that a check could not hear later', [unsure], 'DECISION_AUTHENTIC', /attack check could not decide/],
  ['a match that was checked later', [live], 'DECISION_AUTHENTIC', /^The voice matches the/],
  [
    'one of which another was',
    [{ ...live, ...elsewhere }],
    'DECISION_AUTHENTIC',
    /attack checks were not made/,
  ],
  ['a comparison with somebody else', [other], 'DECISION_AUTHENTIC', /attack checks were not made/],
];

it.each(later)('after %s', (_name, events, decision, title) => {
  const reason = `DECISION_REASON_${decision.replace('DECISION_', '')}`;
  const own = decision === 'DECISION_AUTHENTIC' ? [match] : [];
  expect(verdictOn({ decision, reason }, own, events).title).toMatch(title);
});

it.each(cases)('%s', (_name, events, decision, reason, title) => {
  const verdict = verdictOn({ decision, reason: `DECISION_REASON_${reason}` }, events);
  expect(verdict.title).toMatch(title);
  // Only where all have spoken for it is anybody told to carry on.
  expect(verdict.next.includes('carry on')).toBe(title.source === '^The voice matches the');
});

const clear: [name: string, events: TimelineEventJson[], later: TimelineEventJson[], title: RegExp][] = [
  ['all was checked', [live, notListed], [], /^Nothing suspicious was found$/],
  [
    'nobody looked for attacks',
    [notListed],
    [],
    /^No known fraudster was recognized, but attack checks were not/,
  ],
  ['somebody looked for attacks later', [notListed], [live], /^Nothing suspicious was found$/],
  [
    'another recording was checked',
    [notListed, { ...live, ...elsewhere }],
    [],
    /attack checks were not made$/,
  ],
  ['a check was unsure', [live, unplayed], [], /not every check could decide: playback$/],
  ['a check failed', [notListed, failed], [], /not every check could decide: synthetic speech$/],
  [
    'several were unsure, one of them twice',
    [live, unplayed, emptyList, { ...live, ...elsewhere }, { ...unplayed, ...elsewhere }],
    [],
    /not every check could decide: playback, known fraudsters$/,
  ],
  [
    'nobody was on the watchlist',
    [live, emptyList],
    [],
    /but nobody on the watchlist had a trained voiceprint$/,
  ],
  ['one was unsure later', [live], [unplayed], /not every check could decide: playback$/],
  ['a live call was unsure at first', [inCall(unsure), inCall(live)], [], /^Nothing suspicious was found$/],
  ['a live call was cut off', [inCall(live), cut], [], /found until listening was cut off$/],
  [
    'one was cut off, and a check was unsure',
    [inCall(live), inCall(unplayed), cut],
    [],
    /not every check could decide: playback$/,
  ],
];

it.each(clear)('finds nothing, where %s', (_name, events, found, title) => {
  const decided = { decision: 'DECISION_NO_RISK_DETECTED', reason: 'NO_RISK_DETECTED' } as const;
  const { title: told, next, nextUnkept = next } = verdictOn(decided, events, found);
  expect(told).toMatch(title);
  for (const advice of [next, nextUnkept]) {
    expect(advice.includes('No action')).toBe(title.source === '^Nothing suspicious was found$');
    expect(/after listening was cut off/.test(advice)).toBe(events.includes(cut));
  }
});

it.each([
  [
    'alone',
    [emptyList],
    [],
    /^Nobody was compared\. Add .* check again\. Attack checks were not made, either\.$/,
  ],
  ['and checked since', [emptyList], [live], /^Nobody was compared\. Add .* check again\.$/],
  [
    'with others on it who are not trained',
    [untrained],
    [live],
    /^Nobody was compared\. Train .* check again\.$/,
  ],
])('says of a watchlist without anybody what its check says: %s', (_name, events, later, next) => {
  const decided = { decision: 'DECISION_UNCERTAIN', reason: 'NO_AVAILABLE_SCORES' } as const;
  const told = verdictOn(decided, events, later);
  expect(told.title).toBe('Nobody on the watchlist had a trained voiceprint');
  expect(told.next).toMatch(next);
  expect(isUnchecked(events)).toBe(true);
  // Something else was compared, and was not enough.
  expect(verdictOn(decided, [...events, short], later).title).not.toBe(told.title);
  expect(isUnchecked([...events, short])).toBe(false);
});

it.each([
  ['clear', [notListed, live], [], 'DECISION_NO_RISK_DETECTED', true],
  ['a match that was checked', [match, live, notListed], [], 'DECISION_AUTHENTIC', true],
  ['never checked', [notListed], [], 'DECISION_NO_RISK_DETECTED', false],
  ['never checked beside a match', [notListed, match], [], 'DECISION_AUTHENTIC', false],
  ['checked since', [notListed], [live], 'DECISION_NO_RISK_DETECTED', true],
  ['found since', [notListed], [machine], 'DECISION_NO_RISK_DETECTED', false],
  ['unsure since', [notListed], [unsure], 'DECISION_NO_RISK_DETECTED', false],
  ['an alarm', [notListed, machine], [], 'DECISION_FRAUD', false],
  ['no match', [notListed, live, noMatch], [], 'DECISION_NO_MATCH', false],
] as const)(
  'tells nobody that nothing is to be done, unless all is clear: %s',
  (_name, events, later, decision, isClear) => {
    expect(isAllClear(decision, events, later)).toBe(isClear);
  },
);

const matches: [
  name: string,
  events: TimelineEventJson[],
  later: TimelineEventJson[],
  decision: DecisionJson,
  isReliable: boolean,
][] = [
  ['checked and clear', [match, live], [], 'DECISION_AUTHENTIC', true],
  ['checked and clear later', [match], [live], 'DECISION_AUTHENTIC', true],
  ['compared with somebody else later', [match, live], [other], 'DECISION_AUTHENTIC', true],
  [
    'clear, with a doubt about another',
    [match, live],
    [{ ...unsure, ...elsewhere }],
    'DECISION_AUTHENTIC',
    true,
  ],
  ['not checked', [match], [], 'DECISION_AUTHENTIC', false],
  ['not checked itself', [match, { ...live, ...elsewhere }], [], 'DECISION_AUTHENTIC', false],
  ['not clear', [match, live, unsure], [], 'DECISION_AUTHENTIC', false],
  ['whose check failed', [match, failed], [], 'DECISION_AUTHENTIC', false],
  ['not clear later', [match], [unsure], 'DECISION_AUTHENTIC', false],
  ['clear, and not so clear later', [match, live], [live, unsure], 'DECISION_AUTHENTIC', false],
  ['by a computer', [match, machine], [], 'DECISION_FRAUD', false],
  ['by a computer, however it was decided', [match, machine], [], 'DECISION_AUTHENTIC', false],
  ['by a computer, which was found later', [match], [machine], 'DECISION_AUTHENTIC', false],
  ['clear, and played back', [match, live], [replayed], 'DECISION_AUTHENTIC', false],
  ['clear, beside an attack', [match, live], [{ ...machine, ...elsewhere }], 'DECISION_AUTHENTIC', false],
  ['clear, of a fraudster', [match, live], [known], 'DECISION_AUTHENTIC', false],
  ['clear, of a fraudster by a search', [match, live], [foundBySearch], 'DECISION_AUTHENTIC', false],
  ['clear, in a session that is not decided', [match, live], [], 'DECISION_UNCERTAIN', false],
];

it.each(matches)('a match that is %s', (_name, events, found, decision, expected) => {
  expect(isReliable(decision, events, found)).toBe(expected);
  // The result above it says the same.
  const verdict = verdictOn({ decision, reason: undefined }, events, found);
  expect(verdict.next.includes('carry on')).toBe(expected);
});

it.each([
  ['English', english, /carry on/],
  ['German', german, /fortfahren/],
])('says in %s what speaks against a match', (_language, { session: { verdict }, heard }, carryOn) => {
  const { notChecked, checkUncertain, attackLater, fraudsterLater } = verdict;
  const { mismatch, listUncertain, matchCutOff } = verdict;
  for (const { next } of [notChecked, checkUncertain, attackLater, fraudsterLater])
    expect(next).not.toMatch(carryOn);
  for (const { next } of [mismatch, listUncertain, matchCutOff]) expect(next).not.toMatch(carryOn);
  expect(heard.doNotRely).not.toMatch(carryOn);
  expect(attackLater.title('Playback')).toMatch(/: playback$/i);
});

it('tells that listening was cut off, unless the call went on', () => {
  const heard = { ...match, isFactor: true };
  const note: TimelineEventJson = { operation: 'UpdateEngagement' };
  expect(cutOffIn([heard, cut, note])).toBe(cut);
  expect(cutOffIn([cut, heard])).toBeUndefined();
  const [lost, back] = [{ operation: 'LoseCall' }, { operation: 'ResumeCall' }];
  expect(cutOffIn([heard, lost, note])).toBe(lost);
  expect(cutOffIn([heard, lost, back, note])).toBeUndefined();
  expect(cutOffIn([heard, lost, cut])).toBe(cut);
  expect(cutOffIn([heard, note])).toBeUndefined();
});

const of = (
  event: TimelineEventJson,
  print: string,
  prints: string,
  more: Partial<TimelineEventJson> = {},
) => ({
  ...event,
  gkVoiceprintProfileId: { value: print },
  attributes: { ...event.attributes, prints },
  ...more,
});

it.each<[string, TimelineEventJson[], string | undefined]>([
  ['a verified recording', [of(match, 'one', '1', { operation: 'Verify' })], 'one'],
  ['a live call', [of(inCall(other), 'one', '1', { operation: 'LiveAudio' }), inCall(live)], 'one'],
  ['all checks at once', [of(noMatch, 'one', '1', { operation: 'AnalyzeAudio' })], 'one'],
  ['a refusal', [of(refused, 'one', '0', { operation: 'Verify' })], 'one'],
  ['the last of several', [of(match, 'one', '1'), of(noMatch, 'two', '1')], 'two'],
  ['whoever matched among many', [of(match, 'one', '90', { operation: 'Identify' })], 'one'],
  ['not whoever was only the nearest', [of(noMatch, 'one', '90', { operation: 'Identify' })], undefined],
  ['not a fraudster of a watchlist', [of(known, 'one', '1')], undefined],
  ['nobody, without a comparison', [machine, cut], undefined],
])('locks the voiceprint of %s', (_name, events, expected) => {
  expect(printToLock(events)).toBe(expected);
});

it('says beside every other doubt on a match that the rest of the call was not heard', () => {
  const decided = { decision: 'DECISION_AUTHENTIC', reason: 'AUTHENTIC' } as const;
  for (const check of [[inCall(unsure)], [inCall(live), inCall(unlisted)], []]) {
    const { title, next, nextUnkept } = verdictOn(decided, [...check, inCall(match), stopped]);
    expect(title).toMatch(/^The voice matches, but/);
    expect([next, nextUnkept].every((words) => words?.includes('was not heard'))).toBe(true);
    expect(verdictOn(decided, [...check, inCall(match)]).next).not.toContain('was not heard');
  }
});

it('asks for no better recording where nothing was checked', () => {
  const decided = { decision: 'DECISION_UNCERTAIN', reason: 'DECISION_REASON_NO_DATA' } as const;
  expect(verdicts.verdictOn(decided, [])).toEqual({ title: 'No check has been made', next: '' });
});
