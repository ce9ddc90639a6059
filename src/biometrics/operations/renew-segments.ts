// Enrollment segments whose voice was measured with another speaker model, or whose stored measures cannot be read. Their
// recordings are stored, so they are processed again: the print is repaired without enrolling anybody twice.
import { AppError } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { ProcessOptions } from '../../voice/engine.js';
import { audioGates, rawFormatOf } from '../rules/media-for-engine.js';
import type { AudioModel, ProcessedAudio } from '../model/media.js';
import type { Parameters } from '../model/parameters.js';
import type { EnrollmentSegment, Profile } from '../model/profiles.js';
import type { BiometricsTransaction, Repositories } from '../ports/store.js';
import type { OperationDeps } from './deps.js';

interface RenewedAudio extends Pick<ProcessedAudio, 'fingerprint'> {
  gkProcessedAudioId: string;
  model: AudioModel;
}

/** Whose work it is: a call that somebody waits for, or a job. */
export type RenewWork = Partial<Pick<Call, 'signal' | 'deadlineAtMs'>> &
  Pick<ProcessOptions, 'client' | 'priority'>;

/** Outside any transaction, because it takes time. */
export async function renewSegments(
  deps: OperationDeps,
  profile: Profile,
  parameters: Parameters,
  work: RenewWork = {},
): Promise<RenewedAudio[]> {
  const { read } = deps.store;
  const segments = await read.enrollment.list(profile.gkVoiceprintProfileId);
  const audios = await audiosOf(read, profile, segments);
  const renewed: RenewedAudio[] = [];
  for (const audio of audios) {
    if (isCurrent(audio, deps.engine.model.revision)) continue;
    const heard = await reprocess(deps, audio, parameters, work);
    if (heard) renewed.push({ gkProcessedAudioId: audio.gkProcessedAudioId, ...heard });
  }
  return renewed;
}

export async function storeRenewed(
  tx: BiometricsTransaction,
  { gkScopeId }: Pick<Profile, 'gkScopeId'>,
  renewed: readonly RenewedAudio[],
  { calibrationRevisionId, nowMs }: { calibrationRevisionId: string; nowMs: number },
): Promise<void> {
  for (const { gkProcessedAudioId, ...heard } of renewed) {
    const current = await tx.processedAudios.find(gkScopeId, gkProcessedAudioId);
    if (!current) continue;
    const { damaged: _mended, ...audio } = current;
    await tx.processedAudios.update({ ...audio, ...heard, calibrationRevisionId, modifiedAtMs: nowMs });
  }
}

/**
 * The audio of those segments that Train can use: measured by the model in use, or stored so that it can be
 * processed again.
 */
export async function trainableAudios(
  repositories: Pick<Repositories, 'processedAudios' | 'media'>,
  { gkScopeId }: Pick<Profile, 'gkScopeId'>,
  segments: readonly EnrollmentSegment[],
  modelRevision: string,
): Promise<ProcessedAudio[]> {
  const trainable: ProcessedAudio[] = [];
  for (const audio of await audiosOf(repositories, { gkScopeId }, segments)) {
    const isStored = async () =>
      (await repositories.media.find(gkScopeId, audio.gkMediaSegmentId))?.blob !== undefined;
    if (isCurrent(audio, modelRevision) || (await isStored())) trainable.push(audio);
  }
  return trainable;
}

function audiosOf(
  { processedAudios }: Pick<Repositories, 'processedAudios'>,
  { gkScopeId }: Pick<Profile, 'gkScopeId'>,
  segments: readonly EnrollmentSegment[],
): Promise<ProcessedAudio[]> {
  const ids = segments.map((segment) => segment.gkProcessedAudioId);
  return processedAudios.findMany(gkScopeId, ids);
}

function isCurrent({ model, damaged }: ProcessedAudio, modelRevision: string): boolean {
  return !damaged && model?.voice.modelRevision === modelRevision;
}

/** Undefined if there is nothing to process: the recording was deleted or contains no voice. */
async function reprocess(
  { store, engine, mediaBytes }: OperationDeps,
  audio: ProcessedAudio,
  parameters: Parameters,
  { signal, deadlineAtMs, client, priority }: RenewWork,
): Promise<Omit<RenewedAudio, 'gkProcessedAudioId'> | undefined> {
  const media = await store.read.media.find(audio.gkScopeId, audio.gkMediaSegmentId);
  if (!media?.blob) return undefined;
  const raw = rawFormatOf(media);
  try {
    const { voice, fingerprint } = await engine.processAudio(
      mediaBytes.read(media),
      {
        gates: audioGates(parameters, true),
        maxNetSpeechMs: parameters.audio.speechSecondsMaxForEnrollment * 1000,
        ...(audio.selectedChannel !== undefined && { channel: audio.selectedChannel }),
        ...(raw && { raw }),
        ...(deadlineAtMs !== undefined && { deadlineAtMs }),
        ...(client !== undefined && { client }),
        ...(priority && { priority }),
      },
      signal,
    );
    return voice && { model: { voice, checkpoints: [] }, ...(fingerprint && { fingerprint }) };
  } catch (error) {
    // One unreadable recording must not keep the others from being used.
    if (isLost(error)) return undefined;
    throw error;
  }
}

function isLost(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code === 'NOT_FOUND' || error.diagnostics.some(({ code }) => code.startsWith('BLOB_'));
}
