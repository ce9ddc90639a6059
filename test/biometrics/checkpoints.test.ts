// How much of the audio an operation uses: checkpoints that end a comparison early, the cap of enrollment audio,
// and the channel of a stereo recording. The audit record says how much speech a decision rests on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavFile } from '../support/sounds.js';
import { joined, voiceSamples } from '../support/speech.js';
import { Platform, utterance, type RequestContext, type VoiceName } from './support.js';

const RATE = 16_000;
let platform: Platform;
let anna: { profile: string };
let bruno: { profile: string };

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

beforeAll(async () => {
  platform = await Platform.start();
  await platform.configure('capped', { audio: { speechSecondsMaxForEnrollment: 4 } });
  await platform.configure('no-checkpoints', { authentication: { checkpointsForAuthentication: [] } });
  anna = await platform.printOf('anna');
  bruno = await platform.printOf('bruno');
});
afterAll(() => platform.stop());

describe('checkpoints', () => {
  it('end a verification at the first sure match, unless they are ignored or not configured', async () => {
    const wav = await long('anna');
    const context = await platform.open();
    const early = await platform.verify(context, anna.profile, wav);
    expect(early.body.result.decision).toBe('DECISION_AUTHENTIC');
    const netMs = seconds(early.body.result.audioDetails.netAudio) * 1000;
    const stopped = await lastDecision(context);
    expect(netMs).toBeGreaterThan(12_000);
    expect(stopped.netSpeechMs).toBeGreaterThanOrEqual(2999);
    expect(stopped.netSpeechMs).toBeLessThan(10_500);

    const whole = await platform.verify(context, anna.profile, wav, { ignoreCheckpoints: true });
    expect(whole.body.result.decision).toBe('DECISION_AUTHENTIC');
    expect((await lastDecision(context)).netSpeechMs).toBeCloseTo(netMs, -1);
    expect(whole.body.result.authenticationScore.biometricScore).not.toBe(
      early.body.result.authenticationScore.biometricScore,
    );

    const plain = await platform.open('no-checkpoints');
    await platform.verify(plain, anna.profile, wav);
    expect((await lastDecision(plain)).netSpeechMs).toBeCloseTo(netMs, -1);
  });

  it('never end it for a stranger: all speech is heard before NO_MATCH', async () => {
    const context = await platform.open();
    const { body } = await platform.verify(context, anna.profile, await long('bruno'));
    expect(body.result.decision).toBe('DECISION_NO_MATCH');
    expect((await lastDecision(context)).netSpeechMs).toBeCloseTo(
      seconds(body.result.audioDetails.netAudio) * 1000,
      -1,
    );
  });

  it('hold for processed audio as well, and for Identify', async () => {
    const context = await platform.open();
    const { gkProcessedAudioId } = await platform.process(context, await long('anna'));
    const ask = (more: object) =>
      platform.post('/v1/voiceprints/identification', {
        context,
        gkProcessedAudioId,
        gkVoiceprintProfileIds: { uniqueIds: [{ value: anna.profile }, { value: bruno.profile }] },
        ...more,
      });
    const early = await ask({});
    expect(early.body.result.decision).toBe('DECISION_AUTHENTIC');
    const stopped = (await lastDecision(context)).netSpeechMs;
    await ask({ ignoreCheckpoints: true });
    expect((await lastDecision(context)).netSpeechMs).toBeGreaterThan(stopped);
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
