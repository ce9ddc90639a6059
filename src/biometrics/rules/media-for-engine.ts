// What the engine is told of media: whether there is a recording at all, the format of audio without a header, and the limits
// of the config set.
import { AppError } from '../../errors.js';
import type { RawFormat } from '../../voice/audio/types.js';
import type { AudioGates } from '../../voice/quality/types.js';
import type { MediaSegment } from '../model/media.js';
import type { Parameters } from '../model/parameters.js';
import { say } from '../../words/server/say.js';

export function requireUploaded({ blob }: MediaSegment): void {
  if (blob) return;
  throw new AppError(
    'INVALID_REQUEST',
    'the media has not been uploaded yet: PUT the audio to its upload URL first',
    {
      fields: [{ field: 'gk_media_segment_id', violation: 'OTHER', ...say('NO_AUDIO_YET') }],
      diagnostics: [{ code: 'MEDIA_NOT_UPLOADED' }],
    },
  );
}

/** Undefined if the file describes itself. */
export function rawFormatOf({ container, format }: MediaSegment): RawFormat | undefined {
  if (container !== 'RAW') return undefined;
  const encoding = format?.encoding === 'alaw' ? 'alaw' : format?.encoding === 'ulaw' ? 'mulaw' : 's16le';
  return { encoding, sampleRateHz: format?.sampleRateHz || 8000, channels: format?.channels || 1 };
}

/** Counted only if the config set requests it (`EnableSegmentation`). */
const SPEAKERS_MAX = 1;

export function audioGates(
  { audio, authentication, enrollment }: Parameters,
  forEnrollment: boolean,
): AudioGates {
  const netSpeechSecondsMin = forEnrollment
    ? enrollment.netSpeechSecondsMinPerSegment
    : authentication.netSpeechSecondsMin;
  return {
    netMsMin: netSpeechSecondsMin * 1000,
    snrDbMin: forEnrollment ? audio.snrDbMinEnroll : audio.snrDbMinVerify,
    speechLevelDbfsMin: audio.speechLevelDbMin,
    saturatedPerMinuteMax: audio.saturationPerMinuteMax,
    speakersMax: SPEAKERS_MAX,
  };
}
