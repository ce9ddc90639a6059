// The recordings of a line: those that were uploaded are named, the others are read where the operator allows it and stored.
import { AppError } from '../../errors.js';
import type { RequestContext } from '../call/context.js';
import { uploadAudio } from '../media/upload-audio.js';
import type { AudioInput } from '../operations/audio-input.js';
import type { LineRun } from './line.js';
import type { Recording } from '../model/batches.js';

const RECORDINGS_MAX = 10;

/** What the manifest's recordings stand for; at most as many as a line may have. */
export async function recordingsOf({ deps, line }: LineRun): Promise<Recording[]> {
  const found: Recording[] = [];
  for (const recording of line.recordings) found.push(...(await deps.recordings.expand(recording)));
  return found.slice(0, RECORDINGS_MAX);
}

export async function bring(
  run: LineRun,
  context: RequestContext,
  recording: Recording,
): Promise<AudioInput> {
  const { deps, call } = run;
  const { gkMediaSegmentId, channel } = recording;
  const chosen = channel === undefined ? {} : { channel };
  if (gkMediaSegmentId !== undefined) return { gkMediaSegmentId, ...chosen };
  const audio = await deps.recordings.read(recording, deps.mediaBytesMax);
  if (!audio) throw noRecording(recording);
  const media = await uploadAudio(deps, call, { context, callParties: [], audio });
  return { gkMediaSegmentId: media.gkMediaSegmentId, ...chosen };
}

/** That these are there; none of them is read. */
export async function requireRecordings(run: LineRun, recordings: readonly Recording[]): Promise<void> {
  const { deps, job } = run;
  if (recordings.length === 0) throw noRecording({});
  for (const recording of recordings) {
    const { gkMediaSegmentId } = recording;
    const isThere =
      gkMediaSegmentId === undefined
        ? await deps.recordings.has(recording, deps.mediaBytesMax)
        : (await deps.store.read.media.find(job.gkScopeId, gkMediaSegmentId)) !== undefined;
    if (!isThere) throw noRecording(recording);
  }
}

function noRecording({ file, s3Uri, folder, gkMediaSegmentId }: Recording): AppError {
  const where = file ?? s3Uri ?? folder ?? gkMediaSegmentId ?? '';
  return new AppError('NOT_FOUND', `there is no such recording, or it is too large: ${where}`, {
    diagnostics: [{ code: 'RECORDING_NOT_FOUND' }],
  });
}
