// Whether processed audio may become an enrollment segment of a print. Pure.
import { dot } from '../../voice/embedding/vector.js';
import { repeatedSpeech } from '../../voice/fingerprint/repeated-speech.js';
import type { ProcessedAudio } from '../model/media.js';
import type { Parameters } from '../model/parameters.js';
import type { EnrollReason } from './enrollment-status.js';

/**
 * A recording most of whose speech is already in the print adds hardly anything, and would be counted twice.
 */
const REPEATED_SHARE_MAX = 0.5;
/**
 * Voices this alike come from one recording. Used if there is too little speech to compare its sound, and for
 * segments from before fingerprints; measured, see docs/adr/0064-one-recording-twice.md.
 */
const SAME_RECORDING_COSINE = 0.995;

/** The reason to refuse the audio, in order of importance to the caller; undefined admits it. */
export function admitSegment(
  audio: ProcessedAudio,
  enrolled: readonly ProcessedAudio[],
  parameters: Parameters,
  modelRevision: string,
): EnrollReason | undefined {
  if (enrolled.some((known) => isSameRecording(known, audio)) || isRepetition(audio, enrolled))
    return 'ALREADY_ADDED';
  if (audio.printType !== 'VOICEPRINT' || audio.heardInCheck) return 'WRONG_PRINT_TYPE';
  if (audio.validity === 'AUDIO_TOO_SHORT') return 'TOO_SHORT';
  if (audio.validity !== 'AUDIO_OK' || audio.model?.voice.modelRevision !== modelRevision)
    return 'MISSING_MODEL';
  // Whatever the audio was processed for, a print is made only from what passes the gates of enrollment.
  if (audio.netAudioMs < parameters.enrollment.netSpeechSecondsMinPerSegment * 1000) return 'TOO_SHORT';
  return isClearEnough(audio, parameters) ? undefined : 'MISSING_MODEL';
}

function isClearEnough(
  { snrDb, speechLevelDb, saturationPerMinute }: ProcessedAudio,
  { audio }: Parameters,
): boolean {
  return (
    (snrDb ?? Infinity) >= audio.snrDbMinEnroll &&
    (speechLevelDb ?? 0) >= audio.speechLevelDbMin &&
    (saturationPerMinute ?? 0) <= audio.saturationPerMinuteMax
  );
}

/**
 * In any format, cut, or joined from several: the sound itself is compared, whichever speaker model heard it.
 */
function isRepetition({ fingerprint }: ProcessedAudio, enrolled: readonly ProcessedAudio[]): boolean {
  const known = enrolled.flatMap((segment) => segment.fingerprint ?? []);
  return fingerprint !== undefined && repeatedSpeech(fingerprint, known) > REPEATED_SHARE_MAX;
}

/** The same recording through a second upload or a second processed ID would count one utterance twice. */
function isSameRecording(a: ProcessedAudio, b: ProcessedAudio): boolean {
  if (a.gkProcessedAudioId === b.gkProcessedAudioId || a.gkMediaSegmentId === b.gkMediaSegmentId) return true;
  const [first, second] = [a.model?.voice, b.model?.voice];
  return (
    first !== undefined &&
    second !== undefined &&
    first.modelRevision === second.modelRevision &&
    dot(first.embedding, second.embedding) >= SAME_RECORDING_COSINE
  );
}
