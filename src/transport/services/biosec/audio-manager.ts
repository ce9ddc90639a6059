// AudioManager: media segments and processed audio.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { deleteMedia, updateMedia, updateProcessedAudio } from '../../../biometrics/media/change-media.js';
import type { MediaDeps } from '../../../biometrics/media/deps.js';
import { getUploadUrl } from '../../../biometrics/media/get-upload-url.js';
import type {
  AudioFormat as FormatWord,
  CallParty,
  Container as ContainerWord,
  MediaSegment,
  ProcessedAudio,
} from '../../../biometrics/model/media.js';
import { getDownloadUrl, getMedia, getProcessedAudio } from '../../../biometrics/media/read-media.js';
import { invalidFields } from '../../../errors.js';
import { AudioManager } from '../../../gen/vendor/biosec/v1/audio/manager_pb.js';
import {
  Container,
  MediaSegmentDetailsForReadSchema,
  MediaSegmentDetailsForWriteSchema,
  PartyType,
  ProcessedAudioDetailsForReadSchema,
  ProcessedAudioDetailsForWriteSchema,
  type AudioFormat,
  type PartyAttributes,
} from '../../../gen/vendor/biosec/v1/audio/types_pb.js';
import { CallType } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import {
  biosecAccess,
  changeContextOf,
  contextOf,
  durationOf,
  maskedRead,
  maskedWrite,
  present,
  timestampOf,
  unique,
  valueOf,
  wordOf,
} from './shared.js';
import { say } from '../../../words/server/say.js';

export function audioManagerService(deps: MediaDeps): ServiceBinding {
  return bindService(AudioManager, biosecAccess, {
    getUploadUrl: async (call, request) => {
      const { url, gkMediaSegmentId } = await getUploadUrl(deps, call, {
        context: contextOf(request),
        ...uploadOf(request),
      });
      return { mediaUploadUrl: url, gkMediaSegmentId: unique(gkMediaSegmentId) };
    },
    getDownloadUrl: async (call, request) => {
      if (
        (request.container !== Container.UNSPECIFIED && request.container !== Container.WAV) ||
        (request.format?.audioFormat.case ?? 'pcm') !== 'pcm'
      ) {
        throw invalidFields([
          {
            field: 'container',
            violation: 'OUT_OF_RANGE',
            ...say('DOWNLOAD_FORMAT'),
          },
        ]);
      }
      const url = await getDownloadUrl(deps, call, {
        context: contextOf(request),
        gkMediaSegmentId: valueOf(request.gkMediaSegmentId),
        ...present('channel', request.channelSelector?.channel, Number),
      });
      return { mediaDownloadUrl: url };
    },
    getProcessedAudioDetails: async (call, request) => {
      const audio = await getProcessedAudio(deps, call, {
        context: contextOf(request),
        gkProcessedAudioId: valueOf(request.gkProcessedAudioId),
      });
      return {
        details: maskedRead(ProcessedAudioDetailsForReadSchema, processedDetails(audio), request.fieldMask),
        gkMediaSegmentId: unique(audio.gkMediaSegmentId),
      };
    },
    updateProcessedAudioDetails: async (call, request) => {
      const { actualLanguage, customData } = maskedWrite(
        ProcessedAudioDetailsForWriteSchema,
        request,
        'mandatory',
      );
      await updateProcessedAudio(deps, call, {
        context: changeContextOf(request),
        gkProcessedAudioId: valueOf(request.gkProcessedAudioId),
        ...(actualLanguage !== undefined && { actualLanguage }),
        ...(customData && { customData }),
      });
      return {};
    },
    getMediaSegmentDetails: async (call, request) => {
      const media = await getMedia(deps, call, {
        context: contextOf(request),
        gkMediaSegmentId: valueOf(request.gkMediaSegmentId),
      });
      return {
        details: maskedRead(MediaSegmentDetailsForReadSchema, mediaDetails(media), request.fieldMask),
      };
    },
    updateMediaSegmentDetails: async (call, request) => {
      const { gkPersonId, legalHold, customData } = maskedWrite(
        MediaSegmentDetailsForWriteSchema,
        request,
        'mandatory',
      );
      await updateMedia(deps, call, {
        context: changeContextOf(request),
        gkMediaSegmentId: valueOf(request.gkMediaSegmentId),
        ...present('gkPersonId', gkPersonId?.value, String),
        ...(legalHold !== undefined && { legalHold }),
        ...(customData && { customData }),
      });
      return {};
    },
    deleteMediaSegment: async (call, request) => {
      await deleteMedia(deps, call, {
        context: contextOf(request),
        gkMediaSegmentId: valueOf(request.gkMediaSegmentId),
      });
      return {};
    },
  });
}

/** What GetUploadUrl and UploadAudio are told about the bytes to come. */
export function uploadOf(request: {
  container: Container;
  format?: AudioFormat | undefined;
  callParties: PartyAttributes[];
}) {
  return {
    ...present('container', wordOf<ContainerWord>(Container, request.container), (word) => word),
    ...present('format', request.format, formatOf),
    callParties: request.callParties.map(partyOf),
  };
}

function formatOf({ audioFormat, numberOfChannels }: AudioFormat): FormatWord {
  const channels = numberOfChannels > 0 ? { channels: numberOfChannels } : {};
  switch (audioFormat.case) {
    case 'g729':
      throw invalidFields([
        {
          field: 'format.g729',
          violation: 'OUT_OF_RANGE',
          ...say('ENCODING_NOT_SUPPORTED'),
        },
      ]);
    case 'pcm':
      return { encoding: 'pcm', sampleRateHz: audioFormat.value.sampleRateHz || 8000, ...channels };
    case 'alaw':
    case 'ulaw':
      return { encoding: audioFormat.case, sampleRateHz: 8000, ...channels };
    case 'mp3':
      return { encoding: 'mp3', ...channels };
    case undefined:
      return { encoding: 'pcm', ...channels };
  }
}

function partyOf({ channelIndex, partyType, gkPartyId }: PartyAttributes): CallParty {
  return {
    channelIndex,
    partyType: PartyType[partyType] as CallParty['partyType'],
    ...present('gkPartyId', gkPartyId?.value, String),
  };
}

function mediaDetails(media: MediaSegment): MessageInitShape<typeof MediaSegmentDetailsForReadSchema> {
  return {
    ...present('gkPersonId', media.gkPersonId, unique),
    legalHold: media.legalHold,
    ...present('mediaLength', media.lengthMs, durationOf),
    ...present('sampleRateHz', media.sampleRateHz, Number),
    ...present('numberOfChannels', media.channels, Number),
    callParties: media.callParties.map((party) => ({
      channelIndex: party.channelIndex,
      partyType: PartyType[party.partyType],
      ...present('gkPartyId', party.gkPartyId, unique),
    })),
    ...present('callType', media.callType, (word) => CallType[word]),
    customData: media.customData,
  };
}

function processedDetails(
  audio: ProcessedAudio,
): MessageInitShape<typeof ProcessedAudioDetailsForReadSchema> {
  return {
    gkCalibrationModelRevisionId: unique(audio.calibrationRevisionId),
    processedAudioAttributes: {
      sampleRateHz: audio.processedSampleRateHz,
      numberOfChannels: audio.processedChannels,
      ...present('selectedChannel', audio.selectedChannel, (channel) => ({ channel })),
    },
    ...present('voiceClassScore', audio.voiceClassScore, Number),
    actualLanguage: audio.actualLanguage,
    attributes: {
      case: 'processingAttributes',
      value: {
        grossAudio: durationOf(audio.grossAudioMs),
        netAudio: durationOf(audio.netAudioMs),
        ...present('snrDb', audio.snrDb, Number),
        ...present('speechLevel', audio.speechLevelDb, Number),
        ...present('saturationLevel', audio.saturationPerMinute, Number),
        ...present('syntheticScore', audio.syntheticScore, Number),
        ...present('channelPlaybackScore', audio.playbackScore, Number),
      },
    },
    creationTimestamp: timestampOf(audio.createdAtMs),
    modificationTimestamp: timestampOf(audio.modifiedAtMs),
    customData: audio.customData,
  };
}
