// More audio never weakens a finding: somebody who speaks for a part of the recording is found in that part, with and
// without checkpoints, in new and in processed audio.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { Decision } from '../../src/gen/vendor/biosec/v1/common_pb.js';
import { DecisionReason } from '../../src/gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { wavFile } from '../support/sounds.js';
import { joined } from '../support/speech.js';
import { voiceSamples } from '../support/voice-samples.js';
import { forEachStore, Platform, type RequestContext, type VoiceName } from './support.js';

const RATE = 16_000;
let platform: Platform;
let anna: { profile: string };
let carl: { profile: string };
let context: RequestContext;

/** So many seconds of a voice, sentence after sentence, from the given one on. */
async function said(voice: VoiceName, first: number, seconds: number): Promise<Float32Array> {
  const parts: Float32Array[] = [];
  for (let at = 0, turn = first - 1; at < seconds * RATE; turn++) {
    const part = await voiceSamples(voice, (turn % 5) + 1);
    parts.push(part);
    at += part.length;
  }
  return joined(...parts).subarray(0, seconds * RATE);
}

const recording = async (...parts: Promise<Float32Array>[]): Promise<Uint8Array> =>
  wavFile([joined(...(await Promise.all(parts)))], RATE);

const verify = async (wav: Uint8Array, more: object = {}) =>
  (await platform.verify(context, anna.profile, wav, more)).body.result;

async function detect(wav: Uint8Array, more: object = {}) {
  const gkMediaSegmentId = { value: await platform.upload(context, wav) };
  const gkVoiceprintProfileIds = { uniqueIds: [{ value: carl.profile }] };
  const path = '/v1/voiceprints/known-fraudsters-detection';
  return (await platform.post(path, { context, gkMediaSegmentId, gkVoiceprintProfileIds, ...more })).body
    .result;
}

/** What the session's timeline tells of its last decision. */
async function lastAttributes(of: RequestContext): Promise<Record<string, string>> {
  const answer = await platform.server.rest(
    'GET',
    `/v1/x/sessions/${of.gkSessionId?.value}/timeline?${platform.query(of)}`,
  );
  return answer.body.events.filter((event: { isFactor: boolean }) => event.isFactor).at(-1).attributes;
}

await forEachStore((store) => {
  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    await platform.configure('lax', { authentication: { stretchLlrMin: -20 } });
    anna = await platform.printOf('anna');
    carl = await platform.printOf('carl', 'fraudster');
    context = await platform.open();
  });
  afterAll(() => platform.stop());

  describe('a stranger before the owner', () => {
    const mixed = () => recording(said('emil', 1, 14), said('anna', 4, 6));

    it.each([{}, { ignoreCheckpoints: true }])('is never AUTHENTIC (%j)', async (more) => {
      const result = await verify(await mixed(), more);
      expect(['DECISION_UNCERTAIN', 'DECISION_NO_MATCH']).toContain(result.decision);
    });

    it('is LOW_RELIABILITY, and the trail tells where, when the whole would have matched', async () => {
      const session = await platform.open();
      const wav = await recording(said('emil', 1, 8), said('anna', 4, 14));
      const { result, status } = (
        await platform.verify(session, anna.profile, wav, { ignoreCheckpoints: true })
      ).body;
      expect(result).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: 'DECISION_REASON_LOW_RELIABILITY',
      });
      expect(status.diagnosticDetails).toMatchObject([
        { code: 'CHECK_UNRELIABLE', extras: { check: 'authentication', measure: 'two_voices', limit: '-1' } },
      ]);
      expect(await platform.decision(session)).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        status: {
          diagnosticDetails: [
            { code: 'SESSION_ASSESSMENT', extras: { headline: 'UNCERTAIN', tone: 'WARNING' } },
            {
              code: 'HEADLINE_CAUSE',
              extras: { check: 'AUTHENTICATION', reason: 'SPEAKER_CHANGED', measures: 'two_voices' },
            },
          ],
        },
      });
      const { stretchFromMs, stretchToMs, stretchScore } = await lastAttributes(session);
      expect(Number(stretchFromMs)).toBeLessThan(2000);
      expect(Number(stretchToMs)).toBeLessThan(10_000);
      expect(Number(stretchScore)).toBeLessThan(0);
      // The same without the say of the stretches: so it is they that made the difference.
      const lax = await platform.open('lax');
      const whole = await platform.verify(lax, anna.profile, wav, { ignoreCheckpoints: true });
      expect(whole.body.result.decision).toBe('DECISION_AUTHENTIC');
    });

    it('is found in processed audio and over gRPC as well', async () => {
      const wav = await recording(said('emil', 1, 8), said('anna', 4, 14));
      const { gkProcessedAudioId } = await platform.process(context, wav);
      const answer = await platform.server.grpc(VoiceprintsProcessor).verify({
        context,
        gkVoiceprintProfileId: { value: anna.profile },
        audio: { case: 'gkProcessedAudioId', value: gkProcessedAudioId },
        ignoreCheckpoints: true,
      });
      expect(answer.result?.decision).toBe(Decision.UNCERTAIN);
      expect(answer.result?.reason).toBe(DecisionReason.LOW_RELIABILITY);
    });

    it('does not keep the owner alone from being AUTHENTIC', async () => {
      const result = await verify(await recording(said('anna', 4, 20)), { ignoreCheckpoints: true });
      expect(result.decision).toBe('DECISION_AUTHENTIC');
    });
  });

  describe('a fraudster', () => {
    it.each([
      ['first, with checkpoints', 12, 24, {}],
      ['first, without', 12, 24, { ignoreCheckpoints: true }],
    ])('who speaks %s is FRAUD', async (_name, fraud, other, more) => {
      const result = await detect(await recording(said('carl', 4, fraud), said('emil', 1, other)), more);
      expect(result).toMatchObject({
        decision: 'DECISION_FRAUD',
        reason: 'DECISION_REASON_FRAUDSTER_INDICATION',
        voiceprintDetails: { gkVoiceprintProfileId: { value: carl.profile } },
      });
      expect(result.riskEngineResult.risk).toBeGreaterThanOrEqual(700);
    });

    it('who speaks last is FRAUD, and the trail tells where', async () => {
      const session = await platform.open();
      const wav = await recording(said('emil', 1, 40), said('carl', 4, 9));
      const gkMediaSegmentId = { value: await platform.upload(session, wav) };
      const { result } = (
        await platform.post('/v1/voiceprints/known-fraudsters-detection', {
          context: session,
          gkMediaSegmentId,
          gkVoiceprintProfileIds: { uniqueIds: [{ value: carl.profile }] },
        })
      ).body;
      expect(result.decision).toBe('DECISION_FRAUD');
      const { stretchFromMs, stretchScore } = await lastAttributes(session);
      expect(Number(stretchFromMs)).toBeGreaterThan(30_000);
      expect(Number(stretchScore)).toBeGreaterThan(0);
    });

    it('is not seen in somebody else', async () => {
      const result = await detect(await recording(said('emil', 1, 36)), { ignoreCheckpoints: true });
      expect(result.decision).toBe('DECISION_NO_RISK_DETECTED');
    });
  });
});
