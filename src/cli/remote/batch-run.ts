// `voxgate batch run`: a manifest from this machine becomes a batch of the server, which is followed to its end. What is cut off goes
// on when the same command is run again: recordings that were uploaded are not sent twice, and the batch is not started twice.
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Voxgate } from '../../client/index.js';
import { AppError } from '../../errors.js';
import type { BatchJson, ExistingActionJson, FraudCheckJson } from '../../gen/voxgate/batch/v1/batch_pb.js';
import type { BatchLine, BatchOperation, Recording } from '../../manifest/lines.js';
import { ownersWhoRefuse, speakerOf } from '../../manifest/join-lines.js';
import { readManifest, silentLine } from '../../manifest/read-manifest.js';
import { writeManifest } from '../../manifest/write-manifest.js';
import { text } from '../flags.js';
import { readInput } from '../input-file.js';
import type { CliIo } from '../io.js';
import { progressBar } from '../progress.js';
import { endedOf, isOver, resultsOf, summary, written } from './batch-results.js';
import { findLocal, UploadNotes, uploadAll, type LocalFile } from './batch-uploads.js';
import { readProfile } from './profile.js';
import type { RemoteFlags, Result } from './remote-command.js';
import { inEnglish } from '../../words/server/say.js';

const TAG = 'main';
const CONFIGSET = 'SYSTEM';
/** Twice as long each time: small batches are over soon. */
const POLL_FIRST_MS = 100;
const POLL_MAX_MS = 2000;
const FAULTS_TOLD = 5;

/** What a run is made of. */
interface Run {
  io: CliIo;
  flags: RemoteFlags;
  voxgate: Voxgate;
  server: string;
  tenant: string;
  configsetId: string;
  operation: BatchOperation;
  manifestFile: string;
}

export async function runBatch(io: CliIo, manifestFile: string, flags: RemoteFlags): Promise<Result> {
  const profile = readProfile(io, flags);
  const { server, tenant, configset = CONFIGSET } = profile;
  const operation = (text(flags, 'operation') ?? '').toUpperCase() as BatchOperation;
  const voxgate = new Voxgate(profile);
  const run: Run = { io, flags, voxgate, server, tenant, configsetId: configset, operation, manifestFile };
  const manifest = await preparedManifest(run);
  const gkJobId = await startBatch(run, manifest);
  if (flags['wait'] === false)
    return { value: { gkJobId }, lines: [`started; see it with: voxgate batch status ${gkJobId} --follow`] };
  const batch = await followBatch(voxgate, gkJobId, flags.json ? undefined : io);
  const file = text(flags, 'results');
  if (file !== undefined) await writeResults(voxgate, gkJobId, file);
  return summary(batch);
}

/** As it is sent: with what was uploaded, or with places in S3, where flags say so. */
async function preparedManifest(run: Run): Promise<string> {
  const { flags, operation, manifestFile } = run;
  const given = readInput(manifestFile).toString('utf8');
  const folder = text(flags, 'folder');
  const s3 = text(flags, 's3');
  if (folder !== undefined && s3 !== undefined)
    throw new AppError('INVALID_REQUEST', inEnglish('give --folder or --s3, not both'));
  const { lines, faults } = await readManifest(given, operation);
  if (faults.length > 0) throw wrongManifest(faults.map(({ message }) => message));
  const silent = operation === 'ENROLL' && flags['allHaveConsented'] !== true && silentLine(lines);
  if (silent) throw wrongManifest([`line ${silent.line}: says nothing about consent`]);
  if (folder !== undefined) return writeManifest(await uploaded(run, folder, lines));
  return s3 === undefined ? given : writeManifest(lines.map((line) => inS3(line, s3.replace(/\/+$/, ''))));
}

function wrongManifest(messages: readonly string[]): AppError {
  const more = messages.length - FAULTS_TOLD;
  const told = messages.slice(0, FAULTS_TOLD).join('; ');
  return new AppError(
    'INVALID_REQUEST',
    inEnglish(`the manifest: ${told}${more > 0 ? `; and ${more} more` : ''}`),
  );
}

function inS3(line: BatchLine, prefix: string): BatchLine {
  const moved = ({ file, folder, ...rest }: Recording): Recording => {
    if (file !== undefined) return { ...rest, s3Uri: `${prefix}/${file}` };
    return folder === undefined ? rest : { ...rest, s3Uri: `${prefix}/${folder}/` };
  };
  return { ...line, recordings: line.recordings.map(moved) };
}

/** A dry run sends no recordings, and nobody's are sent who has not consented. */
async function uploaded(run: Run, folder: string, lines: readonly BatchLine[]): Promise<BatchLine[]> {
  const { io, flags, voxgate, server, tenant, operation, manifestFile } = run;
  const found = await findLocal(folder, lines);
  const refusing = operation === 'ENROLL' ? ownersWhoRefuse(lines) : new Set<string>();
  const isSent = (line: BatchLine): boolean => !refusing.has(speakerOf(line));
  const notesFile = `${manifestFile}.uploads`;
  const notes = new UploadNotes(notesFile, { server, tenant });
  const isDryRun = flags['dryRun'] === true;
  const files = new Map<string, LocalFile>();
  for (const line of found)
    if (isSent(line)) for (const file of line.local.values()) files.set(file.path, file);
  const all = [...files.values()];
  const missing = flags['again'] === true ? all : all.filter((file) => notes.mediaOf(file) === undefined);
  if (!isDryRun && missing.length > 0) {
    const progress = flags.json ? () => {} : progressBar(io, 'recordings uploaded', all.length);
    let done = all.length - missing.length;
    progress(done);
    await voxgate.inSession((session) => uploadAll(session, missing, notes, () => progress(++done)), {
      type: 'OFFLINE_MEDIA_PROCESSING',
    });
  }
  const placed = (recording: Recording, file: LocalFile | undefined): Recording => {
    const { channel, gkMediaSegmentId } = recording;
    const chosen = channel === undefined ? {} : { channel };
    if (gkMediaSegmentId !== undefined) return recording;
    const name = recording.file ?? recording.s3Uri ?? recording.folder ?? '';
    if (isDryRun && file) return { ...chosen, upload: name };
    // The line says so in its result: each has one.
    const media = file && notes.mediaOf(file);
    if (media === undefined) return { ...chosen, gkMediaSegmentId: `not uploaded: ${name}` };
    return { ...chosen, gkMediaSegmentId: media, fileName: name };
  };
  return found.map(({ local, ...line }) => ({
    ...line,
    recordings: line.recordings.map((recording) => placed(recording, local.get(recording))),
  }));
}

async function startBatch(run: Run, manifest: string): Promise<string> {
  const { flags, voxgate, configsetId, operation } = run;
  const common = {
    context: { ...voxgate.context, configsetId },
    manifest,
    tag: text(flags, 'tag') ?? TAG,
    dryRun: flags['dryRun'] === true,
    description: text(flags, 'description'),
    ...(await watchlistOf(run)),
  };
  const word = (name: string, fallback: string): string => (text(flags, name) ?? fallback).toUpperCase();
  const existing = `EXISTING_ACTION_${word('existing', 'skip')}` as ExistingActionJson;
  const fraudCheck = `FRAUD_CHECK_${word('fraudCheck', 'none')}` as FraudCheckJson;
  const enrollment = {
    ...common,
    existing,
    fraudCheck,
    allHaveConsented: flags['allHaveConsented'] === true,
  };
  const again = flags['again'] === true ? randomUUID() : '';
  const withoutAttackChecks = flags['attackChecks'] === false;
  const idempotencyKey = createHash('sha256')
    .update(JSON.stringify([operation, enrollment, again, ...(withoutAttackChecks ? ['unchecked'] : [])]))
    .digest('hex');
  const options = { idempotencyKey };
  const { gkJobId = '' } =
    operation === 'ENROLL'
      ? await voxgate.call('StartEnrollmentBatch', enrollment, options)
      : operation === 'REGISTER'
        ? await voxgate.call('StartFraudsterBatch', { ...common, existing }, options)
        : await voxgate.call('StartCheckBatch', { ...common, withoutAttackChecks }, options);
  return gkJobId;
}

async function watchlistOf({ flags, voxgate }: Run): Promise<{ gkWatchlistId?: { value: string } }> {
  const watchlistId = text(flags, 'watchlist');
  return watchlistId === undefined ? {} : { gkWatchlistId: await voxgate.names.watchlist(watchlistId) };
}

/** With progress on the error stream where there is one. The batch goes on without us. */
export async function followBatch(
  voxgate: Voxgate,
  gkJobId: string,
  io: CliIo | undefined,
): Promise<BatchJson> {
  const { context } = voxgate;
  let progress: ((done: number) => void) | undefined;
  for (let told = -1, pauseMs = POLL_FIRST_MS; ; pauseMs = Math.min(POLL_MAX_MS, 2 * pauseMs)) {
    const { batch = {} } = await voxgate.call('GetBatch', { context, gkJobId });
    const ended = endedOf(batch);
    if (io) {
      if (!progress) io.err(`batch ${gkJobId}: Ctrl-C leaves it running`);
      progress ??= progressBar(io, 'lines', batch.lines ?? 0);
      if (ended !== told) progress(ended);
    }
    told = ended;
    if (isOver(batch)) return batch;
    await pause(pauseMs);
  }
}

async function writeResults(voxgate: Voxgate, gkJobId: string, file: string): Promise<void> {
  const format = file.endsWith('.csv') ? 'csv' : 'json';
  await pipeline(written(resultsOf(voxgate, gkJobId), format), createWriteStream(file, { mode: 0o600 }));
}
