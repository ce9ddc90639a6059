// What the command line says of a session: everything that the lists of the console mark, so that nobody takes a bare decision for more.
import type { DescField } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import {
  decisionIn,
  enrolledWords,
  marksIn,
  outcomeIn,
  peopleIn,
  recognizedWords,
} from '../../src/cli/remote/session-words.js';
import {
  CarriedDecisionSchema,
  SessionEntrySchema,
  type SessionEntryJson,
} from '../../src/gen/voxgate/biosec/v1/activity_pb.js';

const linesOf = (entry: SessionEntryJson): string =>
  [decisionIn(entry), ...peopleIn(entry), outcomeIn(entry), ...marksIn(entry)].join('\n');

const idOf = (value: string) => ({ value });

describe('a session in words', () => {
  it('says who was claimed, compared and matched, and what is open', () => {
    const entry: SessionEntryJson = {
      details: { claimedGkPersonId: idOf('1'), riskInfo: { decision: 'DECISION_NO_MATCH' } },
      claimedPersonId: 'anna',
      persons: [
        { gkPersonId: idOf('1'), personId: 'anna', role: 'SESSION_PERSON_ROLE_VERIFIED', isMismatch: true },
        { gkPersonId: idOf('2'), personId: 'bob', role: 'SESSION_PERSON_ROLE_VERIFIED', isMatch: true },
        { gkPersonId: idOf('3'), personId: 'carl', role: 'SESSION_PERSON_ROLE_ENROLLED' },
      ],
      hasOtherPerson: true,
      cutOffTime: '2026-01-01T00:00:00Z',
      foundLater: [{ check: 'FRAUD_DETECTION', fraudster: { fraudsterId: 'mallory' } }],
      verdict: 'ENGAGEMENT_VERDICT_FRAUD',
      amount: '500',
    };
    expect(linesOf(entry).split('\n')).toEqual([
      'NO_MATCH',
      'anna claimed and did not match',
      'bob matched',
      'carl enrolled',
      'outcome fraud, amount 500',
      'another person compared',
      'cut off',
      'found later: mallory',
    ]);
  });

  it('says who was recognized in which session of an engagement', () => {
    const gkSessionIds = [idOf('1'), idOf('2')];
    expect(recognizedWords({ fraudster: { fraudsterId: 'carl' }, gkSessionIds })).toBe(
      'carl in session 1, 2',
    );
    expect(recognizedWords({ gkSessionIds })).toBe('a known fraudster in session 1, 2');
  });

  it('says where a decision comes from, as whom, and what was left open there', () => {
    const entry: SessionEntryJson = {
      details: { riskInfo: { decision: 'DECISION_AUTHENTIC' } },
      claimedPersonId: 'opal',
      carried: {
        persons: [{ personId: 'anna' }],
        isOtherPerson: true,
        undecidedChecks: ['SYNTHETIC_SPEECH'],
      },
    };
    expect(linesOf(entry).split('\n').filter(Boolean)).toEqual([
      'AUTHENTIC in an earlier session',
      'opal claimed',
      'verified earlier as anna',
      'another person claimed',
      'live person not confirmed (synthetic speech)',
    ]);
  });

  /** Columns of their own, or with what they belong to. */
  const elsewhere = new Set([
    'details',
    'claimedPersonName',
    'factorCount',
    'caseNumber',
    'amount',
    'refusedCount',
    'verdictTime',
    'isUpload',
    // Says the same as the fields beside it.
    'assessment',
    'gkSessionId',
    // At the head of a session.
    'enrolledAs',
    'engagementFraudsters',
    'isKeptAsFraud',
    'isKeptWithFraudster',
  ]);
  const sampleOf = ({ fieldKind, message, enum: values }: DescField): unknown => {
    if (fieldKind === 'list')
      return message ? [{ personId: 'x', fraudsterId: 'x', fraudster: { fraudsterId: 'x' } }] : ['X'];
    if (fieldKind === 'enum') return values?.values[1]?.name;
    if (fieldKind === 'scalar') return true;
    return message?.typeName.endsWith('Timestamp')
      ? '2026-01-01T00:00:00Z'
      : { persons: [{ personId: 'x' }] };
  };
  const told = (schema: { fields: readonly DescField[] }) =>
    schema.fields.filter(({ jsonName }) => !elsewhere.has(jsonName));

  it.each(told(SessionEntrySchema))('leaves $jsonName of a list entry out nowhere', (field) => {
    expect(linesOf({ [field.jsonName]: sampleOf(field) })).not.toBe(linesOf({}));
  });

  it.each(told(CarriedDecisionSchema))('leaves $jsonName of an earlier session out nowhere', (field) => {
    expect(linesOf({ carried: { [field.jsonName]: sampleOf(field) } })).not.toBe(linesOf({ carried: {} }));
  });
});

it.each([
  ['CALLER', 'caller not checked'],
  ['MIXED', 'caller and agent heard as one'],
  ['UNKNOWN', 'one channel not checked'],
  ['TOGETHER', 'channels heard as one'],
])('says what of the caller was left out: %s', (leftOutCaller, words) => {
  expect(marksIn({ leftOutCaller })).toEqual([words]);
});

it('says as whom the voice is enrolled, where that fraudster is listed, and who was deleted', () => {
  const fraudster = { fraudsterId: 'mallory' };
  const watchlists = [{ watchlistId: 'ring' }, { watchlistId: 'cards' }];
  expect(enrolledWords({ fraudster, watchlists })).toBe('mallory, on watchlist ring, cards');
  expect(enrolledWords({ fraudster })).toBe('mallory, on no watchlist');
  const gone = { ...fraudster, isDeleted: true };
  expect(marksIn({ foundLater: [{ fraudster: gone }], madeFraudsters: [gone] })).toEqual([
    'found later: mallory (deleted)',
    'made into fraudster: mallory (deleted)',
  ]);
});
