// English: decisions, reasons with advice, operations, records, channels. Keys are the codes of the contract.
import type {
  AudioValidityJson,
  DecisionJson,
  EngagementVerdictJson,
  SessionIntentJson,
  SessionTypeJson,
  TrainReasonJson,
} from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { RecordTypeJson } from '../../../gen/vendor/biosec/v1/history/history_pb.js';
import type { EnrollReasonJson } from '../../../gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { many, num, type Advice } from '../tools.js';

const tooShort = { title: 'Too little speech', next: 'Speak a little longer, without long pauses.' };
const TRY_AGAIN = 'Try again. If it happens again, check the System page.';

const audio: Record<AudioValidityJson, Advice> = {
  REASON_UNSPECIFIED: { title: 'No reason given', next: '' },
  REASON_AUDIO_OK: { title: 'Good audio', next: 'Nothing to change.' },
  REASON_NOT_ENOUGH_SEGMENTS: { title: 'More recordings are needed', next: 'Add another recording.' },
  REASON_INVALID_AUDIO: {
    title: 'The audio could not be used',
    next: 'Use a WAV or MP3 file of at most an hour, or record with the microphone.',
  },
  REASON_AUDIO_TOO_SHORT: tooShort,
  REASON_AUDIO_TOO_SOFT: { title: 'Too quiet', next: 'Move closer to the microphone or turn up its level.' },
  REASON_AUDIO_TOO_LOUD: {
    title: 'Too loud: the audio is clipped',
    next: 'Move away from the microphone or turn down its level.',
  },
  REASON_AUDIO_TOO_NOISY: {
    title: 'Too much background noise',
    next: 'Find a quieter place, or move closer to the microphone.',
  },
  REASON_MULTIPLE_SPEAKERS_DETECTED: {
    title: 'More than one person is speaking',
    next: 'Record one person at a time.',
  },
  REASON_INTERNAL_ERROR: { title: 'The check itself failed', next: TRY_AGAIN },
};

const train: Record<TrainReasonJson, Advice> = {
  TRAIN_REASON_UNSPECIFIED: { title: 'No reason given', next: '' },
  TRAIN_REASON_TRAIN_OK: { title: 'The voiceprint is trained', next: 'Verify it with a new recording.' },
  TRAIN_REASON_INCONSISTENCY: {
    title: 'The recordings do not sound like one person',
    next: 'Remove the recording that does not fit and record it again.',
  },
  TRAIN_REASON_NOT_READY_TO_TRAIN: { title: 'Not enough speech yet', next: 'Add another recording.' },
  TRAIN_REASON_INTERNAL_ERROR: { title: 'Training failed', next: TRY_AGAIN },
};

const enroll: Record<EnrollReasonJson, Advice> = {
  ENROLL_REASON_UNSPECIFIED: { title: 'No reason given', next: '' },
  ENROLL_REASON_ENROLL_OK: { title: 'Recording added', next: 'Add the next one.' },
  ENROLL_REASON_TOO_SHORT: tooShort,
  ENROLL_REASON_MISSING_MODEL: {
    title: 'No voice could be measured in this recording',
    next: 'Record again.',
  },
  ENROLL_REASON_ALREADY_ADDED: {
    title: 'This recording is already part of the voiceprint',
    next: 'Record a new one.',
  },
  ENROLL_REASON_WRONG_PRINT_TYPE: {
    title: 'This recording was only used for a check',
    next: 'Record a new one.',
  },
  ENROLL_REASON_PRINT_FULL: {
    title: 'The voiceprint is full',
    next: 'Train it, or remove a recording first.',
  },
  ENROLL_REASON_INTERNAL_ERROR: { title: 'The recording could not be added', next: TRY_AGAIN },
};

const decisions: Record<DecisionJson, string> = {
  DECISION_UNSPECIFIED: 'No decision',
  DECISION_AUTHENTIC: 'Verified',
  DECISION_NO_MATCH: 'No match',
  DECISION_FRAUD: 'Fraud risk',
  DECISION_UNCERTAIN: 'Uncertain',
  DECISION_FAILED: 'Failed',
  DECISION_NO_RISK_DETECTED: 'No risk found',
};

type Findings = Readonly<Record<string, Advice>>;

const NEED_OTHER_PROOF = 'Treat the caller as not verified, and confirm who it is in another way.';
const KEEP_QUIET = 'Do not tell the caller. Follow your fraud procedure.';
const NO_ACTION = 'No action needed.';

const NOT_BY_VOICE_ALONE = 'Do not rely on the voice alone. Confirm in another way who it was.';

const findings: Record<'any' | 'verify' | 'identify' | 'watchlist' | 'attack', Findings> = {
  any: {
    LOW_RELIABILITY: {
      title: 'The audio is not good enough to decide',
      next: 'Make a longer and clearer recording.',
    },
    SYNTHETIC_SPEECH_DETECTED: {
      title: 'This sounds computer-generated',
      next: 'Ask the caller to say something unexpected, and do not rely on the voice alone.',
      nextOver: NOT_BY_VOICE_ALONE,
    },
    PLAYBACK_INDICATION: {
      title: 'This sounds like a recording being played back',
      next: 'Ask for a live answer to a new question, and do not rely on the voice alone.',
      nextOver: NOT_BY_VOICE_ALONE,
    },
    PROMPT_PASSED: { title: 'The same voice said the digits in time', next: NO_ACTION },
    WORDS_MATCH: { title: 'The expected words were said', next: NO_ACTION },
    WORDS_NO_MATCH: {
      title: 'Other words were said, or not all of them in their order',
      next: 'Ask for other digits once more. If that fails too, confirm who it is in another way.',
      nextOver: NOT_BY_VOICE_ALONE,
    },
    VOICE_NO_MATCH: {
      title: 'The digits were said by another voice',
      next: 'Do not rely on the voice. Confirm who it is in another way.',
      nextOver: NOT_BY_VOICE_ALONE,
    },
    PROMPT_EXPIRED: {
      title: 'The answer came too late',
      next: 'Ask for other digits. If the answer is late again, confirm who it is in another way.',
      nextOver: NOT_BY_VOICE_ALONE,
    },
    SPEAKER_CHANGED: {
      title: 'Somebody else speaks in a part of the call',
      next: 'Do not rely on the voice. Confirm who it is in another way.',
    },
    PROFILE_LOCKED: {
      title: 'Refused, because the voiceprint is locked',
      next: 'The voice was not compared. Confirm who it is in another way, and find out who keeps trying.',
    },
    PROFILE_COOLING_OFF: {
      title: 'Not compared, because the voiceprint is too new',
      next: 'Confirm who it is in another way until its cooling-off time is over.',
    },
    NOT_ENROLLED: {
      title: 'Not compared, because this person has no trained voiceprint',
      next: 'Confirm who it is in another way, or enroll the person first.',
    },
    PERSON_OPTED_OUT: {
      title: 'Not compared, because this person has opted out of voice biometrics',
      next: 'Confirm who it is in another way.',
    },
  },
  verify: {
    VOICEPRINT_MATCH: {
      title: 'The voice matches the voiceprint',
      next: 'You can carry on. Where the stakes are high, ask for a second factor as well.',
    },
    VOICEPRINT_NO_MATCH: { title: 'The voice does not match well enough', next: NEED_OTHER_PROOF },
    FRAUDSTER_INDICATION: { title: 'This is clearly someone else’s voice', next: KEEP_QUIET },
    NOT_ENOUGH_SEGMENTS: {
      title: 'The voiceprint has not been trained yet',
      next: 'Add more recordings to the voiceprint, and train it.',
    },
    NO_SCORES: {
      title: 'There was nothing to compare with',
      next: 'Train the voiceprint, or wait until its cooling-off time is over.',
    },
  },
  identify: {
    VOICEPRINT_MATCH: {
      title: 'The voice matches someone in the group',
      next: 'You can carry on. Where the stakes are high, ask for a second factor as well.',
    },
    VOICEPRINT_NO_MATCH: {
      title: 'The voice matches nobody in the group well enough',
      next: NEED_OTHER_PROOF,
    },
    FRAUDSTER_INDICATION: { title: 'The voice is unlike everyone’s in the group', next: NEED_OTHER_PROOF },
    NOT_ENOUGH_SEGMENTS: {
      title: 'Nobody in the group has a trained voiceprint',
      next: 'Train the voiceprints of its members first.',
    },
    NO_SCORES: {
      title: 'There was nothing to compare with',
      next: 'Add people with a trained voiceprint first.',
    },
  },
  watchlist: {
    FRAUDSTER_INDICATION: { title: 'The voice resembles a known fraudster', next: KEEP_QUIET },
    NO_RISK_DETECTED: { title: 'The voice is not that of a known fraudster', next: NO_ACTION },
    NOT_ENOUGH_SEGMENTS: {
      title: 'Nobody on the watchlist had a trained voiceprint',
      next: 'Nobody was compared. Train the voiceprints of its members, and check again.',
    },
    NO_SCORES: {
      title: 'Nobody on the watchlist had a trained voiceprint',
      next: 'Nobody was compared. Add fraudsters with a trained voiceprint to it, and check again.',
    },
  },
  attack: {
    AUDIO_OK: { title: 'No attack detected in this audio', next: NO_ACTION },
    NO_RISK_DETECTED: { title: 'No attack detected in this audio', next: NO_ACTION },
    LOW_RELIABILITY: {
      title: 'The check cannot judge this kind of audio reliably',
      next: 'Treat this audio as not checked, regardless of the risk shown.',
    },
  },
};

const byDecision: Record<DecisionJson, Advice> = {
  DECISION_UNSPECIFIED: { title: 'No reason given', next: '' },
  DECISION_AUTHENTIC: { title: 'The voice matches', next: 'You can carry on.' },
  DECISION_NO_MATCH: { title: 'The voice does not match well enough', next: NEED_OTHER_PROOF },
  DECISION_FRAUD: { title: 'There are signs of fraud', next: KEEP_QUIET },
  DECISION_UNCERTAIN: {
    title: 'The check could not decide',
    next: 'Make a longer and clearer recording, or confirm who it is in another way.',
  },
  DECISION_FAILED: { title: 'The check itself failed', next: TRY_AGAIN },
  DECISION_NO_RISK_DETECTED: { title: 'Nothing suspicious was found', next: NO_ACTION },
};

const channels: Record<SessionTypeJson, string> = {
  SESSION_TYPE_UNSPECIFIED: '–',
  SESSION_TYPE_CALL_CENTER: 'Call with an agent',
  SESSION_TYPE_IVR: 'Phone self-service',
  SESSION_TYPE_DIGITAL: 'Web or app',
  SESSION_TYPE_FRAUD_ANALYST: 'Fraud analysis',
  SESSION_TYPE_ADMINISTRATION: 'Administration',
  SESSION_TYPE_OFFLINE_MEDIA_PROCESSING: 'Offline processing',
  SESSION_TYPE_WEB: 'Web',
  SESSION_TYPE_POST_CALL: 'After the call',
  SESSION_TYPE_PRE_CALL: 'Before the call',
  SESSION_TYPE_OTHER: 'Other',
};

const intents: Record<SessionIntentJson, string> = {
  SESSION_INTENT_UNSPECIFIED: '–',
  SESSION_INTENT_OPT_OUT: 'Opt-out',
  SESSION_INTENT_ENROLLMENT: 'Enrollment',
  SESSION_INTENT_ADAPTATION: 'Adaptation',
  SESSION_INTENT_VERIFICATION: 'Verification',
  SESSION_INTENT_FRAUD: 'Fraud',
  SESSION_INTENT_FRAUD_DETECTION: 'Fraud detection',
  SESSION_INTENT_ORPHAN: 'No stated purpose',
  SESSION_INTENT_OTHER: 'Other',
};

const verdicts: Record<EngagementVerdictJson, { word: string; choice: string }> = {
  ENGAGEMENT_VERDICT_UNSPECIFIED: { word: '–', choice: 'Choose …' },
  ENGAGEMENT_VERDICT_AUTHENTIC: { word: 'Genuine', choice: 'Genuine: it was the person they claimed to be' },
  ENGAGEMENT_VERDICT_FRAUD: { word: 'Fraud', choice: 'Fraud' },
  ENGAGEMENT_VERDICT_SOMEONE_ELSE: { word: 'Someone else', choice: 'Someone else, no fraud intended' },
  ENGAGEMENT_VERDICT_UNCERTAIN: { word: 'Uncertain', choice: 'Uncertain' },
};

const records: Partial<Record<RecordTypeJson, string>> = {
  RECORD_TYPE_ENGAGEMENT_EVENT: 'Engagement',
  RECORD_TYPE_SESSION_EVENT: 'Session',
  RECORD_TYPE_PERSON_EVENT: 'Person',
  RECORD_TYPE_FRAUDSTER_EVENT: 'Fraudster',
  RECORD_TYPE_GROUP_EVENT: 'Group',
  RECORD_TYPE_WATCHLIST_EVENT: 'Watchlist',
  RECORD_TYPE_MEDIA_EVENT: 'Recording',
  RECORD_TYPE_AUDIO_EVENT: 'Audio processing',
  RECORD_TYPE_VOICEPRINT_EVENT: 'Voiceprint',
  RECORD_TYPE_ANTI_SPOOFING_AUDIT_INFO_EVENT: 'Attack check',
  RECORD_TYPE_FACTORS_AUDIT_INFO_EVENT: 'Voice check',
  RECORD_TYPE_TEXT_EVENT: 'Prompt',
  RECORD_TYPE_RISK_ENGINE_EVENT: 'Risk',
  RECORD_TYPE_CALIBRATION_EVENT: 'Calibration',
  RECORD_TYPE_SCOPE_EVENT: 'Tenant and settings',
  RECORD_TYPE_JOBS_EVENT: 'Background job',
  RECORD_TYPE_DELETE_PERSONAL_DATA_EVENT: 'Erasure requested',
  RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT: 'Erasure completed',
  RECORD_TYPE_WEB_APP_EVENT: 'Sign-in and management',
};

export const text = {
  audio,
  train,
  trainNeeds: {
    recordings: (there: number, needed: number): Advice => ({
      title: `More recordings are needed: ${num(there)} of ${num(needed)} so far`,
      next: 'Add another recording of the same voice.',
    }),
    speech: (there: number, needed: number): Advice => ({
      title: `More speech is needed: ${num(there, 1)} of ${num(needed, 1)} s so far`,
      next: 'Add another recording of the same voice.',
    }),
  },
  enroll,
  decisions,
  channels,
  intents,
  verdicts,
  records,
  enrollment: 'Enrollment',
  refused: 'Refused',
  /** Of an attack check, for a call on the telephone. */
  unavailable: { word: 'Not available', title: 'Not available on telephone audio' },
  trial: 'Trial',
  /** Whatever the check was about: there was nothing to hear. */
  noSpeech: {
    title: 'No speech was found',
    next: 'Check that the recording contains a voice, and try again.',
  },
  /** Reasons, beside those of the audio, by what was asked; `any` where the question makes no difference. */
  findings,
  /** Where the reason says nothing, or not what was decided. */
  byDecision,
  /** Reasons of a whole session, beside those above. */
  session: {
    UNSPECIFIED: '–',
    FRAUD_RISK: 'A check found a risk of fraud',
    AUTHENTIC: 'The voice matches the voiceprint',
    NO_MATCH: 'The voice does not match well enough',
    NO_DATA: 'No check has been made',
    LOW_RELIABILITY: 'No check could decide reliably',
    NO_RISK_DETECTED: 'Nothing suspicious was found',
    BAD_CONFIGURATION: 'The config set is not valid',
    NO_AVAILABLE_SCORES: 'The voice could not be compared',
    BAD_AUDIO: 'The audio is not good enough to decide',
    BAD_TEXT: 'What was said was not the expected text',
  } as Readonly<Record<string, string>>,
  withLoss: (outcome: string, loss: string) => `${outcome}, loss ${loss}`,
  printTag: (tag: string) => `voiceprint “${tag}”`,
  goneVoiceprint: 'A voiceprint that has been deleted',
  deletedName: (name: string) => `${name} (deleted)`,
  attacks: {
    SYNTHETIC_SPEECH: 'Checked for synthetic speech',
    CHANNEL_PLAYBACK: 'Checked for playback',
  } as Readonly<Record<string, string>>,
  attackEvidence: {
    experimental: 'Experimental',
    experimentalText:
      'Experimental checks have not been proven on new attacks: take them as hints ({accuracy}).',
    accuracy: 'measured accuracy',
    span: (what: string, from: string, to: string) => `${what}: ${from} to ${to} s`,
    place: (from: string, to: string) => `${from} to ${to} s`,
    places: (places: string) => `Sounds like an attack: ${places}.`,
    openSpan: (what: string, from: string, to: string) => `${what}, not decided: ${from} to ${to} s`,
    openPlaces: (places: string) => `Suspicious, but not conclusive: ${places}.`,
    /** Other than the one that comes with the detector. */
    tenantThreshold: (risk: number, band: string) =>
      `The alarm begins at risk ${String(risk)}${band}, the line of your config set.`,
    bands: { narrow: ' for telephone speech', wide: ' for wide-band speech' } as Readonly<
      Record<string, string>
    >,
    noKind: 'This check cannot tell how it was made (text-to-speech, voice conversion, a vocoder).',
    measures: {
      spread: 'The parts of the detector contradict one another',
      distance: 'This audio is unlike anything the detector was trained on',
      net_speech_s: 'There is too little speech for this check',
      snr_db: 'There is too much noise for this check',
      score: 'The score is where people and attacks overlap',
      bandwidth: 'This check is not available on this channel: it needs more than a telephone carries',
    } as Readonly<Record<string, string>>,
  },
  /** Members without a usable voiceprint, beside what was found about the others. */
  notCompared: {
    group: (count: number, members: number) =>
      many(
        count,
        `# of ${num(members)} people was not compared: no usable voiceprint.`,
        `# of ${num(members)} people were not compared: no usable voiceprint.`,
      ),
    watchlist: (count: number, members: number) =>
      many(
        count,
        `# of ${num(members)} fraudsters was not compared: no usable voiceprint.`,
        `# of ${num(members)} fraudsters were not compared: no usable voiceprint.`,
      ),
  },
  /** The answer to a prompt; its words are in the language of the prompt. */
  prompt: {
    asked: 'Asked for',
    heard: 'Heard',
    voice: 'Voice match',
    delay: 'Answered after',
    seconds: (seconds: number) => `${num(seconds, 1)} s`,
    said: 'said',
    notHeard: 'not heard',
  },
  attackNames: {
    SYNTHETIC_SPEECH: 'Synthetic speech',
    CHANNEL_PLAYBACK: 'Playback',
  } as Readonly<Record<string, string>>,
  evidence: {
    none: 'No score',
    million: 'more than a million',
    same: (odds: string) => `${odds} times more likely to be the same voice than a different one`,
    other: (odds: string) => `${odds} times more likely to be a different voice than the same one`,
  },
  risk: (risk: number) => `risk ${String(risk)} of 1000`,
  /** Under a label that says what it is. */
  riskValue: (risk: number) => `${String(risk)} of 1000`,
  reliability: (reliability: number) => `reliability ${num(reliability)}/100`,
  you: 'you',
  system: 'the system',
  /** Who tried to sign in without being anybody. */
  nobody: 'unknown',
  clientOf: (client: string, application: string) => `client ${client} of application ${application}`,
  user: (id: string) => `user ${id}`,
};
