// How the engine reads media without a header; undefined if the file describes itself.
import type { RawFormat } from '../../voice/audio/types.js';
import type { MediaSegment } from '../model/media.js';

export function rawFormatOf({ container, format }: MediaSegment): RawFormat | undefined {
  if (container !== 'RAW') return undefined;
  const encoding = format?.encoding === 'alaw' ? 'alaw' : format?.encoding === 'ulaw' ? 'mulaw' : 's16le';
  return { encoding, sampleRateHz: format?.sampleRateHz || 8000, channels: format?.channels || 1 };
}
