// LabAudio: audio in one call, and a look inside it.
import { inspectAudio } from '../../../biometrics/media/inspect-audio.js';
import { uploadAudio } from '../../../biometrics/media/upload-audio.js';
import type { MediaDeps } from '../../../biometrics/media/deps.js';
import type { OperationDeps } from '../../../biometrics/operations/deps.js';
import { AudioValidity } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { LabAudio } from '../../../gen/voxgate/biosec/v1/lab_pb.js';
import type { InspectedAudio } from '../../../voice/engine.js';
import type { Spectrogram } from '../../../voice/inspect/spectrogram.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { uploadOf } from './audio-manager.js';
import { boundDiagnostics, okWith } from './diagnostics.js';
import { biosecAccess, contextOf, durationOf, present, unique, valueOf } from './shared.js';

export function labAudioService(deps: OperationDeps & MediaDeps): ServiceBinding {
  return bindService(LabAudio, biosecAccess, {
    uploadAudio: async (call, request) => {
      const { gkMediaSegmentId, facts } = await uploadAudio(deps, call, {
        context: contextOf(request),
        ...uploadOf(request),
        audio: request.audio,
      });
      return {
        gkMediaSegmentId: unique(gkMediaSegmentId),
        ...present('mediaLength', facts?.durationMs, durationOf),
        ...present('sampleRateHz', facts?.sampleRateHz, Number),
        ...present('numberOfChannels', facts?.channels, Number),
      };
    },
    inspectAudio: async (call, request) => {
      const gkMediaSegmentId = valueOf(request.gkMediaSegmentId);
      const inspected = await inspectAudio(deps, call, {
        context: contextOf(request),
        gkMediaSegmentId,
        ...present('channel', request.channelSelector?.channel, Number),
        envelopePoints: request.envelopePoints,
        spectrogramColumns: request.spectrogramColumns,
      });
      return {
        ...okWith(...boundDiagnostics(inspected.verdict)),
        ...present('mediaLength', inspected.media?.durationMs, durationOf),
        ...present('envelope', inspected.envelope, ({ minimum, maximum }) => ({
          minimum: Array.from(minimum),
          maximum: Array.from(maximum),
        })),
        speechSegments: inspected.speech.map(({ startMs, endMs }) => ({
          start: durationOf(startMs),
          end: durationOf(endMs),
        })),
        audioDetails: audioDetails(gkMediaSegmentId, inspected),
        validity: AudioValidity[`REASON_${inspected.verdict.validity}`],
        ...present('spectrogram', inspected.spectrogram, spectrogramOf),
      };
    },
  });
}

function audioDetails(gkMediaSegmentId: string, { media, quality }: InspectedAudio) {
  return {
    gkMediaSegmentId: unique(gkMediaSegmentId),
    grossAudio: durationOf(quality?.grossMs ?? media?.durationMs ?? 0),
    netAudio: durationOf(quality?.netMs ?? 0),
    ...present('snrDb', quality?.snrDb, Number),
    ...present('speechLevel', quality?.speechLevelDbfs, Number),
    ...present('saturationLevel', quality?.saturatedPerMinute, Number),
    ...present('mediaNumberOfChannels', media?.channels, Number),
    ...present('mediaSamplingRateHz', media?.sampleRateHz, Number),
    ...present('selectedChannel', media?.selectedChannel, (channel) => ({ channel })),
  };
}

function spectrogramOf({ columns, rows, values, minDb, maxDb, maxHz }: Spectrogram) {
  return { columns, rows, values, minDb, maxDb, maxHz, mel: true };
}
