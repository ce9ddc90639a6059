// The sentence that says which check a session was decided by.
import { expect, it } from 'vitest';
import { decidedBy } from '../../src/console/pages/sessions/deciding-check.js';
import { text as german } from '../../src/console/text/de/sessions.js';
import type { DecisionJson } from '../../src/gen/vendor/biosec/v1/common_pb.js';
import type { TimelineEventJson } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';

const check = (
  factor: string,
  decision: string,
  [risk, seconds]: [risk: number, seconds: number],
  media = 'first',
): TimelineEventJson => ({
  decision: `DECISION_${decision}` as DecisionJson,
  isFactor: true,
  risk,
  reliability: 80,
  attributes: { factor, netSpeechMs: String(1000 * seconds) },
  ...(media && { gkMediaSegmentId: { value: media } }),
});
const decided = (decision: string, risk: number, reliability = 80) => ({
  decision: `DECISION_${decision}` as DecisionJson,
  risk,
  reliability,
});

/** 62 s of speech, of which 3 s were enough. */
const match = check('AUTHENTICATION', 'AUTHENTIC', [5, 3]);
const noMatch = check('AUTHENTICATION', 'NO_MATCH', [500, 5], 'second');
const machine = check('SYNTHETIC_SPEECH', 'FRAUD', [900, 12.34]);
const unfamiliar = { ...check('SYNTHETIC_SPEECH', 'UNCERTAIN', [20, 6]), reliability: 0 };

it.each<[string, ReturnType<typeof decided>, TimelineEventJson[], string | undefined]>([
  [
    'the only comparison',
    decided('AUTHENTIC', 5),
    [match],
    'Decided by the voice comparison: 3.0 s of speech were compared.',
  ],
  [
    'more speech in another recording, which does not match',
    decided('NO_MATCH', 500),
    [match, noMatch],
    'Of 2 voice comparisons, the one that compared the most speech decides: 5.0 s in recording 2; no other compared more than 3.0 s. A comparison ends as soon as a match is clear, so a long recording or call may count with only a few seconds.',
  ],
  [
    'more speech in the recording that matches',
    decided('AUTHENTIC', 5),
    [check('AUTHENTICATION', 'NO_MATCH', [500, 2.5], 'second'), match],
    'Of 2 voice comparisons, the one that compared the most speech decides: 3.0 s in recording 2; no other compared more than 2.5 s.',
  ],
  [
    'the latest of equals',
    decided('NO_MATCH', 500),
    [noMatch, check('AUTHENTICATION', 'NO_MATCH', [500, 5], 'first')],
    'Of 2 voice comparisons, the latest, in recording 2, decides, because none compared more speech than its 5.0 s.',
  ],
  [
    'a live call, of which nothing is kept',
    decided('AUTHENTIC', 4),
    [check('AUTHENTICATION', 'UNCERTAIN', [100, 3], ''), check('AUTHENTICATION', 'AUTHENTIC', [4, 12], '')],
    'Of 2 voice comparisons, the one that compared the most speech decides: 12.0 s; no other compared more than 3.0 s.',
  ],
  [
    'an alarm',
    decided('FRAUD', 900),
    [match, machine],
    'Decided by an alarm, which outweighs every match: synthetic speech, 12.3 s of speech checked.',
  ],
  [
    'another voice',
    decided('FRAUD', 800),
    [check('AUTHENTICATION', 'FRAUD', [800, 5])],
    'Decided by an alarm, which outweighs every match: voice comparison, 5.0 s of speech checked.',
  ],
  [
    'nothing found',
    decided('NO_RISK_DETECTED', 9),
    [
      check('FRAUD_DETECTION', 'NO_RISK_DETECTED', [9, 5]),
      check('SYNTHETIC_SPEECH', 'NO_RISK_DETECTED', [3, 6]),
    ],
    'Decided by the check with the highest risk of those that found nothing: known fraudsters, 5.0 s of speech checked.',
  ],
  [
    'a check that has met nothing like it',
    decided('UNCERTAIN', 20, 0),
    [match, unfamiliar],
    'Left open by a check that could not judge this audio: synthetic speech, 6.0 s of speech checked.',
  ],
])('by %s', (_name, by, events, sentence) => {
  expect(decidedBy(by, events)).toBe(sentence);
});

it.each([
  ['No match', decided('NO_MATCH', 321)],
  ['an alarm', decided('FRAUD', 900)],
  ['nothing found', decided('NO_RISK_DETECTED', 9)],
  ['a check that could not judge', decided('UNCERTAIN', 20, 0)],
])('%s of an earlier session is told as that, and only where there is one', (_name, by) => {
  const sentence = 'Decided by a check in an earlier session of the same engagement.';
  expect(decidedBy(by, [match], true)).toBe(sentence);
  expect(decidedBy(by, [match])).toBeUndefined();
});

it('says nothing where no score has decided', () => {
  const unheard = { ...noMatch, decision: 'DECISION_UNCERTAIN' } as const;
  const { risk: _risk, ...withoutScore } = unheard;
  expect(decidedBy({ decision: 'DECISION_UNCERTAIN' }, [withoutScore])).toBeUndefined();
  expect(decidedBy(undefined, [])).toBeUndefined();
});

it('has the same in German, and says who did something as people do', () => {
  const { decidedBy: words, by } = german.session;
  expect(words.mostSpeech(2, 5, 'Aufnahme 2', 3)).toMatch(/: 5\.0 s in Aufnahme 2; .* mehr als 3\.0 s\.$/);
  expect(words.latest(2, 5, '')).toMatch(/entscheidet der letzte, weil/);
  expect(by('das System')).toBe('Vom System');
  expect(by('Sie')).toBe('Von Ihnen');
  expect(by('Anna')).toBe('Von Anna');
});
