// The audio of an operation: a new media segment is processed, processed audio is taken as it is, unless it
// was made by another speaker model or for another purpose; then its media is processed again under a new ID.
import { AppError, invalidFields, missingField, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { ProcessOptions } from '../../voice/engine.js';
import type { SpoofScore } from '../../voice/spoof/detector.js';
import type { ActiveCalibration } from '../calibration/active.js';
import type { Parameters } from '../model/parameters.js';
import type { FullContext } from '../call/context.js';
import type { MediaSegment, ProcessedAudio } from '../model/media.js';
import { rawFormatOf } from '../media/raw-format.js';
import type { AttackEvidence, AttackKind } from '../rules/judge-attack.js';
import type { OperationDeps } from './deps.js';

/** One of the two IDs is mandatory (docs/reference/voiceprint-contract.md#audio-input). */
export interface AudioInput {
  gkMediaSegmentId?: string;
  gkProcessedAudioId?: string;
  /** 1 left, 2 right, 0 all; ignored for one-channel media and for processed audio. */
  channel?: number;
}

export interface ProcessPurpose {
  forEnrollment: boolean;
  /** Net speech, in seconds, of the early decisions that may be asked of this audio. */
  checkpointSeconds: readonly number[];
  spoof: { synthetic: boolean; playback: boolean };
  printType: ProcessedAudio['printType'];
}

export interface PreparedAudio {
  audio: ProcessedAudio;
  /** False when stored audio was used as it was: then there is nothing to store. */
  isNew: boolean;
  media: MediaSegment;
  /** Attack-check reliabilities of this run; only the scores are kept with the audio. */
  spoof: SpoofOutcome;
}

export interface SpoofOutcome {
  synthetic?: SpoofScore;
  playback?: SpoofScore;
}

/** What an attack check is judged by. */
export function evidenceOf(deps: OperationDeps, prepared: PreparedAudio, kind: AttackKind): AttackEvidence {
  return {
    validity: prepared.audio.validity,
    measure: prepared.spoof[kind],
    detectorRevision: deps.engine.detectors[kind]?.revision,
  };
}

export function checkAudioInput(input: AudioInput): void {
  if (!input.gkMediaSegmentId && !input.gkProcessedAudioId)
    throw invalidFields([missingField('gk_media_segment_id')]);
  if (input.channel !== undefined && (input.channel < 0 || input.channel > 8)) {
    throw invalidFields([
      {
        field: 'channel_selector.channel',
        violation: 'OUT_OF_RANGE',
        message: 'must be 0 (all), 1 (left) or 2 (right)',
        value: String(input.channel),
      },
    ]);
  }
}

export async function prepareAudio(
  deps: OperationDeps,
  call: Call,
  context: FullContext,
  calibration: ActiveCalibration,
  input: AudioInput,
  purpose: ProcessPurpose,
): Promise<PreparedAudio> {
  checkAudioInput(input);
  const { gkScopeId } = context;
  if (input.gkProcessedAudioId) {
    const audio = await deps.store.read.processedAudios.find(gkScopeId, input.gkProcessedAudioId);
    if (!audio) throw notFound('processed audio', 'gk_processed_audio_id');
    const media = await findMedia(deps, gkScopeId, audio.gkMediaSegmentId, 'gk_processed_audio_id');
    if (isFit(audio, deps, purpose)) return { audio, isNew: false, media, spoof: {} };
    return processMedia(deps, call, context, calibration, media, audio.selectedChannel, purpose);
  }
  const media = await findMedia(deps, gkScopeId, input.gkMediaSegmentId ?? '', 'gk_media_segment_id');
  return processMedia(deps, call, context, calibration, media, input.channel, purpose);
}

/** Runs the engine and makes the record; the operation stores it together with what it decided. */
export async function processMedia(
  deps: OperationDeps,
  call: Call,
  context: FullContext,
  calibration: ActiveCalibration,
  media: MediaSegment,
  channel: number | undefined,
  purpose: ProcessPurpose,
): Promise<PreparedAudio> {
  if (!media.blob) {
    throw new AppError(
      'INVALID_REQUEST',
      'the media has not been uploaded yet: PUT the audio to its upload URL first',
      {
        fields: [{ field: 'gk_media_segment_id', violation: 'OTHER', message: 'has no audio yet' }],
        diagnostics: [{ code: 'MEDIA_NOT_UPLOADED' }],
      },
    );
  }
  const result = await deps.engine.processAudio(
    deps.mediaBytes.read(media),
    engineOptions(context.parameters, media, channel, purpose, call.deadline),
    call.signal,
  );
  const now = deps.clock.now();
  const { quality, checkpoints, spoof } = result;
  const minutesMax = context.parameters.audio.mediaMinutesMax;
  const tooLong = (result.media?.durationMs ?? 0) > minutesMax * 60_000;
  const voice = tooLong ? undefined : result.voice;
  const audio: ProcessedAudio = {
    gkProcessedAudioId: deps.ids.uuid(),
    gkScopeId: context.gkScopeId,
    gkMediaSegmentId: media.gkMediaSegmentId,
    gkEngagementId: context.engagement.gkEngagementId,
    gkSessionId: context.session.gkSessionId,
    validity: tooLong ? 'INVALID_AUDIO' : result.verdict.validity,
    advice: tooLong ? `Send at most ${minutesMax} minutes of audio.` : result.verdict.advice,
    ...(voice && { model: { voice, checkpoints } }),
    calibrationRevisionId: calibration.revisionId,
    forEnrollment: purpose.forEnrollment,
    printType: purpose.printType,
    grossAudioMs: quality?.grossMs ?? result.media?.durationMs ?? 0,
    // Of enrollment audio only the speech that was used counts, here and in the sum that training needs.
    netAudioMs: voice && purpose.forEnrollment ? voice.netMs : (quality?.netMs ?? 0),
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
    createdAtMs: now,
    modifiedAtMs: now,
  };
  return { audio, isNew: true, media: withFacts(media, result.media, now), spoof };
}

function engineOptions(
  parameters: Parameters,
  media: MediaSegment,
  channel: number | undefined,
  purpose: ProcessPurpose,
  deadline: number | undefined,
): ProcessOptions {
  const { audio, enrollment, authentication } = parameters;
  const netSpeechSecondsMin = purpose.forEnrollment
    ? enrollment.netSpeechSecondsMinPerSegment
    : authentication.netSpeechSecondsMin;
  const raw = rawFormatOf(media);
  return {
    ...(channel !== undefined && { channel }),
    ...(raw && { raw }),
    purpose: purpose.forEnrollment ? 'enroll' : 'verify',
    gates: {
      netMsMin: netSpeechSecondsMin * 1000,
      snrDbMin: purpose.forEnrollment ? audio.snrDbMinEnroll : audio.snrDbMinVerify,
      speechLevelDbfsMin: audio.speechLevelDbMin,
      saturatedPerMinuteMax: audio.saturationPerMinuteMax,
    },
    ...(purpose.forEnrollment && { maxNetSpeechMs: audio.speechSecondsMaxForEnrollment * 1000 }),
    checkpointsMs: purpose.checkpointSeconds.map((seconds) => seconds * 1000),
    spoof: purpose.spoof,
    enableSegmentation: audio.EnableSegmentation,
    ...(deadline !== undefined && { deadlineMs: deadline }),
  };
}

function isFit(audio: ProcessedAudio, deps: OperationDeps, purpose: ProcessPurpose): boolean {
  if (purpose.spoof.synthetic || purpose.spoof.playback) return false;
  if (audio.printType !== purpose.printType) return false;
  // Capped enrollment audio may be all there is to score; a model of another revision never is.
  return audio.model === undefined || audio.model.voice.modelRevision === deps.engine.model.revision;
}

async function findMedia(
  deps: OperationDeps,
  gkScopeId: string,
  gkMediaSegmentId: string,
  field: string,
): Promise<MediaSegment> {
  const media = await deps.store.read.media.find(gkScopeId, gkMediaSegmentId);
  if (!media) throw notFound('media segment', field);
  return media;
}

/** What decoding told about the media, to be stored with it. */
function withFacts(
  media: MediaSegment,
  info: { durationMs: number; sampleRateHz: number; channels: number } | undefined,
  now: number,
): MediaSegment {
  if (!info || media.lengthMs !== undefined) return media;
  return {
    ...media,
    lengthMs: info.durationMs,
    sampleRateHz: info.sampleRateHz,
    channels: info.channels,
    modifiedAtMs: now,
  };
}
