// ProcessAudio: checks quality and makes the audio model that Enroll and Verify use. Bad audio is no error:
// the validity says what is wrong with it.
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { activeCalibration } from '../calibration/active.js';
import { openFullContext, type RequestContext } from '../call/context.js';
import type { ProcessedAudio } from '../model/media.js';
import {
  checkAudioInput,
  prepareAudio,
  processMedia,
  type AudioInput,
  type ProcessPurpose,
} from './audio-input.js';
import { checkpointSeconds } from '../rules/checkpoints.js';
import type { OperationDeps } from './deps.js';
import { storeAudio } from './record.js';

export interface ProcessAudioInput {
  context: RequestContext;
  audio: AudioInput;
  forEnrollment: boolean;
}

export async function processAudio(
  deps: OperationDeps,
  call: Call,
  input: ProcessAudioInput,
): Promise<ProcessedAudio> {
  checkAudioInput(input.audio);
  const context = await openFullContext(deps, call, input.context);
  const calibration = await activeCalibration(deps.store, context.gkScopeId, deps.engine.model);
  const purpose: ProcessPurpose = {
    forEnrollment: input.forEnrollment,
    checkpointSeconds: input.forEnrollment ? [] : checkpointSeconds(context.parameters),
    spoof: { synthetic: false, playback: false },
    printType: 'VOICEPRINT',
  };
  const first = await prepareAudio(deps, call, context, calibration, input.audio, purpose);
  // Asking for processed audio here means: process its media again.
  const prepared = first.isNew
    ? first
    : await processMedia(deps, call, context, calibration, first.media, first.audio.selectedChannel, purpose);
  await deps.store.transaction(async (tx) => {
    await storeAudio(tx, prepared);
    await audit(tx, call, {
      type: 'AUDIO_EVENT',
      operation: 'ProcessAudio',
      gkScopeId: context.gkScopeId,
      gkEngagementId: context.engagement.gkEngagementId,
      gkSessionId: context.session.gkSessionId,
      configsetId: context.configset.configsetId,
      subjects: [
        prepared.audio.gkProcessedAudioId,
        prepared.audio.gkMediaSegmentId,
        ...(prepared.audio.gkPersonId ? [prepared.audio.gkPersonId] : []),
      ],
      detail: {
        validity: prepared.audio.validity,
        netAudioMs: Math.round(prepared.audio.netAudioMs),
        grossAudioMs: Math.round(prepared.audio.grossAudioMs),
        snrDb: prepared.audio.snrDb,
        forEnrollment: input.forEnrollment,
        model: calibration.model.revision,
        calibrationRevisionId: calibration.revisionId,
        configsetRevisionId: context.configset.gkConfigsetRevisionId,
      },
    });
  });
  return prepared.audio;
}
