// ProcessAudio: checks quality and makes the audio model that Enroll and Verify use. Bad audio is not an error: the validity
// says what is wrong with it.
import { auditDetail } from '../../audit/model.js';
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import type { ProcessedAudio } from '../model/media.js';
import { checkpointSeconds } from '../rules/checkpoints.js';
import type { AudioInput, DecisionRun } from './audio-input.js';
import type { OperationDeps } from './deps.js';
import type { DecisionRecord } from './record.js';
import { runDecision } from './run-decision.js';

interface ProcessAudioInput {
  context: RequestContext;
  audio: AudioInput;
  forEnrollment: boolean;
}

export function processAudio(
  deps: OperationDeps,
  call: Call,
  input: ProcessAudioInput,
): Promise<ProcessedAudio> {
  const { forEnrollment } = input;
  return runDecision(deps, call, {
    name: 'ProcessAudio',
    request: input,
    faults: [],
    find: async () => undefined,
    purpose: ({ context }) => ({
      forEnrollment,
      checkpointSeconds: forEnrollment ? [] : checkpointSeconds(context.parameters),
      spoof: { synthetic: false, playback: false },
      printType: 'VOICEPRINT',
      // Asking for processed audio here means: process its media again.
      again: true,
    }),
    judge: async () => undefined,
    conclude: async (_tx, run) => ({ result: run.prepared.audio, records: [recordOf(run)] }),
  });
}

function recordOf({ calibration, prepared: { audio } }: DecisionRun): DecisionRecord {
  return {
    type: 'AUDIO_EVENT',
    subjects: [
      audio.gkProcessedAudioId,
      audio.gkMediaSegmentId,
      ...(audio.gkPersonId ? [audio.gkPersonId] : []),
    ],
    detail: auditDetail({
      validity: audio.validity,
      netAudioMs: Math.round(audio.netAudioMs),
      grossAudioMs: Math.round(audio.grossAudioMs),
      snrDb: audio.snrDb,
      forEnrollment: audio.forEnrollment,
      model: calibration.model.revision,
      calibrationRevisionId: calibration.revisionId,
    }),
  };
}
