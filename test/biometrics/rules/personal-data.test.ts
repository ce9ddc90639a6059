// What the export of a person hands out, case by case.
import { expect, it } from 'vitest';
import type { EngagementVerdict } from '../../../src/biometrics/model/sessions.js';
import type { Heard, TiedRecording } from '../../../src/biometrics/rules/erasure.js';
import { isTheirCall, withheldFor, type OfCall } from '../../../src/biometrics/rules/personal-data.js';

const nobody: Heard = { isPersonHeard: false, isOtherHeard: false, isFraudsterHeard: false };
const person: Heard = { ...nobody, isPersonHeard: true };
const other: Heard = { ...nobody, isOtherHeard: true };
const both: Heard = { ...person, isOtherHeard: true };
const fraudster: Heard = { ...nobody, isFraudsterHeard: true };
const withFraudster: Heard = { ...person, isFraudsterHeard: true };

const judged = (claim: OfCall['claim'], ...outcomes: EngagementVerdict[]): OfCall => ({ claim, outcomes });

it.each([
  ['recognized', person, judged('person'), true],
  ['recognized, without a claim', person, judged('nobody'), true],
  ['recognized in a call that claims somebody else', person, judged('other'), true],
  ['only claimed', nobody, judged('person'), false],
  ['only claimed, outcome uncertain', nobody, judged('person', 'UNCERTAIN'), false],
  ['only claimed, outcome genuine', nobody, judged('person', 'AUTHENTIC'), true],
  ['only compared, outcome genuine for another', nobody, judged('other', 'AUTHENTIC'), false],
  ['only compared, outcome genuine for nobody', nobody, judged('nobody', 'AUTHENTIC'), false],
  ['recognized, outcome uncertain', person, judged('person', 'UNCERTAIN'), true],
  ['recognized, outcome fraud', person, judged('person', 'FRAUD'), false],
  ['recognized, outcome someone else', person, judged('person', 'SOMEONE_ELSE'), false],
  ['verified without a claim, outcome someone else', person, judged('nobody', 'SOMEONE_ELSE'), false],
  ['recognized as who else it was', person, judged('other', 'SOMEONE_ELSE'), true],
  ['recognized, outcomes of two calls differ', person, judged('person', 'AUTHENTIC', 'FRAUD'), false],
  ['another was recognized', other, judged('person'), false],
  ['another was recognized, outcome genuine', other, judged('person', 'AUTHENTIC'), false],
  ['both were recognized', both, judged('person'), false],
  ['a fraudster was', fraudster, judged('person'), false],
  ['the person and a fraudster were', withFraudster, judged('person'), false],
])('a call in which the person was %s', (_case, heard, call, isTheirs) => {
  expect(isTheirCall(heard, call)).toBe(isTheirs);
});

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
const known: TiedRecording = { ...claimed, inRecording: person, inSession: person };

it.each<[string, TiedRecording, OfCall, string]>([
  ['recognized', known, judged('person'), 'handed out'],
  ['recognized, and on hold', { ...known, isOnLegalHold: true }, judged('person'), 'handed out'],
  ['only claimed', claimed, judged('person'), 'NOT_RECOGNIZED'],
  ['only claimed, outcome genuine', claimed, judged('person', 'AUTHENTIC'), 'handed out'],
  ['in the session, not in it', { ...claimed, inSession: person }, judged('person'), 'NOT_RECOGNIZED'],
  ['a guess', { ...claimed, isGuess: true, inSession: person }, judged('person'), 'NOT_RECOGNIZED'],
  ['a guess, genuine', { ...claimed, isGuess: true }, judged('person', 'AUTHENTIC'), 'NOT_RECOGNIZED'],
  ['another was recognized', { ...claimed, inRecording: other }, judged('person'), 'NOT_RECOGNIZED'],
  ['both were recognized', { ...known, inRecording: both }, judged('person'), 'ALSO_ANOTHER_PERSON'],
  ['enrolled for another', { ...known, isEnrolledForOther: true }, judged('person'), 'ALSO_ANOTHER_PERSON'],
  ['outcome someone else', known, judged('person', 'SOMEONE_ELSE'), 'NOT_RECOGNIZED'],
  ['outcome fraud', { ...known, isJudgedFraud: true }, judged('person', 'FRAUD'), 'EVIDENCE_OF_FRAUD'],
  ['a fraudster was', { ...known, inRecording: withFraudster }, judged('person'), 'EVIDENCE_OF_FRAUD'],
  ['beside a fraudster', { ...claimed, inSession: fraudster }, judged('person'), 'EVIDENCE_OF_FRAUD'],
  ['recognized beside a fraudster', { ...known, inSession: withFraudster }, judged('person'), 'handed out'],
])('a recording: %s', (_case, recording, call, expected) => {
  expect(withheldFor(recording, call) ?? 'handed out').toBe(expected);
});
