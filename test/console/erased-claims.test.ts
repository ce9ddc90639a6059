// What the page of a session says of a person who was claimed and whose data was erased since: what is true of its checks, in sentences that
// are right in both languages.
import { expect, it } from 'vitest';
import { verdict as de } from '../../src/console/text/de/session-verdict.js';
import { verdict as en } from '../../src/console/text/en/session-verdict.js';
import { adviceOnWho, whoCalled } from '../../src/console/pages/sessions/who-called.js';

const [NO_MATCH, AUTHENTIC] = ['DECISION_NO_MATCH', 'DECISION_AUTHENTIC'] as const;
const gone = { role: 'SESSION_PERSON_ROLE_VERIFIED' } as const;
const bob = { ...gone, gkPersonId: { value: 'bob' }, personId: 'bob' };

const told = (
  decision: typeof NO_MATCH | typeof AUTHENTIC,
  claimedResult: string,
  persons: NonNullable<Parameters<typeof whoCalled>[0]['persons']>,
) =>
  adviceOnWho(
    decision,
    whoCalled({ persons, claimedResult, isClaimErased: true, hasOtherPerson: false }, []),
  );

it('leaves a plain no match as it is', () => {
  expect(told(NO_MATCH, 'NO_MATCH', [{ ...gone, isMismatch: true }])).toBeUndefined();
});

it.each([
  [
    'it could not be told',
    NO_MATCH,
    'UNDECIDED',
    [{ ...bob, isMismatch: true }],
    'The voice does not match bob; it is not clear whether it matches the person who was claimed',
  ],
  [
    'a match that may be theirs',
    AUTHENTIC,
    'UNDECIDED',
    [{ ...gone, isMatch: true }],
    'The voice matches a person whose data was erased; whether that is the person claimed can no longer be determined',
  ],
  [
    'a match of somebody who is there',
    AUTHENTIC,
    'UNDECIDED',
    [{ ...bob, isMatch: true }],
    'The voice matches bob; it is not clear whether it matches the person who was claimed',
  ],
  [
    'a match of somebody else, and a clear no',
    AUTHENTIC,
    'NO_MATCH',
    [{ ...bob, isMatch: true }],
    'The voice does not match the person who was claimed; it matches bob',
  ],
] as const)('says what is known: %s', (_name, decision, result, persons, title) => {
  expect(told(decision, result, [...persons])?.title).toBe(title);
});

it('sends nobody to a voiceprint that is gone', () => {
  const advice = told(NO_MATCH, 'UNDECIDED', [{ ...bob, isMismatch: true }]);
  expect(advice).toMatchObject({ next: en.who.goneClaim });
  expect(advice?.nextOver).toBeUndefined();
});

/** Everything that is said of who called, of persons with and without names. */
function sentences({ who, leftOut, carried }: typeof en): string[] {
  const names = ['anna', who.erased, ''];
  const claims = ['bob', ''];
  const of = (...say: ((other: string, claimed: string) => string)[]): string[] =>
    say.flatMap((one) => names.flatMap((name) => claims.map((claim) => one(name, claim))));
  return [
    ...of(who.unlike.title, who.both.title, who.unsure, who.other.title, who.compared, who.alsoMatch.title),
    ...of(carried.other.title, carried.noMatch.title),
    ...names.filter(Boolean).flatMap((name) => claims.map((claim) => who.othersAlone.title(name, claim))),
    ...names.filter(Boolean).flatMap((name) => claims.map((claim) => who.undecided.title(name, claim))),
    ...claims.flatMap((claim) => [
      ...[who.othersAlone.inGroup(claim), who.undecided.inGroup(claim), who.agentAlone.title(claim)],
      ...[leftOut.claimed.title(claim), leftOut.claimed.beside(claim), who.matchesHere(who.claimed(claim))],
    ]),
    ...[who.several(`anna, ${who.erased}`), who.matchesHere(who.erased)],
  ];
}

it('is said in sentences that are right, in German and in English', () => {
  for (const sentence of sentences(de)) {
    expect(sentence).not.toMatch(/\b(zu|mit|von|aus) (eine|die|der eine) Person/);
    expect(sentence).not.toMatch(/mit der von der/);
    expect(sentence).not.toMatch(/ {2}|, ,|,;| ;/);
  }
  for (const sentence of sentences(en))
    expect(sentence).not.toMatch(/the person who was claimed, was| {2}|, ,|,;| ;/);
});
