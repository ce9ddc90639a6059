// Sessions in a spreadsheet say what the list says: decisions in words, and none where nothing was checked.
import { expect, it } from 'vitest';
import { isSameDay } from '../../src/console/format/text.js';
import { sessionsCsv } from '../../src/console/pages/sessions/sessions-csv.js';
import type { SessionEntryJson } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { byColumn } from './csv.js';

function rowOf(entry: SessionEntryJson): Record<string, string> {
  return byColumn(sessionsCsv([entry]))[0] ?? {};
}

const uncertain = { riskInfo: { decision: 'DECISION_UNCERTAIN' } } as const;
const enrollment = { ...uncertain, sessionIntent: 'SESSION_INTENT_ENROLLMENT' } as const;
const ofAnalyst = { ...uncertain, sessionType: 'SESSION_TYPE_FRAUD_ANALYST' } as const;
const verified = { riskInfo: { decision: 'DECISION_AUTHENTIC' } } as const;

it.each<[string, SessionEntryJson, string]>([
  ['a call that was decided', { details: verified, factorCount: 1 }, 'Verified'],
  ['a call that stayed in doubt', { details: uncertain, factorCount: 1 }, 'Uncertain'],
  ['a call in which nothing was checked', { details: uncertain }, 'No decision'],
  ['an enrollment', { details: enrollment, factorCount: 3 }, 'Enrollment'],
  ['work at the desk', { details: ofAnalyst, factorCount: 1 }, ''],
  ['a call that has only begun', { details: {} }, ''],
])('says what came of %s', (_of, entry, word) => {
  expect(rowOf(entry)['decision']).toBe(word);
});

it('names the fraudsters that a call was made into', () => {
  const made = { details: verified, madeFraudsters: [{ fraudsterId: 'case-1' }, { fraudsterId: 'case-2' }] };
  expect(rowOf(made)['put_on_watchlist_as']).toBe('case-1 case-2');
});

it('names what was found since in the session that the decision comes from', () => {
  const fraudster = { gkFraudsterId: { value: 'f' }, fraudsterId: 'case-1' };
  const time = '2026-11-17T08:00:00Z';
  const carried = { foundLater: [{ check: 'SYNTHETIC_SPEECH', time }], madeFraudsters: [fraudster] };
  const row = rowOf({ details: verified, madeFraudsters: [fraudster], carried });
  expect(row).toMatchObject({ found_later: 'Synthetic speech', found_later_at: time });
  expect(row['put_on_watchlist_as']).toBe('case-1');
});

it('says when listening to a call was cut off', () => {
  const cutOffTime = '2026-11-17T08:00:00Z';
  expect(rowOf({ details: verified, cutOffTime })['cut_off']).toBe(cutOffTime);
  expect(rowOf({ details: verified })['cut_off']).toBe('');
});

it('names the checks that could not tell whether a live person spoke', () => {
  const undecidedChecks = ['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'];
  expect(rowOf({ details: verified, undecidedChecks })['live_person_not_confirmed_by']).toBe(
    'Synthetic speech; Playback',
  );
  expect(rowOf({ details: verified })['live_person_not_confirmed_by']).toBe('');
});

it('says where the voice did not match in another comparison', () => {
  expect(rowOf({ details: verified, hasMismatch: true })['also_no_match']).toBe('yes');
  expect(rowOf({ details: verified })['also_no_match']).toBe('');
});

it('says where somebody else speaks in a part', () => {
  expect(rowOf({ details: uncertain, hasSecondVoice: true })['another_voice']).toBe('yes');
  expect(rowOf({ details: verified })['another_voice']).toBe('');
});

it('names whom the voice was compared with where somebody else was claimed', () => {
  const claimedGkPersonId = { value: 'gk-anna' };
  const compared = (personId: string, isMatch: boolean) => ({
    ...{ gkPersonId: { value: `gk-${personId}` }, personId, isMatch, isMismatch: !isMatch },
    role: 'SESSION_PERSON_ROLE_VERIFIED' as const,
  });
  const row = rowOf({
    ...{ details: { ...verified, claimedGkPersonId }, claimedPersonId: 'anna', hasOtherPerson: true },
    claimedResult: 'NO_MATCH',
    persons: [compared('bob', true), compared('anna', false)],
  });
  expect([row['claimed_person'], row['person'], row['another_person_compared']]).toEqual([
    ...['anna', 'bob', 'yes'],
  ]);
  expect([row['person_known_by'], row['claimed_person_known_by']]).toEqual([
    ...['voice matches', 'claimed, does not match'],
  ]);
  // Nobody was claimed: the one whose voiceprint matched, whoever was compared last.
  const unclaimed = rowOf({ details: verified, persons: [compared('bob', true), compared('carl', false)] });
  expect([unclaimed['person'], unclaimed['another_person_compared']]).toEqual(['bob', '']);
});

it('says as whom the caller was verified in an earlier session, and that somebody else is claimed', () => {
  const persons = [{ personId: 'anna' }];
  const row = rowOf({
    ...{ details: verified, claimedPersonId: 'bob' },
    carried: { persons, isOtherPerson: true, undecidedChecks: ['SYNTHETIC_SPEECH'] },
  });
  expect(row).toMatchObject({
    ...{ decision: 'Verified in an earlier session', claimed_person: 'bob', verified_earlier_as: 'anna' },
    ...{ another_person_claimed: 'yes', live_person_not_confirmed_by: 'Synthetic speech' },
  });
});

it('names the attack that nobody looked for', () => {
  expect(rowOf({ details: verified, missingChecks: ['CHANNEL_PLAYBACK'] })['attack_not_checked']).toBe(
    'Playback',
  );
});

it('says where the personal data of the person was erased, beside what was not checked', () => {
  const { data_erased, attack_not_checked } = rowOf({
    ...{ details: verified, isErased: true, missingChecks: ['CHANNEL_PLAYBACK'] },
  });
  expect([data_erased, attack_not_checked]).toEqual(['yes', 'Playback']);
  expect(rowOf({ details: verified })['data_erased']).toBe('');
});

it('names the fraudsters whose voice was enrolled', () => {
  const enrolledFraudsters = [{ fraudsterId: 'case-1' }, { fraudsterId: 'case-2' }];
  expect(rowOf({ details: enrollment, enrolledFraudsters })['enrolled_fraudster']).toBe('case-1 case-2');
});

it.each<[string | undefined, string | undefined, boolean]>([
  ['2026-11-16T12:00:00Z', '2026-11-16T12:00:01Z', true],
  ['2026-11-16T12:00:00Z', '2026-11-17T12:00:00Z', false],
  ['2026-11-16T12:00:00Z', undefined, true],
])('whether %s and %s are on one day: %s', (one, other, same) => {
  expect(isSameDay(one, other)).toBe(same);
});

it('says what a session means, in the words of everything else that shows it', () => {
  const assessment = {
    headline: 'SESSION_HEADLINE_AUTHENTIC',
    caveats: ['SESSION_CAVEAT_OTHER_PERSON', 'SESSION_CAVEAT_CUT_OFF'],
  } as const;
  expect(rowOf({ assessment: { ...assessment, caveats: [...assessment.caveats] } })).toMatchObject({
    assessment: 'Verified',
    caveats: 'Another person; Cut off',
  });
});
