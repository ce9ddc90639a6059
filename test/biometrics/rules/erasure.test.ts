// What becomes of recordings and sessions when a person is erased, case by case.
import { expect, it } from 'vitest';
import type { Factor } from '../../../src/biometrics/model/sessions.js';
import {
  alarmsIn,
  isAlarmUpheld,
  sessionAfterErasure,
  keptRecordingOf,
  type Heard,
  type TiedRecording,
} from '../../../src/biometrics/rules/erasure.js';

const nobody: Heard = { isPersonHeard: false, isOtherHeard: false, isFraudsterHeard: false };
const person: Heard = { ...nobody, isPersonHeard: true };
const other: Heard = { ...nobody, isOtherHeard: true };
const both: Heard = { ...person, isOtherHeard: true };
const fraudster: Heard = { ...nobody, isFraudsterHeard: true };
const withFraudster: Heard = { ...person, isFraudsterHeard: true };

const claimed: TiedRecording = {
  isOnLegalHold: false,
  isJudgedFraud: false,
  isGuess: false,
  isEnrolledForOther: false,
  isEnrolledForFraudster: false,
  mayBeOthers: false,
  inRecording: nobody,
  inSession: nobody,
  isClaimedForOthers: 'no',
};
const guessed: TiedRecording = { ...claimed, isGuess: true };
const [ON_HOLD, AS_FRAUD] = ['keptOnLegalHold kept', 'keptAsFraud kept'];
const EVIDENCE = 'keptWithFraudster kept';
const [SHARED, NOT_THEIRS] = ['keptForOthers shared', 'keptForOthers guessed'];

const recordings: [string, TiedRecording, string][] = [
  ['the person was recognized', { ...claimed, inRecording: person, inSession: person }, 'goes'],
  ['claimed or compared, and nobody was recognized', claimed, 'goes'],
  ['another was recognized', { ...claimed, inRecording: other, inSession: other }, SHARED],
  ['another was, beside one with the person', { ...claimed, inRecording: other, inSession: both }, SHARED],
  ['both were recognized', { ...claimed, inRecording: both, inSession: both }, SHARED],
  ['nobody was, in a session with another', { ...claimed, inSession: other }, SHARED],
  ['nobody was, in a session with both', { ...claimed, inSession: both }, 'goes'],
  ['the person was, in a session with another', { ...claimed, inRecording: person, inSession: both }, 'goes'],
  ['a fraudster was recognized', { ...claimed, inRecording: fraudster, inSession: fraudster }, EVIDENCE],
  [
    'the person and a fraudster were',
    { ...claimed, inRecording: withFraudster, inSession: withFraudster },
    EVIDENCE,
  ],
  ['nobody was, beside a fraudster', { ...claimed, inSession: fraudster }, EVIDENCE],
  ['nobody was, beside the person and a fraudster', { ...claimed, inSession: withFraudster }, EVIDENCE],
  [
    'the person was, beside a fraudster',
    { ...claimed, inRecording: person, inSession: withFraudster },
    'goes',
  ],
  ['guessed, and a fraudster was', { ...guessed, inRecording: fraudster }, 'keptWithFraudster guessed'],
  [
    'a fraudster, and judged fraud',
    { ...claimed, inRecording: withFraudster, isJudgedFraud: true },
    AS_FRAUD,
  ],
  ['enrolled for another', { ...claimed, inRecording: both, isEnrolledForOther: true }, SHARED],
  [
    'a fraudster was made from it',
    { ...claimed, inRecording: fraudster, isEnrolledForFraudster: true },
    EVIDENCE,
  ],
  ['so, and judged genuine since', { ...claimed, isEnrolledForFraudster: true }, 'keptForOthers kept'],
  ['so, and only guessed', { ...guessed, isEnrolledForFraudster: true }, NOT_THEIRS],
  ['on legal hold', { ...claimed, inRecording: person, isOnLegalHold: true, isJudgedFraud: true }, ON_HOLD],
  ['judged fraud', { ...claimed, inRecording: person, isJudgedFraud: true }, AS_FRAUD],
  ['guessed', { ...guessed, inSession: person }, 'goes'],
  ['guessed, and another was recognized', { ...guessed, inRecording: other, inSession: both }, NOT_THEIRS],
  ['guessed, and may be another’s', { ...guessed, inSession: person, mayBeOthers: true }, NOT_THEIRS],
  ['guessed, and a line says otherwise', { ...guessed, isClaimedForOthers: 'yes' }, 'keptForOthers awaited'],
  [
    'guessed, and a line may say otherwise',
    { ...guessed, isClaimedForOthers: 'not known yet' },
    'not known yet',
  ],
];

it.each(recordings)('of a recording: %s', (_case, recording, becomes) => {
  const stay = keptRecordingOf(recording) ?? 'goes';
  expect(typeof stay === 'string' ? stay : `${stay.reason} ${stay.link}`).toBe(becomes);
});

const sessions: [boolean, boolean, Heard, string][] = [
  [true, true, person, 'emptied'],
  [true, true, nobody, 'emptied'],
  [true, false, nobody, 'emptied'],
  [false, true, nobody, 'emptied'],
  [false, true, person, 'emptied'],
  [false, true, both, 'loses the claim'],
  [false, true, other, 'loses the claim'],
  [false, false, other, 'as it was'],
  [false, false, both, 'as it was'],
  [true, true, withFraudster, 'loses the claim'],
  [true, false, withFraudster, 'as it was'],
  [false, true, fraudster, 'loses the claim'],
  [false, false, fraudster, 'as it was'],
];

it.each(sessions)('of a session: theirs %s, claimed %s, heard %o', (isTheirs, isClaimed, heard, becomes) => {
  expect(sessionAfterErasure({ isTheirEngagement: isTheirs, isClaimed, heard })).toBe(becomes);
});

const alarms: [string, Parameters<typeof alarmsIn>[0][number], boolean][] = [
  ['a known fraudster was recognized', check('FRAUD_DETECTION', 'FRAUD', 'of a fraudster'), true],
  ['nobody was', check('FRAUD_DETECTION', 'AUTHENTIC', 'of a fraudster'), false],
  ['whom, is forgotten', check('FRAUD_DETECTION', 'FRAUD'), false],
  ['a fraudster was made from it', check('ENROLLMENT', 'UNCERTAIN', 'of a fraudster'), true],
  ['a fraudster matched by the print alone', check('AUTHENTICATION', 'AUTHENTIC', 'of a fraudster'), true],
  ['a fraudster did not', check('AUTHENTICATION', 'NO_MATCH', 'of a fraudster'), false],
  ['a person was enrolled', check('ENROLLMENT', 'UNCERTAIN', 'of a person'), false],
  ['a person was recognized', check('AUTHENTICATION', 'AUTHENTIC', 'of a person'), false],
  ['a person who is gone was', check('AUTHENTICATION', 'AUTHENTIC'), false],
];

function check(kind: Factor['kind'], decision: Factor['decision'], print?: string) {
  return { kind, decision, createdAtMs: 5, ...(print && { gkVoiceprintProfileId: print }) };
}

it.each(alarms)('of alarms: %s', (_case, made, isAlarm) => {
  expect(alarmsIn([made], (print) => print === 'of a person')).toEqual(isAlarm ? [5] : []);
});

it('takes an alarm back where the call was judged as genuine with the alarm in sight', () => {
  expect(isAlarmUpheld(5, undefined)).toBe(true);
  expect(isAlarmUpheld(5, 6)).toBe(false);
  expect(isAlarmUpheld(5, 5)).toBe(false);
  expect(isAlarmUpheld(7, 6)).toBe(true);
});
