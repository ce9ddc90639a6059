// A manifest of JSON lines from lines that were read before: for whoever changes where their recordings are.
import type { BatchLine, Recording } from './lines.js';

/** Each stays on the line on which it was read: what is said of it must be found in the file that people have. */
export function writeManifest(lines: readonly BatchLine[]): string {
  let text = '';
  let at = 1;
  for (const line of lines) {
    text += '\n'.repeat(line.line - at) + JSON.stringify(entryOf(line));
    at = line.line;
  }
  return text;
}

function entryOf({ requestId, ownerId, consent, recordings }: BatchLine): object {
  return {
    ...(requestId !== '' && { request_id: requestId }),
    ...(ownerId !== '' && { speaker_id: ownerId }),
    ...(consent !== undefined && { consent }),
    recordings: recordings.map(recordingOf),
  };
}

function recordingOf(recording: Recording): object {
  const { gkMediaSegmentId, fileName, file, folder, s3Uri, upload, channel } = recording;
  const place =
    gkMediaSegmentId !== undefined
      ? { media: gkMediaSegmentId, file_name: fileName }
      : { file, folder, s3_uri: s3Uri, upload };
  return { ...place, channel };
}
