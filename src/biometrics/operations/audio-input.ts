// The audio of an operation. A new media segment is processed. Processed audio is used as it is, unless it was made with
// another speaker model or for another purpose; then its media is processed again under a new ID.
import { type FieldFault, invalidFields, missingChoice, notFound } from '../../errors.js';
import { CHANNELS_MAX } from '../../voice/audio/types.js';
import type {
  AtCheckpoint,
  MediaInfo,
  ProcessedAudio as EngineResult,
  ProcessOptions,
} from '../../voice/engine.js';
import type { SpoofScore } from '../../voice/spoof/detector.js';
import type { MediaSegment, ProcessedAudio } from '../model/media.js';
import type { Parameters } from '../model/parameters.js';
import { callersChannel } from '../rules/heard-channel.js';
import { audioGates, rawFormatOf, requireUploaded } from '../rules/media-for-engine.js';
import type { OperationDeps } from './deps.js';
import type { OpenedCall } from './opened-call.js';
import { say } from '../../words/server/say.js';

/** One of the two IDs is mandatory (docs/reference/voiceprint-contract.md#audio-input). */
export interface AudioInput {
  gkMediaSegmentId?: string;
  gkProcessedAudioId?: string;
  /**
   * 1 left, 2 right, 0 all; absent: the caller's if that is known, otherwise all. Ignored for one-channel
   * media and for processed audio.
   */
  channel?: number;
  /** Where in the request it is; absent: in the request itself. */
  within?: string;
}

const fieldIn = ({ within }: AudioInput, name: string): string => (within ? `${within}.${name}` : name);

export function audioFaults(input: AudioInput): FieldFault[] {
  const { gkMediaSegmentId, gkProcessedAudioId, channel } = input;
  const faults: FieldFault[] = [];
  if (!gkMediaSegmentId && !gkProcessedAudioId)
    faults.push(
      ...missingChoice([fieldIn(input, 'gk_media_segment_id'), fieldIn(input, 'gk_processed_audio_id')]),
    );
  // The channel of processed audio is already chosen; a selector beside it is ignored.
  if (!gkProcessedAudioId && channel !== undefined && (channel < 0 || channel > CHANNELS_MAX)) {
    faults.push({
      field: fieldIn(input, 'channel_selector.channel'),
      violation: 'OUT_OF_RANGE',
      ...say('CHANNEL_OUT_OF_RANGE', { max: CHANNELS_MAX }),
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
    const media = await findMedia(opened, gkMediaSegmentId, fieldIn(input, 'gk_media_segment_id'));
    const chosen = channel === undefined ? { channel: callersChannel(media), isUnasked: true } : { channel };
    return processMedia(opened, { media, ...chosen }, purpose);
  }
  const { deps, context } = opened;
  const audio = await deps.store.read.processedAudios.find(context.gkScopeId, gkProcessedAudioId);
  const field = fieldIn(input, 'gk_processed_audio_id');
  if (!audio) throw notFound('processed audio', field);
  const media = await findMedia(opened, audio.gkMediaSegmentId, field);
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
      ...say('NO_SUCH_CHANNEL'),
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

export interface DecisionRun extends OpenedCall {
  prepared: PreparedAudio;
}
