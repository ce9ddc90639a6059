// What becomes of recordings and sessions when a person is erased, case by case.
import { expect, it } from 'vitest';
import {
  sessionAfterErasure,
  stayOf,
  type Heard,
  type TiedRecording,
} from '../../../src/biometrics/rules/erasure.js';

const nobody: Heard = { isPersonHeard: false, isOtherHeard: false };
const person: Heard = { isPersonHeard: true, isOtherHeard: false };
const other: Heard = { isPersonHeard: false, isOtherHeard: true };
const both: Heard = { isPersonHeard: true, isOtherHeard: true };

const claimed: TiedRecording = {
  isOnLegalHold: false,
  isJudgedFraud: false,
  isGuess: false,
  isEnrolledForOther: false,
  mayBeOthers: false,
  inRecording: nobody,
  inSession: nobody,
  isSaidOfOthers: 'no',
};
const guessed: TiedRecording = { ...claimed, isGuess: true };
const [ON_HOLD, AS_FRAUD] = ['keptOnLegalHold kept', 'keptAsFraud kept'];
const [SHARED, NOT_THEIRS] = ['keptForOthers shared', 'keptForOthers guessed'];

const recordings: [string, TiedRecording, string][] = [
  ['the person was recognized', { ...claimed, inRecording: person, inSession: person }, 'goes'],
  ['claimed or compared, and nobody was recognized', claimed, 'goes'],
  ['another was recognized', { ...claimed, inRecording: other, inSession: other }, SHARED],
  ['another was, beside one with the person', { ...claimed, inRecording: other, inSession: both }, SHARED],
  ['both were recognized', { ...claimed, inRecording: both, inSession: both }, 'goes'],
  ['nobody was, in a session with another', { ...claimed, inSession: other }, SHARED],
  ['nobody was, in a session with both', { ...claimed, inSession: both }, 'goes'],
  ['the person was, in a session with another', { ...claimed, inRecording: person, inSession: both }, 'goes'],
  ['enrolled for another', { ...claimed, inRecording: both, isEnrolledForOther: true }, SHARED],
  ['on legal hold', { ...claimed, inRecording: person, isOnLegalHold: true, isJudgedFraud: true }, ON_HOLD],
  ['judged fraud', { ...claimed, inRecording: person, isJudgedFraud: true }, AS_FRAUD],
  ['guessed', { ...guessed, inSession: person }, 'goes'],
  ['guessed, and another was recognized', { ...guessed, inRecording: other, inSession: both }, NOT_THEIRS],
  ['guessed, and may be another’s', { ...guessed, inSession: person, mayBeOthers: true }, NOT_THEIRS],
  ['guessed, and a line says otherwise', { ...guessed, isSaidOfOthers: 'yes' }, 'keptForOthers awaited'],
  ['guessed, and a line may say otherwise', { ...guessed, isSaidOfOthers: 'not known yet' }, 'not known yet'],
];

it.each(recordings)('of a recording: %s', (_case, recording, becomes) => {
  const stay = stayOf(recording) ?? 'goes';
  expect(typeof stay === 'string' ? stay : `${stay.reason} ${stay.tie}`).toBe(becomes);
});

const sessions: [boolean, boolean, Heard, string][] = [
  [true, true, person, 'emptied'],
  [true, true, nobody, 'emptied'],
  [true, false, nobody, 'emptied'],
  [false, true, nobody, 'emptied'],
  [false, true, person, 'emptied'],
  [false, true, both, 'emptied'],
  [false, true, other, 'loses the claim'],
  [false, false, other, 'as it was'],
  [false, false, both, 'as it was'],
];

it.each(sessions)('of a session: theirs %s, claimed %s, heard %o', (isTheirs, isClaimed, heard, becomes) => {
  expect(sessionAfterErasure({ isTheirEngagement: isTheirs, isClaimed, heard })).toBe(becomes);
});
