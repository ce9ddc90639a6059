// Processing media: the request to the engine, and the record made from its answer.
import { invalidFields } from '../../errors.js';
import type {
  AtCheckpoint,
  MediaInfo,
  ProcessedAudio as EngineResult,
  ProcessOptions,
} from '../../voice/engine.js';
import type { SpoofScore } from '../../voice/spoof/detector.js';
import { audioGates } from '../media/audio-gates.js';
import { requireUploaded } from '../media/require-uploaded.js';
import { rawFormatOf } from '../media/raw-format.js';
import type { MediaSegment, ProcessedAudio } from '../model/media.js';
import type { Parameters } from '../model/parameters.js';
import type { OpenedCall } from './opened-call.js';

export interface ProcessPurpose {
  forEnrollment: boolean;
  /** Net speech, in seconds, of possible early decisions on this audio. */
  checkpointSeconds: readonly number[];
  /**
   * Called at each of them; once it returns true, the rest of the audio is not processed. Absent: all of it
   * is.
   */
  enough?: AtCheckpoint;
  spoof: { synthetic: boolean; playback: boolean };
  printType: ProcessedAudio['printType'];
  heardInCheck?: true;
  /** Process even if there is suitable processed audio. */
  again?: boolean;
}

export interface PreparedAudio {
  audio: ProcessedAudio;
  /** False if stored audio was used as it was: then there is nothing to store. */
  isNew: boolean;
  /** Absent if the audio was heard but never stored, as in a live call. */
  media?: MediaSegment;
  /** Reliabilities of the attack checks in this run; only the scores are stored with the audio. */
  spoof: { synthetic?: SpoofScore; playback?: SpoofScore };
}

interface ChosenMedia {
  media: MediaSegment;
  channel: number | undefined;
  /** This channel was not requested: if the media does not have it, all are used. */
  isUnasked?: boolean;
}

/** Runs the engine and makes the record, which is stored together with the decision. */
export async function processMedia(
  opened: OpenedCall,
  chosen: ChosenMedia,
  purpose: ProcessPurpose,
): Promise<PreparedAudio & { media: MediaSegment }> {
  const { deps, call, context } = opened;
  const { media } = chosen;
  requireUploaded(media);
  const options = engineOptions(context.parameters, chosen, purpose);
  const result = await deps.engine.processAudio(
    deps.mediaBytes.read(media),
    {
      ...options,
      ...(media.blob && { totalBytes: media.blob.bytes }),
      client: call.caller.clientId,
      ...(call.isBackground && { priority: 'background' as const }),
      ...(call.deadlineAtMs !== undefined && { deadlineAtMs: call.deadlineAtMs }),
    },
    call.signal,
    purpose.enough,
  );
  if (chosen.isUnasked && isChannelAbsent(chosen.channel, result))
    return processMedia(opened, { media, channel: undefined }, purpose);
  refuseAbsentChannel(chosen.channel, result);
  return {
    audio: recordOf(opened, media, purpose, result),
    isNew: true,
    media: withFacts(media, result.media, deps.clock.now()),
    spoof: result.spoof,
  };
}

/** With one channel there is nothing to choose, and the selector is ignored. */
const isChannelAbsent = (channel: number | undefined, { verdict }: EngineResult): boolean =>
  channel !== undefined && verdict.invalidCode === 'NO_SUCH_CHANNEL';

function refuseAbsentChannel(channel: number | undefined, result: EngineResult): void {
  if (!isChannelAbsent(channel, result)) return;
  throw invalidFields([
    {
      field: 'channel_selector.channel',
      violation: 'OUT_OF_RANGE',
      message: 'names a channel that the media does not have',
      value: String(channel),
    },
  ]);
}

/** The record of processed audio; not stored yet. */
export function recordOf(
  { deps, context, calibration }: OpenedCall,
  media: Pick<MediaSegment, 'gkMediaSegmentId' | 'gkPersonId'> & Partial<Pick<MediaSegment, 'createdAtMs'>>,
  purpose: ProcessPurpose,
  result: EngineResult,
): ProcessedAudio {
  const now = deps.clock.now();
  const { quality, checkpoints, windows, fingerprint, spoof } = result;
  const { voice, verdict } = result;
  return {
    gkProcessedAudioId: deps.ids.uuid(),
    gkScopeId: context.gkScopeId,
    gkMediaSegmentId: media.gkMediaSegmentId,
    gkEngagementId: context.engagement.gkEngagementId,
    gkSessionId: context.session.gkSessionId,
    validity: verdict.validity,
    advice: verdict.advice,
    ...(verdict.exceeded && { exceeded: verdict.exceeded }),
    ...(voice && { model: { voice, checkpoints, windows }, ...(fingerprint && { fingerprint }) }),
    calibrationRevisionId: calibration.revisionId,
    forEnrollment: purpose.forEnrollment,
    printType: purpose.printType,
    ...(purpose.heardInCheck && { heardInCheck: true }),
    ...(result.stoppedAtMs !== undefined && { endedByCheckpoint: true }),
    grossAudioMs: quality?.grossMs ?? result.media?.durationMs ?? 0,
    // For enrollment audio, only the speech that was used counts, here and in the sum that training needs;
    // for audio that ended at a checkpoint, the speech up to there.
    netAudioMs:
      voice && (purpose.forEnrollment || result.stoppedAtMs !== undefined)
        ? voice.netMs
        : (quality?.netMs ?? 0),
    ...(quality && {
      snrDb: quality.snrDb,
      speechLevelDb: quality.speechLevelDbfs,
      saturationPerMinute: quality.saturatedPerMinute,
    }),
    narrowband: quality?.bandwidth === 'narrow',
    ...(result.media && {
      mediaChannels: result.media.channels,
      mediaSampleRateHz: result.media.sampleRateHz,
    }),
    ...(result.media?.selectedChannel !== undefined && { selectedChannel: result.media.selectedChannel }),
    ...(result.media?.isOneSound && { isOneSound: true }),
    processedChannels: 1,
    processedSampleRateHz: 16_000,
    ...(quality?.numberOfSpeakers !== undefined && { detectedSpeakers: quality.numberOfSpeakers }),
    ...(quality?.segmentationScore !== undefined && { segmentationScore: quality.segmentationScore }),
    ...(result.voiceClassScore !== undefined && { voiceClassScore: result.voiceClassScore }),
    ...(spoof.synthetic && { syntheticScore: spoof.synthetic.llr }),
    ...(spoof.playback && { playbackScore: spoof.playback.llr }),
    ...(media.gkPersonId && { gkPersonId: media.gkPersonId }),
    actualLanguage: '',
    customData: {},
    ...(media.createdAtMs !== undefined && { receivedAtMs: media.createdAtMs }),
    createdAtMs: now,
    modifiedAtMs: now,
  };
}

export function engineOptions(
  parameters: Parameters,
  { media, channel }: { media?: MediaSegment; channel: number | undefined },
  purpose: ProcessPurpose,
): ProcessOptions {
  const { audio } = parameters;
  const raw = media && rawFormatOf(media);
  return {
    ...(channel !== undefined && { channel }),
    ...(raw && { raw }),
    gates: audioGates(parameters, purpose.forEnrollment),
    maxDurationMs: audio.mediaMinutesMax * 60_000,
    ...(purpose.forEnrollment && { maxNetSpeechMs: audio.speechSecondsMaxForEnrollment * 1000 }),
    checkpointsMs: purpose.checkpointSeconds.map((seconds) => seconds * 1000),
    spoof: purpose.spoof,
    enableSegmentation: audio.EnableSegmentation,
  };
}

/** What decoding revealed about the media, to be stored with it. */
function withFacts(media: MediaSegment, info: MediaInfo | undefined, nowMs: number): MediaSegment {
  if (!info?.durationKnown || media.lengthMs !== undefined) return media;
  return {
    ...media,
    lengthMs: info.durationMs,
    sampleRateHz: info.sampleRateHz,
    channels: info.channels,
    modifiedAtMs: nowMs,
  };
}
