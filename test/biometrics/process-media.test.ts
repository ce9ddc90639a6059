// How the engine is asked for an operation: on whose behalf, and as far as which checkpoint.
import { describe, expect, it } from 'vitest';
import { defaultParameters } from '../../src/biometrics/model/parameters.js';
import type { MediaSegment } from '../../src/biometrics/model/media.js';
import type { OpenedCall } from '../../src/biometrics/operations/opened-call.js';
import { processMedia, type ProcessPurpose } from '../../src/biometrics/operations/audio-input.js';
import type { MediaInfo, ProcessedAudio, VoiceEngine } from '../../src/voice/engine.js';

const purpose: ProcessPurpose = {
  forEnrollment: false,
  checkpointSeconds: [3],
  spoof: { synthetic: false, playback: false },
  printType: 'VOICEPRINT',
};

function opened(result: Partial<ProcessedAudio>) {
  const asked: Parameters<VoiceEngine['processAudio']>[] = [];
  const call = {
    deps: {
      engine: {
        processAudio: async (...question: Parameters<VoiceEngine['processAudio']>) => {
          asked.push(question);
          return {
            verdict: { validity: 'AUDIO_OK', advice: '' },
            checkpoints: [],
            windows: [],
            spoof: {},
            ...result,
          };
        },
      },
      mediaBytes: { read: () => new Uint8Array() },
      clock: { now: () => 1 },
      ids: { uuid: () => 'id' },
    },
    call: { caller: { clientId: 'app:client' }, deadlineAtMs: 99 },
    context: {
      gkScopeId: 'tenant',
      parameters: defaultParameters,
      engagement: { gkEngagementId: 'e' },
      session: { gkSessionId: 's' },
    },
    calibration: { revisionId: 'r' },
  } as unknown as OpenedCall;
  return { call, asked };
}

const media = { gkMediaSegmentId: 'm', blob: {} } as MediaSegment;
const info = { durationMs: 60_000, sampleRateHz: 8000, channels: 1 } as MediaInfo;

describe('the engine', () => {
  it('learns whose work it is, so that clients take turns, and by when', async () => {
    const { call, asked } = opened({});
    await processMedia(call, { media, channel: undefined }, purpose);
    expect(asked[0]?.[1]).toMatchObject({ client: 'app:client', deadlineAtMs: 99, checkpointsMs: [3000] });
  });

  it('is told where to stop, and what it heard by then is what is stored', async () => {
    const enough = async () => true;
    const voice = { netMs: 3000 } as ProcessedAudio['voice'];
    const quality = { netMs: 3400, grossMs: 4000 } as ProcessedAudio['quality'];
    const { call, asked } = opened({
      ...(voice && { voice }),
      ...(quality && { quality }),
      stoppedAtMs: 4000,
      media: { ...info, durationKnown: false },
    });
    const prepared = await processMedia(call, { media, channel: undefined }, { ...purpose, enough });
    expect(asked[0]?.[3]).toBe(enough);
    expect(prepared.audio).toMatchObject({ endedByCheckpoint: true, netAudioMs: 3000, grossAudioMs: 4000 });
    // Nobody knows yet how long the recording is.
    expect(prepared.media.lengthMs).toBeUndefined();
  });

  it('tells the length of the recording where it is known, although a checkpoint ended the listening', async () => {
    const { call } = opened({ stoppedAtMs: 4000, media: { ...info, durationKnown: true } });
    const prepared = await processMedia(call, { media, channel: undefined }, purpose);
    expect(prepared.media.lengthMs).toBe(60_000);
  });
});
