// AudioProcessor: attack checks as a call of their own, and prompted words.
import { detectAudioSpoofing } from '../../../biometrics/operations/detect-spoofing.js';
import { detectLiveness } from '../../../biometrics/operations/detect-liveness.js';
import { getLivenessPrompt } from '../../../biometrics/operations/get-liveness-prompt.js';
import type { OperationDeps } from '../../../biometrics/operations/deps.js';
import { RELIABLE } from '../../../biometrics/operations/prompted-answer.js';
import { validateText } from '../../../biometrics/operations/validate-text.js';
import { AudioProcessor } from '../../../gen/vendor/biosec/v1/audio/processor_pb.js';
import { DecisionReason } from '../../../gen/vendor/biosec/v1/audio/types_pb.js';
import { Decision } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { playbackResultOf, syntheticResultOf } from './attack-results.js';
import {
  attackDiagnostics,
  boundDiagnostics,
  okWith,
  promptDiagnostics,
  promptWantedDiagnostics,
} from './diagnostics.js';
import { audioDetailsOf, biosecAccess, contextOf, present, riskOf, unique, validityOf } from './shared.js';
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
        ...okWith(
          ...boundDiagnostics(audio),
          ...promptWantedDiagnostics(result),
          ...attackDiagnostics(result),
        ),
        audioDetails: audioDetailsOf(audio),
        validity: validityOf(audio),
        ...present('syntheticSpeechDetectionResult', synthetic, (outcome) =>
          syntheticResultOf(audio, outcome),
        ),
        ...present('channelPlaybackDetectionResult', playback, (outcome) => playbackResultOf(audio, outcome)),
      };
    },
    getLivenessPrompt: async (call, request) => {
      const { words, figures, language, expiresAtMs } = await getLivenessPrompt(deps, call, {
        context: contextOf(request),
      });
      const extras = { language, answer_until_timestamp: new Date(expiresAtMs).toISOString() };
      return {
        ...okWith({ code: 'LIVENESS_PROMPT', extras }),
        expectedText: words,
        ivrInfo: figures,
      };
    },
    validateText: async (call, request) => {
      const { audio, decision, reason, failed, heard, risk, detectedText } = await validateText(deps, call, {
        context: contextOf(request),
        audio: audioInput(request.audio, request.channelSelector),
        expectedText: request.expectedText,
        ...present('gkPersonId', request.gkPersonId?.value, String),
      });
      return {
        ...okWith(...boundDiagnostics(audio), ...promptDiagnostics(failed ? [[failed]] : [])),
        result: {
          ...present('result', risk, (value) => riskOf({ risk: value, reliability: RELIABLE })),
          ...present('score', heard?.score, Number),
          decision: Decision[decision],
          reason: DecisionReason[reason],
          ...present('detectedText', detectedText, String),
          gkProcessedAudioId: unique(audio.gkProcessedAudioId),
        },
      };
    },
    detectLiveness: async (call, request) => {
      const result = await detectLiveness(deps, call, {
        context: contextOf(request),
        audio: audioInput(request.audio, request.channelSelector),
        answers: request.randomAudioSet.map(({ audio, channelSelector, expectedText }) => ({
          audio: audioInput(audio, channelSelector),
          expectedText,
        })),
        ...present('gkPersonId', request.gkPersonId?.value, String),
      });
      const { reference, answers, decision, reason, risk, score } = result;
      return {
        ...okWith(...boundDiagnostics(reference), ...promptDiagnostics(answers.map(({ failed }) => failed))),
        result: {
          ...present('riskEngineResult', risk, riskOf),
          ...present('livenessDetectionScore', score, Number),
          decision: Decision[decision],
          reason: DecisionReason[reason],
          details: answers.map(({ prepared: { audio }, words, voice }) => ({
            gkMediaSegmentId: unique(audio.gkMediaSegmentId),
            gkProcessedAudioId: unique(audio.gkProcessedAudioId),
            validity: validityOf(audio),
            ...present('biometricScore', voice.llr, Number),
            ...present('textValidationScore', words.heard?.score, Number),
          })),
          gkReferenceProcessedAudioId: unique(reference.gkProcessedAudioId),
        },
      };
    },
  });
}
