/**
 * The gates of AudioValidity. They are tried from cause to consequence: a file that cannot be read, a line
 * too soft to carry any speech, speech hidden by noise, too little speech, then soft, loud, noisy, and more
 * than one speaker. The verdict is the first that fails; all that fail are listed, each with advice.
 */
import type { InvalidAudio } from '../audio/types.js';
import type { AudioGates, AudioQuality, AudioVerdict, GateFailure } from './types.js';

const alike = { speechLevelDbfsMin: -50, saturatedPerMinuteMax: 6000, speakersMax: 1 };

/** The limits that every config set starts with (src/biometrics/model/parameters.ts takes them from here). */
export const defaultGates: Readonly<Record<'enroll' | 'verify', Readonly<AudioGates>>> = Object.freeze({
  enroll: Object.freeze({ ...alike, netMsMin: 2000, snrDbMin: 8 }),
  verify: Object.freeze({ ...alike, netMsMin: 1500, snrDbMin: 5 }),
});

/** Below this peak a recording without speech is called soft, not short. */
const SILENT_PEAK_DBFS = -44;

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

type Gate = (quality: AudioQuality, gates: AudioGates) => GateFailure | undefined;

const QUIETER_PLACE =
  'Ask the person to move to a quieter place or to switch off the loudspeaker, then record again.';

const isClipped = (q: AudioQuality, g: AudioGates): boolean => q.saturatedPerMinute > g.saturatedPerMinuteMax;

const tooLoud: Gate = (q, g) =>
  isClipped(q, g)
    ? {
        validity: 'AUDIO_TOO_LOUD',
        explanation: `${Math.round(q.saturatedPerMinute)} clipped samples per minute; at most ${g.saturatedPerMinuteMax} are allowed.`,
        advice: 'Lower the recording gain, or ask the person to hold the microphone further away.',
      }
    : undefined;

/**
 * Too little speech was found, although somebody spoke long enough: more of the same would not help, a
 * quieter place would.
 */
const isHidden = (q: AudioQuality, g: AudioGates): boolean =>
  q.netMs < g.netMsMin && q.netMs + q.uncertainMs >= g.netMsMin && q.snrDb < g.snrDbMin;

/** Clipping makes noise of its own: then the gain is the cause, not the place. */
const hiddenInNoise = (q: AudioQuality, g: AudioGates): boolean => isHidden(q, g) && !isClipped(q, g);

const gatesInOrder: Gate[] = [
  (q, g) =>
    q.netMs < g.netMsMin && q.peakDbfs < SILENT_PEAK_DBFS
      ? {
          validity: 'AUDIO_TOO_SOFT',
          explanation: `The recording is almost silent (peak ${q.peakDbfs.toFixed(0)} dBFS).`,
          advice: 'Check that the microphone or line is connected and not muted, then record again.',
        }
      : undefined,
  (q, g) => (isHidden(q, g) ? tooLoud(q, g) : undefined),
  (q, g) =>
    hiddenInNoise(q, g)
      ? {
          validity: 'AUDIO_TOO_NOISY',
          explanation: `Of about ${seconds(q.netMs + q.uncertainMs)} s of speech, ${seconds(q.uncertainMs)} s are too noisy to be used (${q.snrDb.toFixed(0)} dB).`,
          advice: QUIETER_PLACE,
        }
      : undefined,
  (q, g) =>
    q.netMs < g.netMsMin && !isHidden(q, g)
      ? {
          validity: 'AUDIO_TOO_SHORT',
          explanation: `${seconds(q.netMs)} s of speech in ${seconds(q.grossMs)} s of audio; ${seconds(g.netMsMin)} s are needed.`,
          advice:
            q.netMs === 0
              ? 'No speech was found. Ask the person to speak, and check the selected channel.'
              : `Ask the person to speak ${seconds(g.netMsMin - q.netMs)} s more.`,
        }
      : undefined,
  (q, g) =>
    q.netMs > 0 && q.speechLevelDbfs < g.speechLevelDbfsMin
      ? {
          validity: 'AUDIO_TOO_SOFT',
          explanation: `The speech level is ${q.speechLevelDbfs.toFixed(0)} dBFS; at least ${g.speechLevelDbfsMin} is needed.`,
          advice: 'Ask the person to come closer to the microphone, or raise the recording gain.',
        }
      : undefined,
  (q, g) => (isHidden(q, g) ? undefined : tooLoud(q, g)),
  (q, g) =>
    q.netMs > 0 && q.snrDb < g.snrDbMin
      ? {
          validity: 'AUDIO_TOO_NOISY',
          explanation: `The speech is only ${q.snrDb.toFixed(0)} dB above the noise; at least ${g.snrDbMin} dB are needed.`,
          advice: QUIETER_PLACE,
        }
      : undefined,
  (q, g) =>
    q.numberOfSpeakers !== undefined && q.numberOfSpeakers > g.speakersMax
      ? {
          validity: 'MULTIPLE_SPEAKERS_DETECTED',
          explanation: `${q.numberOfSpeakers} speakers were heard.`,
          advice: 'Select the channel of one party, or record again with only one person speaking.',
        }
      : undefined,
];

export function judgeAudio(quality: AudioQuality, gates: AudioGates): AudioVerdict {
  const failed: GateFailure[] = [];
  for (const gate of gatesInOrder) {
    const failure = gate(quality, gates);
    if (failure !== undefined && !failed.some((f) => f.validity === failure.validity)) failed.push(failure);
  }
  const first = failed[0];
  if (first !== undefined) return { ...first, failed };
  return {
    validity: 'AUDIO_OK',
    explanation: `${seconds(quality.netMs)} s of usable speech.`,
    advice: 'No action needed.',
    failed,
  };
}

const adviceFor: Record<InvalidAudio['code'], string> = {
  EMPTY: 'Send the recording itself; the upload was empty.',
  TOO_LARGE: 'Send a shorter recording, or a compressed format such as Opus or FLAC.',
  TOO_LONG: 'Shorten the recording. One minute of speech is enough.',
  UNSUPPORTED_FORMAT:
    'Convert the recording to WAV, FLAC, MP3, Ogg or WebM, or state the format of headerless audio.',
  UNSUPPORTED_RATE: 'Record at 8 to 48 kHz; 6 to 192 kHz can be used.',
  NO_SUCH_CHANNEL: 'Select a channel that the recording has: 1 left, 2 right, 0 all.',
  NO_AUDIO: 'Check that the recorder recorded any sound before the file was sent.',
  CORRUPT: 'The file is damaged. Send it again, or export it again.',
};

export function judgeInvalid(invalid: InvalidAudio): AudioVerdict {
  const failure: GateFailure = {
    validity: 'INVALID_AUDIO',
    explanation: invalid.reason,
    advice: adviceFor[invalid.code],
  };
  return {
    ...failure,
    failed: [failure],
    invalidCode: invalid.code,
    ...(invalid.exceeded && { exceeded: invalid.exceeded }),
  };
}
