// What stands beside the decision of a session, over all combinations of what was asked, and of what was looked for since: no word is green
// and bare unless everything was decided, and the head of the page says what the row of the list says.
import { expect, it } from 'vitest';
import type { Decision } from '../../src/biometrics/model/outcome.js';
import type { FactorKind } from '../../src/biometrics/model/sessions.js';
import { decidedIn, isFromElsewhere, marksOf } from '../../src/biometrics/rules/session-marks.js';
import { goneRecording } from '../../src/marks/open-points.js';
import {
  decidedPersons,
  isOtherClaimed,
  judgeCaller,
  type ComparedVoice,
} from '../../src/marks/who-called.js';
import {
  allMarks,
  allSince,
  claimOf,
  isMarked,
  personOf,
  roleOf,
  sessionWord,
} from '../../src/console/pages/biosec/session-words.js';
import { adviceOnCarried } from '../../src/console/pages/sessions/carried.js';
import { whoCalled, type Who } from '../../src/console/pages/sessions/who-called.js';
import { nextStep } from '../../src/console/pages/sessions/next-step.js';
import { judgedAsFraud, verdictOn } from '../../src/console/pages/sessions/verdict.js';
import type { DecisionJson } from '../../src/gen/vendor/biosec/v1/common_pb.js';
import type {
  CarriedDecisionJson,
  SessionEntryJson,
  SessionPersonJson,
  TimelineEventJson,
} from '../../src/gen/voxgate/biosec/v1/activity_pb.js';

interface Made {
  kind: FactorKind;
  decision: Decision;
  reason: string;
  operation: string;
  recording: string;
  gkCollectionId?: string;
}

const make = (kind: FactorKind, decision: Decision, reason = '', more: Partial<Made> = {}): Made => ({
  ...{ kind, decision, reason, operation: 'AnalyzeAudio', recording: 'a' },
  ...more,
});
const attacks = (synthetic: Decision, playback: Decision): Made[] => [
  make('SYNTHETIC_SPEECH', synthetic, 'LOW_RELIABILITY'),
  make('CHANNEL_PLAYBACK', playback, 'LOW_RELIABILITY'),
];
const [CLEAR, OPEN, FOUND] = ['NO_RISK_DETECTED', 'UNCERTAIN', 'FRAUD'] as const;

const decisions: readonly Decision[] = ['AUTHENTIC', 'NO_RISK_DETECTED', 'UNCERTAIN', 'NO_MATCH', 'FRAUD'];
const looked = {
  none: [],
  clear: attacks(CLEAR, CLEAR),
  'synthetic undecided': attacks(OPEN, CLEAR),
  'playback undecided': attacks(CLEAR, OPEN),
  found: attacks(FOUND, CLEAR),
  'no playback': [make('SYNTHETIC_SPEECH', CLEAR)],
  'playback only': [make('CHANNEL_PLAYBACK', CLEAR)],
};
/** What was looked for in the end, which the last word on each says. */
const inTheEnd = (then: keyof typeof looked, since: keyof typeof looked): Made[] => [
  ...new Map([...looked[then], ...looked[since]].map((made) => [made.kind, made])).values(),
];
const list = { gkCollectionId: 'ring' };
const watchlists = {
  none: [],
  compared: [make('FRAUD_DETECTION', CLEAR, '', list)],
  empty: [make('FRAUD_DETECTION', OPEN, 'NO_SCORES', list)],
};
const persons = {
  nobody: [],
  print: [make('AUTHENTICATION', 'AUTHENTIC')],
  'no print': [make('AUTHENTICATION', OPEN, 'NOT_ENROLLED')],
};

const namesOf = <T extends object>(of: T) => Object.keys(of) as (keyof T)[];
const combinations = decisions.flatMap((decision) =>
  namesOf(looked).flatMap((then) =>
    namesOf(looked).flatMap((since) =>
      namesOf(watchlists).flatMap((watchlist) =>
        namesOf(persons).map((person) => ({ decision, then, since, watchlist, person })),
      ),
    ),
  ),
);

const eventOf = ({ kind, decision, reason, recording, gkCollectionId }: Made): TimelineEventJson => ({
  decision: `DECISION_${decision}` as DecisionJson,
  reason,
  isFactor: true,
  attributes: { factor: kind, ...(gkCollectionId && { gkWatchlistId: gkCollectionId }) },
  gkMediaSegmentId: { value: recording },
});

/** The marks as a list has them, how its word is colored, and what the page says. */
function shown(decision: Decision, own: readonly Made[], later: readonly Made[]) {
  const {
    undecidedChecks = [],
    isUnchecked,
    missingChecks = [],
    isListOpen,
  } = marksOf(decision, {
    ...{ own, later },
    recordingOf: ({ recording }) => recording,
  });
  const marks = {
    undecidedChecks: [...undecidedChecks],
    missingChecks: [...missingChecks],
    withoutAttackChecks: isUnchecked === true,
    withoutWatchlist: isListOpen === true,
  };
  const riskInfo = { decision: `DECISION_${decision}` as DecisionJson };
  const { tone } = sessionWord({ session: { riskInfo }, checks: own.length, marks }) ?? {};
  const reason = decision === 'UNCERTAIN' ? 'LOW_RELIABILITY' : decision;
  const { title, next } = verdictOn({ ...riskInfo, reason }, own.map(eventOf), later.map(eventOf));
  return { marks, tone, words: `${title}. ${next}` };
}

const sayNothingToDo = /carry on|No action/;

it('is green and bare only where everything was decided, and the page agrees', () => {
  let green = 0;
  for (const { decision, then, since, watchlist, person } of combinations) {
    const name = `${decision}: then ${then}, since ${since}, watchlist ${watchlist}, ${person}`;
    const own = [...persons[person], ...watchlists[watchlist], ...looked[then]];
    // Nothing was asked, it was decided in an earlier session, or nobody decides so.
    if (own.length === 0 || (decision === 'AUTHENTIC' && person !== 'print')) continue;
    if (then === 'found' && decision !== 'FRAUD') continue;
    const { marks, tone, words } = shown(decision, own, looked[since]);
    const last = inTheEnd(then, since);
    const isAllDecided = last.filter((made) => made.decision === CLEAR).length === 2 && watchlist !== 'empty';
    const isYes = decision === 'AUTHENTIC' || decision === 'NO_RISK_DETECTED';
    if (isYes && since !== 'found') {
      expect(tone, name).toBe(isAllDecided ? 'good' : 'neutral');
      expect(isMarked(marks), name).toBe(!isAllDecided);
      expect(sayNothingToDo.test(words), `${name}: ${words}`).toBe(isAllDecided);
    }
    if (tone === 'good' && isAllDecided) green += 1;
    if (isMarked(marks)) expect(words, name).not.toMatch(sayNothingToDo);
    // What was found since stands beside it.
    if (since === 'found') expect(marks.undecidedChecks, name).toEqual([]);
    if (since === 'found' && isYes) expect(words, name).toMatch(/found in this call later/);
    if (decision === 'NO_MATCH' || decision === 'FRAUD') expect(isMarked(marks), name).toBe(false);
  }
  expect(green).toBeGreaterThan(0);
});

it('says of each of them what it is', () => {
  for (const { decision, then, since, watchlist, person } of combinations) {
    const name = `${decision}: then ${then}, since ${since}, watchlist ${watchlist}, ${person}`;
    const own = [...persons[person], ...watchlists[watchlist], ...looked[then]];
    if (own.length === 0 || decision === 'NO_MATCH' || decision === 'FRAUD' || then === 'found') continue;
    const { marks } = shown(decision, own, looked[since]);
    const last = inTheEnd(then, since);
    const kinds = ['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'] as const;
    const without = kinds.filter((kind) => !last.some((made) => made.kind === kind));
    expect(marks.withoutAttackChecks, name).toBe(without.length === 2);
    expect(marks.missingChecks, name).toEqual(without.length === 2 ? [] : without);
    expect(marks.withoutWatchlist, name).toBe(watchlist === 'empty');
    const open = kinds.filter((kind) => last.some((made) => made.kind === kind && made.decision === OPEN));
    expect(marks.undecidedChecks, name).toEqual(open);
  }
});

it('tells on the page of an uncertain session what its row has marked', () => {
  for (const { then, since, watchlist, person } of combinations) {
    const name = `then ${then}, since ${since}, watchlist ${watchlist}, ${person}`;
    const own = [...persons[person], ...watchlists[watchlist], ...looked[then]];
    if (own.length === 0 || then === 'found' || since === 'found' || person !== 'no print') continue;
    const { marks, words } = shown('UNCERTAIN', own, looked[since]);
    expect(/Attack checks were not made/.test(words), name).toBe(marks.withoutAttackChecks);
    expect(/clear whether a live person spoke/.test(words), name).toBe(marks.undecidedChecks.length > 0);
    expect(/this kind of attack/.test(words), name).toBe(marks.missingChecks.length > 0);
    expect(/Nobody on the watchlist/.test(words), name).toBe(marks.withoutWatchlist);
  }
});

const match = make('AUTHENTICATION', 'AUTHENTIC');
const of = (recording: string, ...made: Made[]): Made[] => made.map((one) => ({ ...one, recording }));
const live = (kind: FactorKind, decision: Decision): Made =>
  make(kind, decision, '', { recording: '', operation: 'LiveAudio' });
const liveMatch = [live('AUTHENTICATION', 'AUTHENTIC'), live('CHANNEL_PLAYBACK', CLEAR)];
const short = make('AUTHENTICATION', OPEN, 'AUDIO_TOO_SHORT');
const [clean, playedPerhaps] = [looked.clear, looked['playback undecided']];
const emptyToo = make('FRAUD_DETECTION', OPEN, 'NO_SCORES', { gkCollectionId: 'empty' });

it.each<[string, Decision, Made[], Made[], object]>([
  [
    'a check that could not tell, in a recording after the match',
    'AUTHENTIC',
    [match, ...clean, ...of('b', match, ...playedPerhaps)],
    [],
    { undecidedChecks: ['CHANNEL_PLAYBACK'] },
  ],
  [
    'the same without another match',
    'AUTHENTIC',
    [match, ...clean, ...of('b', short, ...playedPerhaps)],
    [],
    { undecidedChecks: ['CHANNEL_PLAYBACK'] },
  ],
  [
    'a check that could not tell, and a second try that matched and passed',
    'AUTHENTIC',
    [short, ...playedPerhaps, ...of('b', match, ...clean)],
    [],
    {},
  ],
  [
    'a second try that matched, and passed another check',
    'AUTHENTIC',
    [short, ...playedPerhaps, ...of('b', match, make('SYNTHETIC_SPEECH', CLEAR))],
    [],
    { undecidedChecks: ['CHANNEL_PLAYBACK'], missingChecks: ['CHANNEL_PLAYBACK'] },
  ],
  [
    'a second try that passed, and did not match',
    'AUTHENTIC',
    [match, ...playedPerhaps, ...of('b', short, ...clean)],
    [],
    { undecidedChecks: ['CHANNEL_PLAYBACK'] },
  ],
  [
    'a recording after the match that nobody checked',
    'AUTHENTIC',
    [match, ...clean, ...of('b', match)],
    [],
    { isUnchecked: true },
  ],
  [
    'a recording that nobody checked before one that matched and passed',
    'AUTHENTIC',
    [match, ...of('b', match, ...clean)],
    [],
    {},
  ],
  [
    'two recordings, one of them compared with a watchlist',
    'NO_RISK_DETECTED',
    [...watchlists.compared, ...clean, ...of('b', ...clean)],
    [],
    { isListOpen: true },
  ],
  [
    'the same, and the other since',
    'NO_RISK_DETECTED',
    [...watchlists.compared, ...clean, ...of('b', ...clean)],
    of('b', ...watchlists.compared),
    {},
  ],
  [
    'the same, and the other since with another watchlist',
    'NO_RISK_DETECTED',
    [...watchlists.compared, ...clean, ...of('b', ...clean)],
    of('b', make('FRAUD_DETECTION', CLEAR, '', { gkCollectionId: 'other' })),
    { isListOpen: true },
  ],
  [
    'two recordings, each compared with another watchlist, and one of them again since',
    'NO_RISK_DETECTED',
    [
      ...watchlists.compared,
      ...clean,
      ...of('b', make('FRAUD_DETECTION', CLEAR, '', { gkCollectionId: 'other' }), ...clean),
    ],
    watchlists.compared,
    {},
  ],
  [
    'two recordings, and a watchlist of one that nobody had asked for',
    'NO_RISK_DETECTED',
    [...clean, ...of('b', ...clean)],
    watchlists.compared,
    {},
  ],
  [
    'two matches, the first of them compared with a watchlist',
    'AUTHENTIC',
    [match, ...watchlists.compared, ...clean, ...of('b', match, ...clean)],
    [],
    { isListOpen: true },
  ],
  [
    'two matches, the second of them compared with a watchlist',
    'AUTHENTIC',
    [match, ...clean, ...of('b', match, ...watchlists.compared, ...clean)],
    [],
    {},
  ],
  [
    'one watchlist that was compared, and one without anybody',
    'NO_RISK_DETECTED',
    [...watchlists.compared, emptyToo, ...clean],
    [],
    { isListOpen: true },
  ],
  [
    'a watchlist without anybody that was asked about afterwards',
    'NO_RISK_DETECTED',
    [...watchlists.compared, ...clean],
    [emptyToo, make('FRAUD_DETECTION', OPEN, 'NO_SCORES', list)],
    {},
  ],
  ['a match', 'AUTHENTIC', [match], [], { isUnchecked: true }],
  [
    'another recording',
    'AUTHENTIC',
    [match, ...of('b', make('SYNTHETIC_SPEECH', OPEN), make('CHANNEL_PLAYBACK', CLEAR))],
    [],
    { undecidedChecks: ['SYNTHETIC_SPEECH'], isUnchecked: true },
  ],
  [
    'a failed check',
    'AUTHENTIC',
    [match, make('SYNTHETIC_SPEECH', 'FAILED'), make('CHANNEL_PLAYBACK', CLEAR)],
    [],
    { undecidedChecks: ['SYNTHETIC_SPEECH'] },
  ],
  [
    'one kind of attack only',
    'AUTHENTIC',
    [match, make('SYNTHETIC_SPEECH', CLEAR)],
    [],
    { missingChecks: ['CHANNEL_PLAYBACK'] },
  ],
  [
    'the other kind, looked for since',
    'AUTHENTIC',
    [match, make('SYNTHETIC_SPEECH', CLEAR)],
    [make('CHANNEL_PLAYBACK', CLEAR)],
    {},
  ],
  ['one that decided since', 'AUTHENTIC', [match, ...attacks(OPEN, OPEN), ...attacks(CLEAR, CLEAR)], [], {}],
  [
    'one of a live call that was open at first',
    'AUTHENTIC',
    [...liveMatch, live('SYNTHETIC_SPEECH', OPEN), live('SYNTHETIC_SPEECH', CLEAR)],
    [],
    {},
  ],
  [
    'one of a live call that is open at last',
    'AUTHENTIC',
    [...liveMatch, live('SYNTHETIC_SPEECH', CLEAR), live('SYNTHETIC_SPEECH', OPEN)],
    [],
    { undecidedChecks: ['SYNTHETIC_SPEECH'] },
  ],
  [
    'recordings that are gone',
    'AUTHENTIC',
    [{ ...match, recording: goneRecording('x') }, ...of(goneRecording('y'), ...looked.clear)],
    [],
    {},
  ],
  [
    'a watchlist that was empty, and is not any more',
    'NO_RISK_DETECTED',
    [...watchlists.empty, ...looked.clear],
    watchlists.compared,
    {},
  ],
  [
    'another watchlist since',
    'NO_RISK_DETECTED',
    [...watchlists.empty, ...looked.clear],
    [make('FRAUD_DETECTION', CLEAR, '', { gkCollectionId: 'other' })],
    { isListOpen: true },
  ],
  ['a match of an earlier session', 'AUTHENTIC', [...watchlists.compared], [], { isUnchecked: true }],
  [
    'too little speech',
    'UNCERTAIN',
    [make('AUTHENTICATION', OPEN, 'AUDIO_TOO_SHORT'), ...attacks(OPEN, OPEN)],
    [],
    {},
  ],
  [
    'a watchlist that could not tell',
    'UNCERTAIN',
    [make('FRAUD_DETECTION', OPEN, 'LOW_RELIABILITY')],
    [],
    {},
  ],
  [
    'the same beside a match',
    'AUTHENTIC',
    [match, make('FRAUD_DETECTION', OPEN, 'LOW_RELIABILITY'), ...looked.clear],
    [],
    { isListOpen: true },
  ],
  [
    'a print that is too new',
    'UNCERTAIN',
    [make('AUTHENTICATION', OPEN, 'PROFILE_COOLING_OFF')],
    [],
    { isUnchecked: true },
  ],
  ['a lock', 'UNCERTAIN', [make('AUTHENTICATION', OPEN, 'PROFILE_LOCKED')], [], {}],
])('marks of %s beside %s', (_name, decision, own, later, marks) => {
  expect(marksOf(decision, { own, later, recordingOf: ({ recording }) => recording })).toEqual(marks);
});

const claim = { person: 'anna' };
const one = (person: string, end: ComparedVoice['end']): ComparedVoice => ({ person, isOne: true, end });
const several = (person: string, hasClaimed?: boolean): ComparedVoice => ({
  ...{ person, isOne: false, end: person ? 'MATCHED' : 'NO_MATCH' },
  ...(hasClaimed !== undefined && { hasClaimed }),
});

it.each([
  ['nobody', claim, [], false],
  ['the one who was claimed', claim, [one('anna', 'MATCHED')], false],
  ['another who matches', claim, [one('bob', 'MATCHED')], true],
  ['another who does not match', claim, [one('bob', 'NO_MATCH')], true],
  ['both, and another matches', claim, [one('anna', 'NO_MATCH'), one('bob', 'MATCHED')], true],
  ['both, and the claimed one matches', claim, [one('anna', 'MATCHED'), one('bob', 'NO_MATCH')], false],
  ['several, one of whom is recognized', claim, [several('bob')], true],
  ['a group without the one claimed', claim, [several('', false)], true],
  ['a group with the one claimed', claim, [several('', true)], false],
  ['a group of which it is not known', claim, [several('')], false],
  ['somebody, and nobody was claimed', undefined, [one('bob', 'MATCHED')], false],
] as const)('knows whether another person was compared: %s', (_name, claimed, voices, isOther) => {
  expect(judgeCaller(claimed, voices).hasOtherPerson).toBe(isOther);
});

const byAgent = { channel: { heard: 2, of: 2, callers: [1] } };

it.each<[string, 'MATCHED' | 'NO_MATCH', ComparedVoice[], string[]]>([
  ['nobody', 'MATCHED', [], []],
  [
    'who matched, each once',
    'MATCHED',
    [one('anna', 'MATCHED'), several('anna'), one('bob', 'NO_MATCH')],
    ['anna'],
  ],
  ['one who was erased', 'MATCHED', [one('', 'MATCHED')], ['']],
  ['nobody on the channel of an agent', 'MATCHED', [{ ...one('bob', 'MATCHED'), ...byAgent }], []],
  ['who was compared alone and did not match', 'NO_MATCH', [one('anna', 'NO_MATCH'), several('')], ['anna']],
  ['but nobody who matched elsewhere', 'NO_MATCH', [one('anna', 'NO_MATCH'), one('anna', 'MATCHED')], []],
  ['nobody of whom it could not be told', 'NO_MATCH', [one('anna', 'UNDECIDED')], []],
])('knows whom a decision is about: %s', (_name, end, voices, decided) => {
  expect(decidedPersons(end, voices)).toEqual(decided);
});

it.each<[string, Parameters<typeof isOtherClaimed>[0], string[], boolean]>([
  ['nobody claimed', undefined, ['anna'], false],
  ['a decision about nobody', { person: 'dora' }, [], false],
  ['the same person', { person: 'anna' }, ['anna'], false],
  ['the same person among others', { person: 'anna' }, ['bob', 'anna'], false],
  ['another person', { person: 'dora' }, ['anna'], true],
  ['another person, and the one decided about was erased', { person: 'dora' }, [''], true],
  ['somebody unknown', { person: '' }, ['anna'], true],
  ['somebody who was erased, and the other is still known', { person: '', isErased: true }, ['anna'], true],
  ['two who are erased and may be the same', { person: '', isErased: true }, [''], false],
  ['two who are erased and were not', { person: '', isErased: true, wasOther: true }, [''], true],
])(
  'knows whether another person is claimed than a decision is about: %s',
  (_name, claimed, decided, isOther) => {
    expect(isOtherClaimed(claimed, decided)).toBe(isOther);
  },
);

const nobodyElse: Who = {
  ...{ matched: [], unlike: [], hasGroup: false, inRecordings: [] },
  ...{ ofAgent: [], hasOtherPerson: false },
};

it('tells nobody to carry on where another person was compared than the one claimed', () => {
  const events = [match, ...clean].map(eventOf);
  const decided = { decision: 'DECISION_AUTHENTIC', reason: 'DECISION_REASON_AUTHENTIC' } as const;
  expect(verdictOn(decided, events).next).toMatch(sayNothingToDo);
  const claimed = { name: 'anna', result: 'NOT_COMPARED' };
  const other = { ...nobodyElse, claim: claimed, hasOtherPerson: true };
  const { title, next, nextOver } = verdictOn(decided, events, [], { who: { ...other, matched: ['bob'] } });
  expect(title).toBe('The voice matches the voiceprint of bob, not of anna who was claimed');
  for (const words of [next, nextOver]) expect(words).not.toMatch(sayNothingToDo);
  const none = { decision: 'DECISION_NO_MATCH', reason: 'DECISION_REASON_NO_MATCH' } as const;
  const unlike = verdictOn(none, [make('AUTHENTICATION', 'NO_MATCH')].map(eventOf), [], {
    who: { ...other, unlike: ['bob'] },
  });
  expect(unlike.title).toBe('The voice does not match bob; anna, who was claimed, was not compared');
});

const whoWas = (person: 'anna' | 'bob', more: Partial<SessionPersonJson>): SessionPersonJson => ({
  ...{ gkPersonId: { value: person }, personId: person, role: 'SESSION_PERSON_ROLE_VERIFIED' },
  ...{ gkVoiceprintProfileIds: [{ value: `print of ${person}` }], ...more },
});
const comparedWith = (person: string, decision: Decision, recording = 'a'): TimelineEventJson => ({
  ...eventOf(make('AUTHENTICATION', decision, '', { recording })),
  gkVoiceprintProfileId: { value: `print of ${person}` },
});
function resultOf(persons: SessionPersonJson[]): string {
  const anna = persons.find(({ personId }) => personId === 'anna');
  if (!anna) return 'NOT_COMPARED';
  return anna.isMatch ? 'MATCHED' : anna.isMismatch ? 'NO_MATCH' : 'UNDECIDED';
}
type Told = [SessionPersonJson[], TimelineEventJson[], title: string, row: string];
const [isMatch, isMismatch] = [{ isMatch: true }, { isMismatch: true }];
const attackFree = clean.map(eventOf);

it.each<[string, Decision, SessionPersonJson[], TimelineEventJson[], string, string]>([
  [
    'another alone',
    'AUTHENTIC',
    [whoWas('bob', isMatch)],
    [comparedWith('bob', 'AUTHENTIC')],
    'The voice matches the voiceprint of bob, not of anna who was claimed',
    'bob voice matches, anna claimed, another person compared',
  ],
  ...(['NO_MATCH', 'AUTHENTIC'] as const).map((decision): [string, Decision, ...Told] => [
    'the one claimed, who is not it, and another',
    decision,
    [whoWas('anna', isMismatch), whoWas('bob', isMatch)],
    [comparedWith('anna', 'NO_MATCH'), comparedWith('bob', 'AUTHENTIC')],
    'The voice does not match anna, who was claimed; it matches bob',
    'bob voice matches, anna claimed, does not match',
  ]),
  [
    'the one claimed in one recording, and another in the next',
    'AUTHENTIC',
    [whoWas('anna', isMatch), whoWas('bob', isMatch)],
    [comparedWith('anna', 'AUTHENTIC'), comparedWith('bob', 'AUTHENTIC', 'b')],
    'Recording 1 matches anna, who was claimed; Recording 2 matches bob',
    'bob voice matches, anna claimed, matches as well',
  ],
  [
    'both in one recording',
    'AUTHENTIC',
    [whoWas('anna', isMatch), whoWas('bob', isMatch)],
    [comparedWith('anna', 'AUTHENTIC'), comparedWith('bob', 'AUTHENTIC')],
    'The voice matches anna, who was claimed, and also bob',
    'bob voice matches, anna claimed, matches as well',
  ],
  [
    'the one claimed, of whom it could not be told, and another',
    'AUTHENTIC',
    [whoWas('anna', {}), whoWas('bob', isMatch)],
    [comparedWith('anna', 'UNCERTAIN'), comparedWith('bob', 'AUTHENTIC')],
    'The voice matches bob; it is not clear whether it matches anna, who was claimed',
    'bob voice matches, anna claimed',
  ],
])(
  'tells who was compared and how it ended: %s, decided as %s',
  (_name, decided, ...[persons, made, title, row]) => {
    const decision = `DECISION_${decided}` as DecisionJson;
    const session = { riskInfo: { decision }, claimedGkPersonId: { value: 'anna' } };
    const claimedResult = resultOf(persons);
    const known = { persons, hasOtherPerson: true, claimedPersonId: 'anna', claimedResult };
    const events = [...made, ...attackFree];
    const other = { who: whoCalled({ session, ...known }, events) };
    const verdict = verdictOn({ decision, reason: decided }, events, [], other);
    expect(verdict.title).toBe(title);
    for (const words of [verdict.next, verdict.nextOver]) expect(words).not.toMatch(sayNothingToDo);
    // What is uncertain for another reason, or an alarm, says it beside.
    for (const also of ['DECISION_UNCERTAIN', 'DECISION_FRAUD'] as const)
      expect(verdictOn({ decision: also, reason: 'AUDIO_TOO_SHORT' }, events, [], other).next).toContain(
        title,
      );
    const entry = { details: session, ...known };
    const [shownFirst, claimed] = [personOf(entry), claimOf(entry)];
    expect(`${shownFirst.id} ${shownFirst.how}, ${claimed.id} ${claimed.how}`).toBe(row);
    expect([roleOf(entry, 'bob'), roleOf(entry, 'anna')]).toEqual([shownFirst.how, claimed.how]);
  },
);

const yes = { risk: 5, reliability: 900 };
const scored = (gkSessionId: string, kind: FactorKind, decision: Decision, more = yes) => ({
  ...{ gkSessionId, kind, decision },
  ...more,
});

it.each<[string, Decision, ReturnType<typeof scored>[], string | undefined]>([
  ['nothing at all', 'AUTHENTIC', [scored('first', 'AUTHENTICATION', 'AUTHENTIC')], 'first'],
  [
    'attack checks alone',
    'AUTHENTIC',
    [scored('first', 'AUTHENTICATION', 'AUTHENTIC'), scored('here', 'SYNTHETIC_SPEECH', CLEAR)],
    'first',
  ],
  [
    'a comparison that did not match',
    'AUTHENTIC',
    [scored('first', 'AUTHENTICATION', 'AUTHENTIC'), scored('here', 'AUTHENTICATION', 'NO_MATCH')],
    'first',
  ],
  [
    'a match of its own',
    'AUTHENTIC',
    [scored('first', 'AUTHENTICATION', 'AUTHENTIC'), scored('here', 'AUTHENTICATION', 'AUTHENTIC')],
    undefined,
  ],
  [
    'nothing, after two matches',
    'AUTHENTIC',
    [
      scored('first', 'AUTHENTICATION', 'AUTHENTIC'),
      scored('second', 'AUTHENTICATION', 'AUTHENTIC', { risk: 90, reliability: 500 }),
    ],
    'first',
  ],
  ['nothing, after an all-clear', CLEAR, [scored('first', 'FRAUD_DETECTION', CLEAR)], 'first'],
  ['nothing, and those checks are gone', 'AUTHENTIC', [], undefined],
  ['nothing, after a mismatch', 'NO_MATCH', [scored('first', 'AUTHENTICATION', 'NO_MATCH')], 'first'],
  ['nothing, after an alarm', 'FRAUD', [scored('first', 'FRAUD_DETECTION', 'FRAUD')], 'first'],
])('knows where the decision of a session comes from that has %s', (_name, decision, made, from) => {
  const own = made.filter(({ gkSessionId }) => gkSessionId === 'here');
  const session = { gkSessionId: 'here', decision: { decision, reason: 'AUTHENTIC', ...yes } as const };
  expect(isFromElsewhere(decision, own) ? decidedIn(session, made) : undefined).toBe(from);
});

it('tells a decision of an earlier session as that, of whom it was, with the marks it had there, and never in green', () => {
  const riskInfo = { decision: 'DECISION_AUTHENTIC' } as const;
  const persons = [{ personId: 'anna' }];
  const carried = { persons, undecidedChecks: ['SYNTHETIC_SPEECH'], withoutWatchlist: true };
  for (const marks of [{ carried: { persons } }, { carried }, { carried: {} }])
    expect(sessionWord({ session: { riskInfo }, checks: 0, marks })).toEqual({
      ...{ word: 'Verified in an earlier session', tone: 'neutral' },
    });
  expect(allMarks({ missingChecks: ['CHANNEL_PLAYBACK'], carried })).toMatchObject({
    ...{ missingChecks: ['CHANNEL_PLAYBACK'], undecidedChecks: ['SYNTHETIC_SPEECH'] },
    ...{ withoutWatchlist: true, withoutAttackChecks: false },
  });
  const told = [
    adviceOnCarried('DECISION_AUTHENTIC', carried, 'anna'),
    adviceOnCarried('DECISION_AUTHENTIC', { ...carried, isOtherPerson: true }, 'bob'),
    adviceOnCarried('DECISION_AUTHENTIC', {}),
    adviceOnCarried('DECISION_NO_RISK_DETECTED', {}),
  ];
  expect(told.map(({ title }) => title)).toEqual([
    'Verified in an earlier session of this engagement, as anna',
    'Verified in an earlier session of this engagement, as anna; here bob was claimed',
    'Verified in an earlier session of this engagement',
    'Nothing suspicious was found in an earlier session of this engagement',
  ]);
  for (const { next, nextOver } of told) expect(`${next} ${nextOver}`).not.toMatch(sayNothingToDo);
});

it.each<[string, Partial<SessionEntryJson>]>([
  ['an attack', { foundLater: [{ check: 'SYNTHETIC_SPEECH' }] }],
  ['a fraudster', { foundLater: [{ check: 'FRAUD_DETECTION', fraudster: { fraudsterId: 'case-1' } }] }],
  ['whose voice was enrolled as that of a fraudster', { madeFraudsters: [{ fraudsterId: 'case-1' }] }],
])('is not green beside what was found since, in it or where it was decided: %s', (_name, since) => {
  const session = { riskInfo: { decision: 'DECISION_AUTHENTIC' } } as const;
  expect(sessionWord({ session, checks: 1, marks: {} })?.tone).toBe('good');
  expect(sessionWord({ session, checks: 1, marks: since })?.tone).toBe('neutral');
  // What was found is forgotten with the person.
  expect(sessionWord({ session, checks: 1, marks: { isErased: true } })?.tone).toBe('neutral');
  for (const marks of [since, { carried: since }])
    expect(allSince(marks)).toEqual({ foundLater: [], madeFraudsters: [], ...since });
});

it.each<[string, DecisionJson, CarriedDecisionJson, title: RegExp]>([
  [
    'an attack',
    'DECISION_AUTHENTIC',
    { foundLater: [{ check: 'SYNTHETIC_SPEECH' }] },
    /^Signs of an attack were found later in the session that the decision comes from: synthetic speech$/,
  ],
  [
    'a fraudster, and an attack',
    'DECISION_NO_RISK_DETECTED',
    { foundLater: [{ check: 'SYNTHETIC_SPEECH' }, { fraudster: { fraudsterId: 'case-1' } }] },
    /^A known fraudster was found later in the session that the decision comes from: case-1$/,
  ],
  [
    'the same beside an alarm',
    'DECISION_FRAUD',
    { foundLater: [{ fraudster: { fraudsterId: 'case-1' } }] },
    /^There were signs of fraud in an earlier session/,
  ],
  [
    'an enrolled fraudster',
    'DECISION_AUTHENTIC',
    { madeFraudsters: [{ fraudsterId: 'case-1' }] },
    /^Verified in an earlier session/,
  ],
])('says what was found since where it was decided: %s', (_name, decision, carried, title) => {
  const { title: told, next, nextOver } = adviceOnCarried(decision, carried);
  expect(told).toMatch(title);
  const isEnrolled = carried.madeFraudsters !== undefined;
  for (const words of [next, nextOver]) {
    expect(words).not.toMatch(sayNothingToDo);
    expect(/enrolled as that of a fraudster/.test(words ?? '')).toBe(isEnrolled);
    if (carried.foundLater && decision !== 'DECISION_FRAUD') expect(words).toMatch(/^Do not rely on/);
  }
});

it('says of a session that was judged as fraud that it was, and tells nobody to carry on', () => {
  const decision = 'DECISION_AUTHENTIC';
  const byChecks = verdictOn({ decision, reason: 'AUTHENTIC' }, [match, ...clean].map(eventOf));
  expect(byChecks.next).toMatch(sayNothingToDo);
  const judged = judgedAsFraud(decision, byChecks);
  expect(judged?.title).toBe('The outcome was recorded as fraud');
  expect(judged?.next).toMatch(/^By the checks alone: The voice matches the voiceprint\. Do not rely/);
  expect(judged?.next).not.toMatch(sayNothingToDo);
  expect(judgedAsFraud('DECISION_FRAUD', byChecks)).toBeUndefined();
  const session = { riskInfo: { decision } } as const;
  expect(sessionWord({ session, checks: 1 })?.tone).toBe('good');
  expect(sessionWord({ session, checks: 1, isFraud: true })?.tone).toBe('neutral');
});

it('tells who may not check a recording that, and not that there is none', () => {
  const half = [match, make('SYNTHETIC_SPEECH', CLEAR)].map(eventOf);
  const advice = verdictOn({ decision: 'DECISION_AUTHENTIC', reason: 'AUTHENTIC' }, half);
  const told = (mayListen: boolean, isKept: boolean) =>
    nextStep(advice, { mayListen, isKept, isOver: true, isJudged: false });
  expect(told(false, true)).toMatch(/Your role may not check the recording/);
  expect(told(true, true)).toMatch(/^Check the recording/);
  for (const mayListen of [true, false]) expect(told(mayListen, false)).toMatch(/There is no recording/);
});

it('says of how many recordings something is open, and of a watchlist without anybody that others were compared', () => {
  const decided = { decision: 'DECISION_NO_RISK_DETECTED', reason: 'NO_RISK_DETECTED' } as const;
  const told = (own: Made[], later: Made[] = []) => verdictOn(decided, own.map(eventOf), later.map(eventOf));
  expect(told([...watchlists.compared, ...clean, ...of('b', ...clean)]).title).toBe(
    'Nothing suspicious was found, but 1 of 2 recordings was not compared with a watchlist',
  );
  const some = told([...watchlists.compared, emptyToo, ...clean]);
  expect(`${some.title} ${some.next}`).not.toMatch(/No fraudster was compared/);
  expect(some.title).toMatch(/one of the watchlists had nobody/);
  expect(told([...watchlists.compared, ...clean], [emptyToo]).next).toMatch(sayNothingToDo);
});
