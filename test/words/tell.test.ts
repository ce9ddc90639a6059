// An assessment in words: what to do first, which caveats a row shows, and whom a session is about.
import { expect, it } from 'vitest';
import type { SessionAssessmentJson } from '../../src/gen/voxgate/biosec/v1/assessment_pb.js';
import type { CaveatName, HeadlineName } from '../../src/words/catalogue.js';
import { text as words } from '../../src/words/english.js';
import {
  because,
  caveatMeaning,
  shownCaveats,
  headlineWord,
  nextStep,
  shownParties,
} from '../../src/words/tell.js';

type Tone = 'GOOD' | 'NEUTRAL' | 'WARNING' | 'ALARM';

const so = (headline: HeadlineName, tone: Tone, ...caveats: CaveatName[]): SessionAssessmentJson => ({
  headline: `SESSION_HEADLINE_${headline}`,
  tone: `SESSION_TONE_${tone}`,
  caveats: caveats.map((name) => `SESSION_CAVEAT_${name}` as const),
});

it.each<[string, SessionAssessmentJson, string]>([
  ['nothing after a plain match', so('AUTHENTIC', 'GOOD'), ''],
  [
    'the gravest caveat of a match',
    so('AUTHENTIC', 'NEUTRAL', 'OTHER_PERSON', 'ATTACK_CHECK_MISSING'),
    words.caveats.OTHER_PERSON.next,
  ],
  [
    'a caveat that says what to do, before one that does not',
    so('AUTHENTIC', 'NEUTRAL', 'OUTCOME_DISAGREES', 'ATTACK_CHECK_MISSING'),
    words.caveats.ATTACK_CHECK_MISSING.next,
  ],
  [
    'a mismatch, before its caveats',
    so('NO_MATCH', 'WARNING', 'CONTRADICTION'),
    words.headlines.NO_MATCH.next,
  ],
  [
    'what was found later, before a mismatch',
    so('NO_MATCH', 'WARNING', 'FOUND_LATER'),
    words.caveats.FOUND_LATER.next,
  ],
  ['an alarm, before all else', so('FRAUD', 'ALARM', 'FOUND_LATER'), words.headlines.FRAUD.next],
])('says to do %s', (_what, assessment, next) => {
  expect(nextStep(words, assessment)).toBe(next);
});

it('marks all that was not checked as one, by the gravest', () => {
  const told = shownCaveats(
    words,
    so('AUTHENTIC', 'NEUTRAL', 'SECOND_VOICE', 'ATTACK_CHECK_MISSING', 'CUT_OFF'),
  );
  expect(told).toEqual([
    { word: 'Another voice', severity: 'warning', more: [] },
    { word: 'Not checked for attacks', severity: 'warning', more: ['Cut off'] },
  ]);
});

it('marks nothing beside green that does not take it away', () => {
  expect(shownCaveats(words, so('AUTHENTIC', 'GOOD', 'ATTACK_CHECK_UNRESOLVED'))).toEqual([]);
  const taken = shownCaveats(words, so('AUTHENTIC', 'NEUTRAL', 'ATTACK_CHECK_UNRESOLVED'));
  expect(taken.map(({ word }) => word)).toEqual(['Attack check unresolved']);
});

it('says why it is not green if only the config set forbids it', () => {
  const said = (tone: Tone, ...more: CaveatName[]): string =>
    caveatMeaning(
      words,
      so('AUTHENTIC', tone, ...more, 'ATTACK_CHECK_UNRESOLVED'),
      'ATTACK_CHECK_UNRESOLVED',
    );
  const { meaning } = words.caveats.ATTACK_CHECK_UNRESOLVED;
  expect(said('NEUTRAL')).toBe(`${meaning} The config set requires it for green.`);
  expect(said('GOOD')).toBe(meaning);
  expect(said('NEUTRAL', 'SECOND_VOICE')).toBe(meaning);
});

it('says that a decision is inherited in its word, and not once more', () => {
  const inherited = { ...so('AUTHENTIC', 'NEUTRAL', 'INHERITED'), inheritedFrom: {} };
  expect(headlineWord(words, inherited)).toBe('Verified in an earlier session');
  expect(shownCaveats(words, inherited)).toEqual([]);
});

it('says what the headline rests on, unless a caveat does', () => {
  const causes = [
    { check: 'AUTHENTICATION', reason: 'LOW_RELIABILITY', measures: ['noise', 'two_voices'] },
    { check: 'CHANNEL_PLAYBACK', reason: 'SPEAKER_CHANGED' },
  ];
  const uncertain = { ...so('UNCERTAIN', 'WARNING'), causes };
  expect(because(words, uncertain)).toBe(
    'Reason: noise, several voices, another voice in a part of the call.',
  );
  expect(because(words, { ...uncertain, ...so('UNCERTAIN', 'WARNING', 'SECOND_VOICE') })).toBe(
    'Reason: noise.',
  );
  expect(because(words, so('AUTHENTIC', 'GOOD', 'SECOND_VOICE'))).toBe('');
});

it('names everybody, also those who were deleted, erased or never known', () => {
  const person = (state: 'KNOWN' | 'DELETED' | 'ERASED', id = '') => ({
    ...{ id, state: `PARTY_STATE_${state}` as const, gkPersonId: { value: 'gk' } },
    result: 'PARTY_RESULT_MATCHED' as const,
  });
  const told = shownParties(words, {
    whoCalled: [
      person('KNOWN', 'anna'),
      { ...person('DELETED', 'bob'), isClaimed: true },
      person('ERASED'),
      { ...person('ERASED'), result: 'PARTY_RESULT_UNDECIDED', isClaimed: true },
      { ...person('KNOWN', 'agent-7'), isAgent: true },
      { id: 'nobody', state: 'PARTY_STATE_KNOWN', result: 'PARTY_RESULT_NOT_COMPARED', isClaimed: true },
    ],
    foundLater: [{ check: 'SYNTHETIC_SPEECH', gkSessionId: { value: 'there' } }],
  });
  expect(told.map(({ name, role }) => `${name}: ${role}`)).toEqual([
    'anna: matches',
    'bob (deleted): claimed, matches',
    'erased person: matches',
    'erased person: ',
    "agent-7: matches, on the agent's channel",
    'nobody: claimed, not compared',
    'synthetic speech: found later, in an earlier session',
  ]);
});
