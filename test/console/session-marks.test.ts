// What stands beside the decision of a session, over all combinations of what was asked, and of what was looked for since: no word is green
// and bare unless everything was decided, and the head of the page says what the row of the list says.
import { expect, it } from 'vitest';
import type { Decision } from '../../src/biometrics/model/outcome.js';
import type { FactorKind } from '../../src/biometrics/model/sessions.js';
import { goneRecording, marksOf } from '../../src/biometrics/rules/session-marks.js';
import { isMarked, sessionWord } from '../../src/console/pages/biosec/session-words.js';
import { verdictOn } from '../../src/console/pages/sessions/verdict.js';
import type { DecisionJson } from '../../src/gen/vendor/biosec/v1/common_pb.js';
import type { TimelineEventJson } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';

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
};
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
    isListOpen,
  } = marksOf(decision, {
    ...{ own, later },
    recordingOf: ({ recording }) => recording,
  });
  const marks = {
    undecidedChecks: [...undecidedChecks],
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
    const last = since === 'none' ? then : since;
    const isAllDecided = last === 'clear' && watchlist !== 'empty';
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
    const last = since === 'none' ? then : since;
    expect(marks.withoutAttackChecks, name).toBe(last === 'none');
    expect(marks.withoutWatchlist, name).toBe(watchlist === 'empty');
    const open = { 'synthetic undecided': ['SYNTHETIC_SPEECH'], 'playback undecided': ['CHANNEL_PLAYBACK'] };
    expect(marks.undecidedChecks, name).toEqual(open[last as keyof typeof open] ?? []);
  }
});

it('tells on the page of an uncertain session what its row has marked', () => {
  for (const { then, since, watchlist, person } of combinations) {
    const name = `then ${then}, since ${since}, watchlist ${watchlist}, ${person}`;
    const own = [...persons[person], ...watchlists[watchlist], ...looked[then]];
    if (own.length === 0 || then === 'found' || since === 'found' || person !== 'no print') continue;
    const { marks, words } = shown('UNCERTAIN', own, looked[since]);
    expect(/Attack checks were not made/.test(words), name).toBe(marks.withoutAttackChecks);
    expect(/live person spoke could not be told/.test(words), name).toBe(marks.undecidedChecks.length > 0);
    expect(/Nobody on the watchlist/.test(words), name).toBe(marks.withoutWatchlist);
  }
});

const match = make('AUTHENTICATION', 'AUTHENTIC');
const b = { recording: 'b' };
const live = (kind: FactorKind, decision: Decision): Made =>
  make(kind, decision, '', { recording: '', operation: 'LiveAudio' });

it.each<[string, Decision, Made[], Made[], object]>([
  ['a match', 'AUTHENTIC', [match], [], { isUnchecked: true }],
  [
    'another recording',
    'AUTHENTIC',
    [match, make('SYNTHETIC_SPEECH', OPEN, '', b)],
    [],
    { isUnchecked: true },
  ],
  [
    'a failed check',
    'AUTHENTIC',
    [match, make('SYNTHETIC_SPEECH', 'FAILED')],
    [],
    { undecidedChecks: ['SYNTHETIC_SPEECH'] },
  ],
  ['one that decided since', 'AUTHENTIC', [match, ...attacks(OPEN, OPEN), ...attacks(CLEAR, CLEAR)], [], {}],
  [
    'one of a live call that was open at first',
    'AUTHENTIC',
    [live('AUTHENTICATION', 'AUTHENTIC'), live('SYNTHETIC_SPEECH', OPEN), live('SYNTHETIC_SPEECH', CLEAR)],
    [],
    {},
  ],
  [
    'one of a live call that is open at last',
    'AUTHENTIC',
    [live('AUTHENTICATION', 'AUTHENTIC'), live('SYNTHETIC_SPEECH', CLEAR), live('SYNTHETIC_SPEECH', OPEN)],
    [],
    { undecidedChecks: ['SYNTHETIC_SPEECH'] },
  ],
  [
    'recordings that are gone',
    'AUTHENTIC',
    [
      { ...match, recording: goneRecording('x') },
      make('SYNTHETIC_SPEECH', CLEAR, '', { recording: goneRecording('y') }),
    ],
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
