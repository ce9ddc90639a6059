// Reads of media and processed audio, and the address to play media from.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { tenantParameters } from '../configsets/tenant-parameters.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { auditMedia } from './audit-media.js';
import type { MediaDeps } from './deps.js';
import type { MediaSegment, ProcessedAudio } from '../model/media.js';

interface DownloadRequest {
  context: RequestContext;
  gkMediaSegmentId: string;
  /** Only WAV is offered; any other request is refused. */
  container?: 'WAV';
  channel?: number;
}

export async function getDownloadUrl(deps: MediaDeps, call: Call, input: DownloadRequest): Promise<string> {
  const media = await getMedia(deps, call, input);
  if (!media.blob) throw notFound('audio of this media segment', 'gk_media_segment_id');
  const { urls } = await tenantParameters(deps, media.gkScopeId);
  const parameters = { ...(input.channel !== undefined && { channel: String(input.channel) }) };
  // Listening to somebody's voice is recorded before it happens.
  await deps.store.transaction((tx) => auditMedia(tx, call, media, 'GetDownloadUrl', parameters));
  return deps.urls.make('download', media.gkMediaSegmentId, urls.downloadSeconds, parameters).url;
}

export async function getMedia(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; gkMediaSegmentId: string },
): Promise<MediaSegment> {
  const faults = new Faults().required('gk_media_segment_id', input.gkMediaSegmentId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const media = await deps.store.read.media.find(gkScopeId, input.gkMediaSegmentId);
  if (!media) throw notFound('media segment', 'gk_media_segment_id');
  return media;
}

export async function getProcessedAudio(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; gkProcessedAudioId: string },
): Promise<ProcessedAudio> {
  const faults = new Faults().required('gk_processed_audio_id', input.gkProcessedAudioId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const audio = await deps.store.read.processedAudios.find(gkScopeId, input.gkProcessedAudioId);
  if (!audio) throw notFound('processed audio', 'gk_processed_audio_id');
  return audio;
}
