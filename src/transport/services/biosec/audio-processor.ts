// AudioProcessor: attack checks as a call of their own.
import { detectAudioSpoofing } from '../../../biometrics/operations/detect-spoofing.js';
import type { OperationDeps } from '../../../biometrics/operations/deps.js';
import { AudioProcessor } from '../../../gen/vendor/biosec/v1/audio/processor_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { playbackResultOf, syntheticResultOf } from './attack-results.js';
import { attackDiagnostics, boundDiagnostics, okWith } from './diagnostics.js';
import { audioDetailsOf, biosecAccess, contextOf, present, validityOf } from './shared.js';
import { audioInput } from './voiceprints-processor.js';

export function audioProcessorService(deps: OperationDeps): ServiceBinding {
  return bindService(AudioProcessor, biosecAccess, {
    detectAudioSpoofing: async (call, request) => {
      const result = await detectAudioSpoofing(deps, call, {
        context: contextOf(request),
        audio: audioInput(request.input, request.channelSelector),
        checks: {
          synthetic: request.syntheticSpeechDetectionParameters !== undefined,
          playback: request.channelPlaybackDetectionParameters !== undefined,
          footprint: request.footprintPlaybackDetectionParameters !== undefined,
        },
        ...present(
          'footprintOf',
          request.footprintPlaybackDetectionParameters?.gkVoiceprintProfileId?.value,
          String,
        ),
        ...present('gkPersonId', request.gkPersonId?.value, String),
      });
      const { audio, synthetic, playback } = result;
      return {
        ...okWith(...boundDiagnostics(audio), ...attackDiagnostics(result)),
        audioDetails: audioDetailsOf(audio),
        validity: validityOf(audio),
        ...present('syntheticSpeechDetectionResult', synthetic, (outcome) =>
          syntheticResultOf(audio, outcome),
        ),
        ...present('channelPlaybackDetectionResult', playback, (outcome) => playbackResultOf(audio, outcome)),
      };
    },
  });
}
