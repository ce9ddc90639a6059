// Sessions in a spreadsheet say what the list says, in the same words.
import { expect, it } from 'vitest';
import { isSameDay } from '../../src/console/format/text.js';
import { sessionsCsv } from '../../src/console/pages/sessions/sessions-csv.js';
import type { SessionEntryJson } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import type { SessionAssessmentJson } from '../../src/gen/voxgate/biosec/v1/assessment_pb.js';
import { byColumn } from './csv.js';

const rowOf = (assessment: SessionAssessmentJson, more: SessionEntryJson = {}): Record<string, string> =>
  byColumn(sessionsCsv([{ ...more, assessment }]))[0] ?? {};

const person = (id: string) => ({
  gkPersonId: { value: `gk-${id}` },
  id,
  state: 'PARTY_STATE_KNOWN' as const,
});
const fraudster = (id: string) => ({
  gkFraudsterId: { value: `gk-${id}` },
  id,
  state: 'PARTY_STATE_KNOWN' as const,
});

it('says what a session means, with its tone and every caveat', () => {
  expect(
    rowOf({
      headline: 'SESSION_HEADLINE_AUTHENTIC',
      tone: 'SESSION_TONE_NEUTRAL',
      caveats: ['SESSION_CAVEAT_OTHER_PERSON', 'SESSION_CAVEAT_CUT_OFF'],
    }),
  ).toMatchObject({ assessment: 'Verified', tone: 'neutral', caveats: 'Another person; Cut off' });
});

it('names everybody whom it is about, and how they go together with the voice', () => {
  const row = rowOf({
    whoCalled: [
      { ...person('bob'), name: 'Bob Doe', result: 'PARTY_RESULT_MATCHED' },
      { ...person('anna'), result: 'PARTY_RESULT_NOT_MATCHED', isClaimed: true },
    ],
    foundLater: [{ check: 'FRAUD_DETECTION', fraudster: fraudster('case-1'), time: '2026-11-17T08:00:00Z' }],
  });
  expect(row).toMatchObject({
    ...{ person: 'bob; anna; case-1', person_name: 'Bob Doe' },
    person_known_by: 'matches; claimed, does not match; known fraudster, found later',
    found_later_at: '2026-11-17T08:00:00Z',
  });
});

it('says that a decision comes from an earlier session, and of whom', () => {
  const row = rowOf({
    headline: 'SESSION_HEADLINE_AUTHENTIC',
    inheritedFrom: { whoCalled: [{ ...person('anna'), result: 'PARTY_RESULT_MATCHED' }] },
  });
  expect(row).toMatchObject({
    ...{ assessment: 'Verified in an earlier session', person: 'anna' },
    person_known_by: 'matches, in an earlier session',
  });
});

it.each<[string | undefined, string | undefined, boolean]>([
  ['2026-11-16T12:00:00Z', '2026-11-16T12:00:01Z', true],
  ['2026-11-16T12:00:00Z', '2026-11-17T12:00:00Z', false],
  ['2026-11-16T12:00:00Z', undefined, true],
])('whether %s and %s are on one day: %s', (one, other, same) => {
  expect(isSameDay(one, other)).toBe(same);
});
