// English: what a session means.
import type { AssessmentWords } from './catalogue.js';

const OTHER_PROOF = 'Confirm who it is in another way.';

export const text: AssessmentWords = {
  headlines: {
    FRAUD: {
      word: 'Fraud risk',
      inherited: 'Fraud risk in an earlier session',
      meaning: 'There are signs of fraud.',
      next: 'Do not tell the caller. Follow your fraud procedure.',
    },
    NO_MATCH: {
      word: 'No match',
      inherited: 'No match in an earlier session',
      meaning: 'The voice does not match.',
      next: `Treat the caller as not verified. ${OTHER_PROOF}`,
    },
    REFUSED: {
      word: 'Refused',
      meaning: 'The voiceprint is locked, so the voice was not compared.',
      next: 'Listen to the recording, and unlock the voiceprint only when its owner has confirmed the call.',
    },
    UNCERTAIN: {
      word: 'Uncertain',
      meaning: 'The checks could not tell.',
      next: `Treat the caller as not verified. ${OTHER_PROOF}`,
    },
    FAILED: { word: 'Failed', meaning: 'A check failed.', next: 'Try again.' },
    AUTHENTIC: {
      word: 'Verified',
      inherited: 'Verified in an earlier session',
      meaning: 'The voice matches.',
      next: '',
    },
    NO_RISK_DETECTED: {
      word: 'No risk found',
      inherited: 'No risk found in an earlier session',
      meaning: 'The checks found nothing suspicious. They did not ask who called.',
      next: '',
    },
    ENROLLMENT: { word: 'Enrollment', meaning: 'A voice was enrolled. Nothing was checked.', next: '' },
    UPLOAD: {
      word: 'Upload',
      meaning: 'It only holds recordings. The sessions that checked them say what was found.',
      next: '',
    },
    LISTENING: { word: 'Listening', meaning: 'There is not enough speech yet.', next: '' },
    NONE: { word: 'Nothing decided', meaning: 'Nothing was decided.', next: '' },
  },
  caveats: {
    FOUND_LATER: {
      word: 'Found later',
      meaning: 'After the call, a fraudster or signs of an attack were found in it.',
      next: 'Do not rely on the result. Listen to the recording, and record the outcome.',
    },
    OUTCOME_DISAGREES: {
      word: 'Outcome disagrees',
      meaning: 'The recorded outcome speaks against what the checks say.',
      next: '',
    },
    OTHER_PERSON: {
      word: 'Another person',
      meaning: 'The result is about somebody other than the person claimed.',
      next: 'Ask who is calling, and verify that person.',
    },
    CONTRADICTION: {
      word: 'Checks contradict',
      meaning: 'Comparisons contradict each other: more than one person may have spoken.',
      next: `Listen to the recordings. ${OTHER_PROOF}`,
    },
    SECOND_VOICE: {
      word: 'Another voice',
      meaning: 'Somebody else speaks in a part of the call.',
      next: `Do not rely on a match. ${OTHER_PROOF}`,
    },
    CLAIM_NOT_CONFIRMED: {
      word: 'Claimed person not confirmed',
      meaning: 'No comparison says whether the caller is the person claimed.',
      next: 'Verify the caller, or confirm who it is in another way.',
    },
    CALLER_NOT_ISOLATED: {
      word: "Caller's channel not checked alone",
      meaning: 'What was checked may be the voice of the agent.',
      next: "Check the caller's channel, or have the application say who speaks on which channel.",
    },
    ATTACK_CHECK_MISSING: {
      word: 'Not checked for attacks',
      meaning: 'It was not checked whether a live person spoke.',
      next: 'Check the recording for attacks before you rely on the result.',
    },
    LIST_NOT_FULLY_COMPARED: {
      word: 'List not fully compared',
      meaning: 'The voice was not compared with everybody on a list.',
      next: 'Check the recording against the watchlist again.',
    },
    CUT_OFF: {
      word: 'Cut off',
      meaning: 'Listening ended before the call did: the result covers the part before.',
      next: '',
    },
    INHERITED: {
      word: 'From an earlier session',
      meaning: 'The decision comes from another session of this engagement. Nothing in this one says so.',
      next: 'If somebody else may be speaking now, verify the caller again.',
    },
    DATA_ERASED: {
      word: 'Data erased',
      meaning: 'Personal data was erased: the result is kept for the record only.',
      next: '',
    },
    ATTACK_CHECK_UNRESOLVED: {
      word: 'Attack check unresolved',
      meaning: 'A check for attacks could not tell whether a live person spoke.',
      next: '',
    },
    REFUSED: { word: 'Refused', meaning: 'A verification was refused because of a lock.', next: '' },
  },
  results: {
    MATCHED: 'matches',
    NOT_MATCHED: 'does not match',
    UNDECIDED: 'compared, undecided',
    NOT_COMPARED: 'not compared',
    ENROLLED: 'enrolled',
  },
  claimed: {
    MATCHED: 'claimed, matches',
    NOT_MATCHED: 'claimed, does not match',
    UNDECIDED: 'claimed, undecided',
    NOT_COMPARED: 'claimed, not compared',
    ENROLLED: 'claimed, enrolled',
  },
  fraudsters: { MATCHED: 'recognized fraudster', ENROLLED: 'enrolled as a fraudster' },
  checks: { SYNTHETIC_SPEECH: 'Synthetic speech', CHANNEL_PLAYBACK: 'Playback' },
  found: {
    SYNTHETIC_SPEECH: 'synthetic speech',
    CHANNEL_PLAYBACK: 'played recording',
    FRAUD_DETECTION: 'known fraudster',
    ENROLLMENT: 'enrolled as a fraudster',
  },
  unavailable: {
    SYNTHETIC_SPEECH: 'The check for synthetic speech is not available on this channel.',
    CHANNEL_PLAYBACK: 'The check for played recordings is not available on the telephone.',
  },
  incomplete: 'Incomplete',
  onAgentsChannel: "on the agent's channel",
  inEarlierSession: 'in an earlier session',
  erasedPerson: 'erased person',
  unknownPerson: 'unknown person',
  deleted: (id) => `${id} (deleted)`,
};
