// A manifest of JSON lines from lines that were read before: for whoever changes where their recordings are.
import type { BatchLine, Recording } from './lines.js';

export function writeManifest(lines: readonly BatchLine[]): string {
  return lines.map((line) => JSON.stringify(entryOf(line))).join('\n');
}

function entryOf({ requestId, ownerId, consent, recordings }: BatchLine): object {
  return {
    ...(requestId !== '' && { request_id: requestId }),
    ...(ownerId !== '' && { speaker_id: ownerId }),
    ...(consent !== undefined && { consent }),
    recordings: recordings.map(recordingOf),
  };
}

function recordingOf({ gkMediaSegmentId, file, folder, s3Uri, upload, channel }: Recording): object {
  const place =
    gkMediaSegmentId !== undefined ? { media: gkMediaSegmentId } : { file, folder, s3_uri: s3Uri, upload };
  return { ...place, channel };
}
