// The audio of an operation. A new media segment is processed. Processed audio is used as it is, unless it was made with
// another speaker model or for another purpose; then its media is processed again under a new ID.
import { missingChoice, notFound, type FieldFault } from '../../errors.js';
import { CHANNELS_MAX } from '../../voice/audio/types.js';
import type { MediaSegment, ProcessedAudio } from '../model/media.js';
import { callersChannel } from '../rules/heard-channel.js';
import type { OperationDeps } from './deps.js';
import type { OpenedCall } from './opened-call.js';
import { processMedia, type PreparedAudio, type ProcessPurpose } from './process-media.js';

/** One of the two IDs is mandatory (docs/reference/voiceprint-contract.md#audio-input). */
export interface AudioInput {
  gkMediaSegmentId?: string;
  gkProcessedAudioId?: string;
  /**
   * 1 left, 2 right, 0 all; absent: the caller's if that is known, otherwise all. Ignored for one-channel
   * media and for processed audio.
   */
  channel?: number;
}

export function audioFaults({ gkMediaSegmentId, gkProcessedAudioId, channel }: AudioInput): FieldFault[] {
  const faults: FieldFault[] = [];
  if (!gkMediaSegmentId && !gkProcessedAudioId)
    faults.push(...missingChoice(['gk_media_segment_id', 'gk_processed_audio_id']));
  // The channel of processed audio is already chosen; a selector beside it is ignored.
  if (!gkProcessedAudioId && channel !== undefined && (channel < 0 || channel > CHANNELS_MAX)) {
    faults.push({
      field: 'channel_selector.channel',
      violation: 'OUT_OF_RANGE',
      message: `must be from 0 (all channels) to ${CHANNELS_MAX}`,
      value: String(channel),
    });
  }
  return faults;
}

export async function prepareAudio(
  opened: OpenedCall,
  input: AudioInput,
  purpose: ProcessPurpose,
): Promise<PreparedAudio> {
  const { gkProcessedAudioId, gkMediaSegmentId = '', channel } = input;
  if (!gkProcessedAudioId) {
    const media = await findMedia(opened, gkMediaSegmentId, 'gk_media_segment_id');
    const chosen = channel === undefined ? { channel: callersChannel(media), isUnasked: true } : { channel };
    return processMedia(opened, { media, ...chosen }, purpose);
  }
  const { deps, context } = opened;
  const audio = await deps.store.read.processedAudios.find(context.gkScopeId, gkProcessedAudioId);
  if (!audio) throw notFound('processed audio', 'gk_processed_audio_id');
  const media = await findMedia(opened, audio.gkMediaSegmentId, 'gk_processed_audio_id');
  if (isFit(audio, deps, purpose)) return { audio, isNew: false, media, spoof: {} };
  return processMedia(opened, { media, channel: audio.selectedChannel }, purpose);
}

function isFit(audio: ProcessedAudio, { engine }: OperationDeps, purpose: ProcessPurpose): boolean {
  if (purpose.again || purpose.spoof.synthetic || purpose.spoof.playback) return false;
  // Audio that ended at a checkpoint was enough for that decision, but says nothing about the rest.
  if (audio.printType !== purpose.printType || audio.endedByCheckpoint || audio.damaged) return false;
  // Capped enrollment audio may be all there is to score; a model of another revision cannot be used.
  return audio.model === undefined || audio.model.voice.modelRevision === engine.model.revision;
}

async function findMedia(
  { deps, context }: OpenedCall,
  gkMediaSegmentId: string,
  field: string,
): Promise<MediaSegment> {
  const media = await deps.store.read.media.find(context.gkScopeId, gkMediaSegmentId);
  if (!media) throw notFound('media segment', field);
  return media;
}
