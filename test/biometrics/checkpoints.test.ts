// How much of the audio an operation uses: checkpoints that end a comparison early, the cap of enrollment audio,
// and the channel of a stereo recording. The audit record says how much speech a decision rests on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { wavFile } from '../support/sounds.js';
import { joined } from '../support/speech.js';
import { voiceSamples } from '../support/voice-samples.js';
import { forEachStore, Platform, utterance, type RequestContext, type VoiceName } from './support.js';

const RATE = 16_000;
let platform: Platform;
let anna: { profile: string };
let bruno: { profile: string };
let fraudster: { profile: string };

async function said(voice: VoiceName, ...sentences: number[]): Promise<Float32Array> {
  return joined(...(await Promise.all(sentences.map((sentence) => voiceSamples(voice, sentence)))));
}

async function long(voice: VoiceName): Promise<Uint8Array> {
  return wavFile([await said(voice, 4, 5, 1, 2)], RATE);
}

/** The detail of the last decision that the session has in the audit trail. */
async function lastDecision(context: RequestContext): Promise<{ netSpeechMs: number; decision: string }> {
  const query = new URLSearchParams({
    'context.gkScopeId.value': context.gkScopeId.value,
    'gkSessionId.value': context.gkSessionId?.value ?? '',
    recordType: 'RECORD_TYPE_FACTORS_AUDIT_INFO_EVENT',
  });
  const { body } = await platform.server.rest('GET', `/v1/x/audit/records?${query}`);
  const details = body.records.map((record: { recordAsJson: string }) => JSON.parse(record.recordAsJson));
  details.sort((a: { seq: number }, b: { seq: number }) => b.seq - a.seq);
  return details[0].detail;
}

const seconds = (duration: string): number => Number.parseFloat(duration);

/** Net speech that an answer says it rests on. */
const netMs = (result: { audioDetails: { netAudio: string } }): number =>
  Math.round(seconds(result.audioDetails.netAudio) * 1000);

await forEachStore((store) => {
  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    await platform.configure('capped', { audio: { speechSecondsMaxForEnrollment: 4 } });
    await platform.configure('no-checkpoints', { authentication: { checkpointsForAuthentication: [] } });
    await platform.configure('learning', { authentication: { nearTermAdaptation: true } });
    anna = await platform.printOf('anna');
    bruno = await platform.printOf('bruno');
    fraudster = await platform.printOf('carl', 'fraudster');
  });
  afterAll(() => platform.stop());

  describe('checkpoints', () => {
    it('end a verification at the first sure match, unless they are ignored or not configured', async () => {
      const wav = await long('anna');
      const context = await platform.open();
      const early = (await platform.verify(context, anna.profile, wav)).body.result;
      expect(early.decision).toBe('DECISION_AUTHENTIC');
      // The answer and the audit trail tell the same: how much speech the decision rests on.
      const stoppedMs = netMs(early);
      expect(stoppedMs).toBeGreaterThanOrEqual(2999);
      expect(stoppedMs).toBeLessThan(10_500);
      expect((await lastDecision(context)).netSpeechMs).toBe(stoppedMs);

      const whole = (await platform.verify(context, anna.profile, wav, { ignoreCheckpoints: true })).body
        .result;
      expect(whole.decision).toBe('DECISION_AUTHENTIC');
      expect(netMs(whole)).toBeGreaterThan(12_000);
      expect((await lastDecision(context)).netSpeechMs).toBeCloseTo(netMs(whole), -1);
      expect(whole.authenticationScore.biometricScore).not.toBe(early.authenticationScore.biometricScore);
      // What lies behind the checkpoint was not listened to.
      expect(seconds(early.audioDetails.grossAudio)).toBeLessThan(stoppedMs / 1000 + 2);
      expect(seconds(whole.audioDetails.grossAudio)).toBeGreaterThan(12);

      const plain = await platform.open('no-checkpoints');
      const all = (await platform.verify(plain, anna.profile, wav)).body.result;
      expect(netMs(all)).toBe(netMs(whole));
    });

    it('never end it for a stranger: all speech is heard before NO_MATCH', async () => {
      const context = await platform.open();
      const { result } = (await platform.verify(context, anna.profile, await long('bruno'))).body;
      expect(result.decision).toBe('DECISION_NO_MATCH');
      expect(netMs(result)).toBeGreaterThan(12_000);
      expect((await lastDecision(context)).netSpeechMs).toBeCloseTo(netMs(result), -1);
    });

    it('hold for processed audio as well, and for Identify', async () => {
      const context = await platform.open();
      const { gkProcessedAudioId } = await platform.process(context, await long('anna'));
      const ask = async (more: object) =>
        (
          await platform.post('/v1/voiceprints/identification', {
            context,
            gkProcessedAudioId,
            gkVoiceprintProfileIds: { uniqueIds: [{ value: anna.profile }, { value: bruno.profile }] },
            ...more,
          })
        ).body.result;
      const early = await ask({});
      expect(early.decision).toBe('DECISION_AUTHENTIC');
      expect(netMs(early)).toBeLessThan(10_500);
      const whole = await ask({ ignoreCheckpoints: true });
      expect(netMs(whole)).toBeGreaterThan(12_000);
      // Both were about the same processed audio: it was heard to its end before.
      expect([early.gkProcessedAudioId, whole.gkProcessedAudioId]).toEqual([
        gkProcessedAudioId,
        gkProcessedAudioId,
      ]);
    });

    it('leave nothing out of a later question: audio that one ended is listened to again', async () => {
      const context = await platform.open();
      const early = (await platform.verify(context, anna.profile, await long('anna'))).body.result;
      expect(netMs(early)).toBeLessThan(10_500);
      const ask = async (profile: string, more: object = {}) =>
        (
          await platform.post(`/v1/voiceprints/${profile}/verification`, {
            context,
            gkProcessedAudioId: early.gkProcessedAudioId,
            ...more,
          })
        ).body.result;
      const whole = await ask(anna.profile, { ignoreCheckpoints: true });
      expect(netMs(whole)).toBeGreaterThan(12_000);
      expect(whole.gkMediaSegmentId).toEqual(early.gkMediaSegmentId);
      expect(whole.gkProcessedAudioId).not.toEqual(early.gkProcessedAudioId);
      const other = await ask(bruno.profile);
      expect(other.decision).toBe('DECISION_NO_MATCH');
      expect(netMs(other)).toBeGreaterThan(12_000);
    });

    it('end AnalyzeAudio when every comparison is decided, and never before an attack check has heard all', async () => {
      const context = await platform.open();
      const wav = await long('anna');
      const analyze = async (more: object) => {
        const gkMediaSegmentId = { value: await platform.upload(context, wav) };
        return (await platform.post('/v1/voiceprints/audio-analysis', { context, gkMediaSegmentId, ...more }))
          .body.result;
      };
      const list = (...profiles: string[]) => ({
        gkVoiceprintProfileIds: { uniqueIds: profiles.map((value) => ({ value })) },
      });
      const alone = await analyze(list(anna.profile));
      expect(alone.decision).toBe('DECISION_AUTHENTIC');
      expect(netMs(alone)).toBeLessThan(10_500);
      // The watchlist is never sure that somebody is not on it.
      const both = await analyze(list(anna.profile, fraudster.profile));
      expect(both.authenticationResult.decision).toBe('DECISION_AUTHENTIC');
      expect(both.fraudDetectionResult.decision).toBe('DECISION_NO_RISK_DETECTED');
      expect(netMs(both)).toBeGreaterThan(12_000);
      const checked = await analyze({ ...list(anna.profile), channelPlaybackDetectionParameters: {} });
      expect(checked.authenticationResult.decision).toBe('DECISION_AUTHENTIC');
      expect(netMs(checked)).toBeGreaterThan(12_000);
    });

    it('are the same over gRPC', async () => {
      const context = await platform.open();
      const value = await platform.upload(context, await long('anna'));
      const client = platform.server.grpc(VoiceprintsProcessor);
      const ask = (ignoreCheckpoints: boolean) =>
        client.verify({
          context,
          gkVoiceprintProfileId: { value: anna.profile },
          audio: { case: 'gkMediaSegmentId', value: { value } },
          ignoreCheckpoints,
        });
      const [early, whole] = [await ask(false), await ask(true)];
      const net = (answer: typeof early) => Number(answer.result?.audioDetails?.netAudio?.seconds);
      expect(net(early)).toBeLessThanOrEqual(10);
      expect(net(whole)).toBeGreaterThanOrEqual(12);
    });

    it('end nothing where the print is to learn from the call', async () => {
      const context = await platform.open('learning');
      const { result } = (await platform.verify(context, anna.profile, await long('anna'))).body;
      expect(result.decision).toBe('DECISION_AUTHENTIC');
      expect(seconds(result.audioDetails.grossAudio)).toBeGreaterThan(12);
    });
  });

  describe('is_for_enrollment', () => {
    it('uses no more speech than the config set allows, and all of it otherwise', async () => {
      const context = await platform.open('capped');
      const wav = await long('anna');
      const capped = await platform.process(context, wav, { isForEnrollment: true });
      const whole = await platform.process(context, wav);
      expect(capped.validity).toBe('REASON_AUDIO_OK');
      expect(seconds(capped.audioDetails.netAudio)).toBeGreaterThan(3);
      expect(seconds(capped.audioDetails.netAudio)).toBeLessThanOrEqual(4.5);
      expect(seconds(whole.audioDetails.netAudio)).toBeGreaterThan(12);
    });
  });

  describe('channel selection', () => {
    const channel = (number: number) => ({ channelSelector: { channel: number } });

    it('picks one speaker of a stereo recording', async () => {
      const context = await platform.open();
      const [left, right] = [await said('anna', 4), await said('bruno', 4)];
      const wav = wavFile([left, right], RATE);
      const decisions: Record<string, string> = {};
      for (const [side, number] of [
        ['left', 1],
        ['right', 2],
      ] as const) {
        for (const [name, print] of [
          ['anna', anna],
          ['bruno', bruno],
        ] as const) {
          const { body } = await platform.verify(context, print.profile, wav, channel(number));
          decisions[`${name} on the ${side}`] = body.result.decision;
          expect(body.result.audioDetails).toMatchObject({
            mediaNumberOfChannels: 2,
            selectedChannel: { channel: number },
          });
        }
      }
      expect(decisions).toEqual({
        'anna on the left': 'DECISION_AUTHENTIC',
        'bruno on the left': 'DECISION_NO_MATCH',
        'anna on the right': 'DECISION_NO_MATCH',
        'bruno on the right': 'DECISION_AUTHENTIC',
      });
    });

    it('keeps the channel when processed audio is processed again', async () => {
      const context = await platform.open();
      const wav = wavFile([await said('anna', 4), await said('bruno', 4)], RATE);
      const { gkProcessedAudioId } = await platform.process(context, wav, channel(2));
      const again = await platform.post('/v1/audios/process', { context, gkProcessedAudioId });
      expect(again.body.result.audioDetails.selectedChannel).toEqual({ channel: 2 });
      const { body } = await platform.post(`/v1/voiceprints/${bruno.profile}/verification`, {
        context,
        gkProcessedAudioId: again.body.result.gkProcessedAudioId,
        // Ignored: what was processed stays what it was.
        ...channel(1),
      });
      expect(body.result.decision).toBe('DECISION_AUTHENTIC');
    });

    it('is ignored for one channel', async () => {
      const context = await platform.open();
      const { status, body } = await platform.verify(context, anna.profile, utterance('anna', 4), channel(2));
      expect(status).toBe(200);
      expect(body.result.decision).toBe('DECISION_AUTHENTIC');
      expect(body.result.audioDetails.mediaNumberOfChannels).toBe(1);
      expect(body.result.audioDetails.selectedChannel).toBeUndefined();
    });

    it('refuses a channel that the recording does not have', async () => {
      const context = await platform.open();
      const wav = wavFile([await said('anna', 4), await said('bruno', 4)], RATE);
      const { body } = await platform.verify(context, anna.profile, wav, channel(3));
      expect(body.status).toMatchObject({
        statusCode: 'INVALID_REQUEST',
        fieldViolations: [
          { field: expect.stringMatching(/channel_selector\.channel$/), violation: 'OUT_OF_RANGE' },
        ],
      });
      const beyond = await platform.verify(context, anna.profile, wav, channel(9));
      expect(beyond.body.status.fieldViolations[0].violation).toBe('OUT_OF_RANGE');
    });
  });
});
