// Refuses media that was announced but never uploaded.
import { AppError } from '../../errors.js';
import type { MediaSegment } from '../model/media.js';

export function requireUploaded({ blob }: MediaSegment): void {
  if (blob) return;
  throw new AppError(
    'INVALID_REQUEST',
    'the media has not been uploaded yet: PUT the audio to its upload URL first',
    {
      fields: [{ field: 'gk_media_segment_id', violation: 'OTHER', message: 'has no audio yet' }],
      diagnostics: [{ code: 'MEDIA_NOT_UPLOADED' }],
    },
  );
}
