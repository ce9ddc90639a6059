// Codes of the service as sentences: what happened, and what to do next.

export interface Advice {
  title: string;
  next: string;
}

const audio: Readonly<Record<string, Advice>> = {
  AUDIO_OK: { title: 'Good sound', next: 'Nothing to change.' },
  NOT_ENOUGH_SEGMENTS: { title: 'More takes are needed', next: 'Record another take.' },
  INVALID_AUDIO: {
    title: 'The sound could not be read',
    next: 'Use a WAV or MP3 file, or record with the microphone.',
  },
  AUDIO_TOO_SHORT: { title: 'Too little speech', next: 'Speak a little longer, without long pauses.' },
  AUDIO_TOO_SOFT: { title: 'Too quiet', next: 'Move closer to the microphone or turn its level up.' },
  AUDIO_TOO_LOUD: {
    title: 'Too loud, the sound is clipped',
    next: 'Move away from the microphone or turn its level down.',
  },
  AUDIO_TOO_NOISY: {
    title: 'Too much noise around',
    next: 'Find a quieter place, or move closer to the microphone.',
  },
  MULTIPLE_SPEAKERS_DETECTED: { title: 'More than one person speaks', next: 'Record one person alone.' },
  INTERNAL_ERROR: {
    title: 'The check itself failed',
    next: 'Try again. If it happens again, look at the System page.',
  },
};

const match: Readonly<Record<string, Advice>> = {
  VOICEPRINT_MATCH: {
    title: 'The voice fits the voiceprint',
    next: 'Carry on. For high risk, ask for a second factor as well.',
  },
  VOICEPRINT_NO_MATCH: {
    title: 'The voice does not fit well enough',
    next: 'Try once more in a quiet place. If it stays so, use another way to make sure who is speaking.',
  },
  FRAUDSTER_INDICATION: {
    title: 'The voice resembles a known fraudster',
    next: 'Do not confirm this to the caller. Pass the call on as your fraud rules say.',
  },
  LOW_RELIABILITY: {
    title: 'The sound is not good enough to decide',
    next: 'Record a longer and clearer take.',
  },
  NO_RISK_DETECTED: { title: 'Nothing suspicious was found', next: 'Nothing to do.' },
  NO_SCORES: {
    title: 'There was nothing to compare with',
    next: 'Add people with a trained voiceprint first.',
  },
  SYNTHETIC_SPEECH_DETECTED: {
    title: 'This sounds made by a machine',
    next: 'Ask for something unexpected to be said, and do not rely on the voice alone.',
  },
  PLAYBACK_INDICATION: {
    title: 'This sounds like a recording played back',
    next: 'Ask for a live answer to a new question, and do not rely on the voice alone.',
  },
};

/** The same codes mean something else where the question is whether a live person speaks. */
const attack: Readonly<Record<string, Advice>> = {
  AUDIO_OK: { title: 'No trace of it in this sound', next: 'Nothing to do.' },
  NO_RISK_DETECTED: { title: 'No trace of it in this sound', next: 'Nothing to do.' },
  LOW_RELIABILITY: {
    title: 'The check cannot be sure about this kind of sound',
    next: 'Take it as not checked, whatever the needle says.',
  },
};

const train: Readonly<Record<string, Advice>> = {
  TRAIN_OK: { title: 'The voiceprint is trained', next: 'Verify with a new take.' },
  INCONSISTENCY: {
    title: 'The takes do not sound like one person',
    next: 'Remove the take that does not fit and record it again.',
  },
  NOT_READY_TO_TRAIN: { title: 'There is not enough speech yet', next: 'Record another take.' },
  INTERNAL_ERROR: {
    title: 'Training failed',
    next: 'Try again. If it happens again, look at the System page.',
  },
};

const enroll: Readonly<Record<string, Advice>> = {
  ENROLL_OK: { title: 'Take added', next: 'Record the next one.' },
  TOO_SHORT: { title: 'Too little speech', next: 'Speak a little longer, without long pauses.' },
  MISSING_MODEL: { title: 'The server has no voice model for this sound', next: 'Look at the System page.' },
  ALREADY_ADDED: { title: 'This take is in the voiceprint already', next: 'Record a new one.' },
  WRONG_PRINT_TYPE: { title: 'This take was made for something else', next: 'Record a new one.' },
  INTERNAL_ERROR: { title: 'Adding the take failed', next: 'Try again.' },
};

function look(table: Readonly<Record<string, Advice>>, prefix: string, code: string | undefined): Advice {
  const bare = (code ?? '').replace(prefix, '');
  const plain = bare.toLowerCase().replaceAll('_', ' ');
  return (
    table[bare] ?? {
      title: plain === '' ? 'No reason given' : plain.charAt(0).toUpperCase() + plain.slice(1),
      next: '',
    }
  );
}

export const adviceOnAudio = (validity: string | undefined): Advice => look(audio, 'REASON_', validity);
export const adviceOnEnroll = (reason: string | undefined): Advice => look(enroll, 'ENROLL_REASON_', reason);
export const adviceOnTrain = (reason: string | undefined): Advice => look(train, 'TRAIN_REASON_', reason);
export const adviceOnDecision = (reason: string | undefined): Advice =>
  look({ ...audio, ...match }, 'DECISION_REASON_', reason);

export const adviceOnAttack = (reason: string | undefined): Advice =>
  look({ ...audio, ...match, ...attack }, 'DECISION_REASON_', reason);

export type DecisionTone = 'good' | 'warn' | 'bad' | 'neutral';

const decisions: Readonly<Record<string, readonly [string, DecisionTone]>> = {
  DECISION_AUTHENTIC: ['Verified', 'good'],
  DECISION_NO_MATCH: ['No match', 'warn'],
  DECISION_FRAUD: ['Fraud risk', 'bad'],
  DECISION_UNCERTAIN: ['Uncertain', 'warn'],
  DECISION_FAILED: ['Failed', 'bad'],
  DECISION_NO_RISK_DETECTED: ['No risk found', 'good'],
};

export function decisionWord(decision: string | undefined): { word: string; tone: DecisionTone } {
  const [word, tone] = decisions[decision ?? ''] ?? ['No decision', 'neutral'];
  return { word, tone };
}

const MILLION_LLR = Math.log(1e6);

/** A log-likelihood ratio as odds that people can read. */
export function evidenceWords(llr: number | undefined): string {
  if (llr === undefined) return 'No score';
  const size = Math.abs(llr);
  const times = Math.exp(size);
  const odds =
    size > MILLION_LLR
      ? 'more than a million'
      : times < 10
        ? times.toFixed(1)
        : Math.round(times).toLocaleString();
  return llr >= 0
    ? `${odds} times likelier the same voice than another`
    : `${odds} times likelier another voice than the same`;
}
