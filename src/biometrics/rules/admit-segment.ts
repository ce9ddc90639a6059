// Whether processed audio may become an enrollment segment of a print. Pure.
import type { ProcessedAudio } from '../model/media.js';
import type { Parameters } from '../model/parameters.js';
import type { EnrollmentSegment } from '../model/profiles.js';
import type { EnrollReason } from './enrollment-status.js';

/** The reason to refuse the audio, in the order in which they matter to the caller; undefined admits it. */
export function admitSegment(
  audio: ProcessedAudio,
  segments: readonly EnrollmentSegment[],
  parameters: Parameters,
  modelRevision: string,
): EnrollReason | undefined {
  // The same recording through a second processed ID would count one utterance twice.
  const known = segments.some(
    (segment) =>
      segment.gkProcessedAudioId === audio.gkProcessedAudioId ||
      segment.gkMediaSegmentId === audio.gkMediaSegmentId,
  );
  if (known) return 'ALREADY_ADDED';
  if (audio.printType !== 'VOICEPRINT') return 'WRONG_PRINT_TYPE';
  if (
    audio.validity === 'AUDIO_TOO_SHORT' ||
    audio.netAudioMs < parameters.enrollment.netSpeechSecondsMinPerSegment * 1000
  )
    return 'TOO_SHORT';
  if (audio.validity !== 'AUDIO_OK' || audio.model?.voice.modelRevision !== modelRevision)
    return 'MISSING_MODEL';
  return undefined;
}
