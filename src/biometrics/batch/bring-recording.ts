// The recordings of a line: those that were uploaded are named, the others are read where the operator allows it and stored.
import { AppError } from '../../errors.js';
import { isKnownFormat } from '../../voice/audio/audio-reader.js';
import type { RequestContext } from '../call/context.js';
import { uploadAudio } from '../media/upload-audio.js';
import type { AudioInput } from '../operations/audio-input.js';
import type { LineRun } from './line.js';
import type { Recording } from '../model/batches.js';

const RECORDINGS_MAX = 10;

/** What the manifest's recordings stand for: at most as many as a line may have, and how many there are beyond that. */
export async function recordingsOf({
  deps,
  job,
  line,
}: LineRun): Promise<{ recordings: Recording[]; leftOut: number }> {
  const found: Recording[] = [];
  for (const recording of line.recordings)
    found.push(...(await deps.recordings.expand(job.gkScopeId, recording)));
  const recordings = found.slice(0, RECORDINGS_MAX);
  return { recordings, leftOut: found.length - recordings.length };
}

export async function bring(
  run: LineRun,
  context: RequestContext,
  recording: Recording,
): Promise<AudioInput> {
  const { deps, call, job, done } = run;
  const { channel } = recording;
  const gkMediaSegmentId = recording.gkMediaSegmentId ?? done.recordings.get(whereOf(recording));
  const chosen = channel === undefined ? {} : { channel };
  if (gkMediaSegmentId !== undefined) return { gkMediaSegmentId, ...chosen };
  requireFit(run, recording, await deps.recordings.sizeOf(job.gkScopeId, recording));
  const audio = await deps.recordings.read(job.gkScopeId, recording, deps.mediaBytesMax);
  if (!audio) throw noRecording(recording);
  requireSound(recording, audio);
  const media = await uploadAudio(deps, call, { context, callParties: [], audio, isHeardNext: true });
  done.recordings.set(whereOf(recording), media.gkMediaSegmentId);
  return { gkMediaSegmentId: media.gkMediaSegmentId, ...chosen };
}

/** That these are there; none of them is read. */
export async function requireRecordings(run: LineRun, recordings: readonly Recording[]): Promise<void> {
  const { deps, job, line } = run;
  if (recordings.length === 0) throw noRecording(line.recordings[0] ?? {});
  for (const recording of recordings) {
    const { gkMediaSegmentId, upload } = recording;
    if (upload !== undefined) continue;
    if (gkMediaSegmentId === undefined)
      requireFit(run, recording, await deps.recordings.sizeOf(job.gkScopeId, recording));
    else if (!(await deps.store.read.media.find(job.gkScopeId, gkMediaSegmentId)))
      throw noRecording(recording);
  }
}

function requireFit({ deps }: LineRun, recording: Recording, bytes: number | undefined): void {
  if (bytes === undefined) throw noRecording(recording);
  if (bytes > deps.mediaBytesMax)
    throw new AppError('TOO_LARGE', `is larger than ${deps.mediaBytesMax} bytes: ${whereOf(recording)}`, {
      diagnostics: [{ code: 'RECORDING_TOO_LARGE' }],
    });
}

/** By its first bytes: what else is wrong shows when somebody listens. */
export function requireSound(recording: Recording, head: Uint8Array): void {
  if (head.byteLength === 0) throw new SoundlessRecording('RECORDING_EMPTY', 'is empty', recording);
  if (!isKnownFormat(head))
    throw new SoundlessRecording(
      'RECORDING_NOT_AUDIO',
      'is not audio in a format that can be read',
      recording,
    );
}

/** The others of its line may do without it. */
export class SoundlessRecording extends AppError {
  constructor(code: 'RECORDING_EMPTY' | 'RECORDING_NOT_AUDIO', what: string, recording: Recording) {
    super('INVALID_REQUEST', `${what}: ${whereOf(recording)}`, { diagnostics: [{ code }] });
  }
}

export const whereOf = ({ file, s3Uri, folder, gkMediaSegmentId }: Recording): string =>
  file ?? s3Uri ?? folder ?? gkMediaSegmentId ?? '';

function noRecording(recording: Recording): AppError {
  return new AppError('NOT_FOUND', `there is no such recording: ${whereOf(recording)}`, {
    diagnostics: [{ code: 'RECORDING_NOT_FOUND' }],
  });
}
