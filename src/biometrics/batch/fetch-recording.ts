// The recordings of a line: uploaded ones are named; the others are read from where the operator allows it, and stored.
import { AppError } from '../../errors.js';
import { isKnownFormat } from '../../voice/audio/audio-reader.js';
import type { RequestContext } from '../call/context.js';
import { streamOf } from '../media/stream-of.js';
import { uploadAudio } from '../media/upload-audio.js';
import type { AudioInput } from '../operations/audio-input.js';
import type { BatchDeps } from './deps.js';
import type { LineRun } from './line.js';
import { RECORDINGS_MAX, whereOf, type Recording } from '../../manifest/lines.js';
import { type Said, say } from '../../words/server/say.js';

/**
 * Larger ones are read piece by piece when they are processed, because several lines run at the same time.
 */
const IN_HAND_BYTES_MAX = 4 * 1024 * 1024;

/**
 * The recordings that the manifest's entries resolve to: at most as many as a line may have, and how many
 * more there are.
 */
export async function recordingsOf({
  deps,
  job,
  line,
}: LineRun): Promise<{ recordings: Recording[]; excluded: number }> {
  const found: Recording[] = [];
  for (const recording of line.recordings)
    found.push(...(await deps.recordings.expand(job.gkScopeId, recording)));
  const recordings = found.slice(0, RECORDINGS_MAX);
  return { recordings, excluded: found.length - recordings.length };
}

export const saidOfExcluded = (excluded: number): Said[] =>
  excluded === 0 ? [] : [say('MORE_NOT_USED', { count: excluded })];

export async function fetchRecording(
  run: LineRun,
  context: RequestContext,
  recording: Recording,
): Promise<AudioInput> {
  const { deps, call, done } = run;
  const { channel } = recording;
  const known = recording.gkMediaSegmentId ?? done.recordings.get(whereOf(recording));
  const chosen = channel === undefined ? {} : { channel };
  if (known !== undefined) return { gkMediaSegmentId: known, ...chosen };
  const audio = done.readAhead.get(whereOf(recording)) ?? (await read(run, recording));
  done.readAhead.delete(whereOf(recording));
  requireSound(recording, audio);
  const { gkMediaSegmentId } = await uploadAudio(deps, call, {
    ...{ context, callParties: [], audio },
    isHeardNext: true,
  });
  done.recordings.set(whereOf(recording), gkMediaSegmentId);
  if (audio.byteLength <= IN_HAND_BYTES_MAX) done.stored.set(gkMediaSegmentId, audio);
  return { gkMediaSegmentId, ...chosen };
}

async function read(run: LineRun, recording: Recording): Promise<Uint8Array> {
  const { deps, job } = run;
  const audio = await deps.recordings.read(job.gkScopeId, recording, deps.mediaBytesMax);
  if (audio) return audio;
  requireFit(run, recording, await deps.recordings.sizeOf(job.gkScopeId, recording));
  throw noRecording(recording);
}

/** If there is nothing to process, no session is begun. Bytes read for that are not read again. */
export async function readFirst(run: LineRun, recordings: readonly Recording[]): Promise<void> {
  const [first] = recordings;
  if (!first || first.gkMediaSegmentId !== undefined) return requireRecordings(run, recordings.slice(0, 1));
  if (run.done.recordings.has(whereOf(first))) return;
  run.done.readAhead.set(whereOf(first), await read(run, first));
}

/**
 * Recordings that were just stored are available from memory, once, and need not be fetched and opened again.
 */
export const heardFromMemory = (deps: BatchDeps, stored: Map<string, Uint8Array>): BatchDeps => ({
  ...deps,
  mediaBytes: {
    read: (media) => {
      const bytes = stored.get(media.gkMediaSegmentId);
      stored.delete(media.gkMediaSegmentId);
      return bytes ? streamOf(bytes) : deps.mediaBytes.read(media);
    },
  },
});

/** Checks that these exist, without reading them. */
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
    throw new AppError(
      'TOO_LARGE',
      say('RECORDING_TOO_LARGE', { max: deps.mediaBytesMax, recording: whereOf(recording) }),
      { diagnostics: [{ code: 'RECORDING_TOO_LARGE' }] },
    );
}

/** Checks the first bytes: other faults show when it is processed. */
export function requireSound(recording: Recording, head: Uint8Array): void {
  if (head.byteLength === 0) throw new SoundlessRecording('RECORDING_EMPTY', recording);
  if (!isKnownFormat(head)) throw new SoundlessRecording('RECORDING_NOT_AUDIO', recording);
}

/** The other recordings of the line can do without it. */
export class SoundlessRecording extends AppError {
  constructor(code: 'RECORDING_EMPTY' | 'RECORDING_NOT_AUDIO', recording: Recording) {
    super('INVALID_REQUEST', say(code, { recording: whereOf(recording) }), { diagnostics: [{ code }] });
  }
}

function noRecording(recording: Recording): AppError {
  return new AppError('NOT_FOUND', say('NO_SUCH_RECORDING', { recording: whereOf(recording) }), {
    diagnostics: [{ code: 'RECORDING_NOT_FOUND' }],
  });
}
