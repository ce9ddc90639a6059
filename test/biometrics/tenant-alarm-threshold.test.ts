// Alarm thresholds of a tenant's own for synthetic speech, from outside: every operation has the same line for the same recording, says
// which it was, and telephones and microphones have one each.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavFile } from '../support/sounds.js';
import { voiceSamples } from '../support/voice-samples.js';
import { Platform, forEachStore } from './support.js';

interface Detail {
  code: string;
  extras: Record<string, string>;
}

await forEachStore((store) => {
  let platform: Platform;
  const lines = { syntheticRiskHighNarrow: 999, syntheticRiskHighWide: 1 };

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    await platform.configure('both-lines', { attackChecks: { ...lines, reliabilityMin: 0 } });
  });
  afterAll(() => platform.stop());

  const wide = async () => wavFile([await voiceSamples('anna', 4)], 16_000);
  const narrow = async () => {
    const samples = await voiceSamples('anna', 4);
    const half = Float32Array.from({ length: samples.length >> 1 }, (_, place) => {
      const [one = 0, other = 0] = samples.subarray(2 * place, 2 * place + 2);
      return (one + other) / 2;
    });
    return wavFile([half], 8000);
  };

  describe('lines from stored calls', () => {
    const propose = (more: object = {}) =>
      platform.post('/v1/x/accuracy/alarm-thresholds', {
        context: { gkScopeId: { value: platform.gkScopeId }, configsetId: 'both-lines' },
        ...more,
      });

    it('take the word of the tenant, and say which calls count and what is missing', async () => {
      const refused = await propose();
      expect(refused.status).toBe(403);
      expect(refused.body.status.diagnosticDetails).toMatchObject([{ code: 'CALLERS_NOT_ALLOWED' }]);
      await platform.configure('SCOPE', { calibration: { useCallers: true } });
      const wrong = await propose({ targetFalseAlarmRate: 0.2 });
      expect(wrong.status).toBe(400);
      expect(JSON.stringify(wrong.body.status)).toContain('target_false_alarm_rate');
      const recording = await narrow();
      for (const ani of ['', '+49 30 5550123', '030 5550123']) {
        const scope = { gkScopeId: { value: platform.gkScopeId }, configsetId: 'both-lines' };
        const { body } = await platform.post('/v1/sessions/start', {
          context: scope,
          sessionType: 2,
          details: { ani },
        });
        const context = { ...scope, gkSessionId: body.gkSessionId, gkEngagementId: body.gkEngagementId };
        const checked = await platform.post('/v1/audios/spoofing', {
          context,
          gkMediaSegmentId: { value: await platform.upload(context, recording) },
          syntheticSpeechDetectionParameters: {},
        });
        expect(checked.status).toBe(200);
      }
      const { body } = await propose();
      expect(body).toMatchObject({ configsetId: 'both-lines', calls: 3, callsPerCaller: 1 });
      // One number, however it is written, counts once.
      expect(body.excluded).toEqual([
        { reason: 'CALLER_COUNTED', calls: 1 },
        { reason: 'UNKNOWN_CALLER', calls: 1 },
      ]);
      expect(body.lines).toMatchObject([
        { bandwidth: 'narrow', calls: 1, callers: 1, callsOfAll: 3, callsNeeded: 99, callersNeeded: 20 },
      ]);
      expect(body.lines[0].proposed).toBeUndefined();
      const kept = await propose({ save: true });
      expect(kept.status).toBe(400);
      expect(kept.body.status.diagnosticDetails).toMatchObject([{ code: 'TOO_FEW_CALLERS' }]);
    });
  });

  describe('a line of its own for each bandwidth', () => {
    it.each([
      ['wide', wide, { check: 'synthetic_speech', risk: '1', bandwidth: 'wide', shipped: '700' }],
      ['narrow', narrow, { check: 'synthetic_speech', risk: '999', bandwidth: 'narrow', shipped: '700' }],
    ] as const)('%s: told by every operation and in the session', async (bandwidth, make, extras) => {
      const context = await platform.open('both-lines');
      const asked = {
        context,
        gkMediaSegmentId: { value: await platform.upload(context, await make()) },
        syntheticSpeechDetectionParameters: {},
        channelPlaybackDetectionParameters: {},
      };
      for (const path of ['/v1/audios/spoofing', '/v1/voiceprints/audio-analysis']) {
        const { body } = await platform.post(path, asked);
        const details = body.status.diagnosticDetails as Detail[];
        const told = details
          .filter(({ code }) => code === 'TENANT_ALARM_THRESHOLD')
          .map((detail) => detail.extras);
        expect(told, path).toEqual([extras]);
        const { decision, result } = body.syntheticSpeechDetectionResult ?? body.result.syntheticSpeechResult;
        expect(decision === 'DECISION_FRAUD', path).toBe(result.risk >= Number(extras.risk));
        // What raised an alarm is named.
        if (decision === 'DECISION_FRAUD')
          expect(details.filter(({ code }) => code === 'ATTACK_SPAN')).not.toEqual([]);
      }
      const { body } = await platform.server.rest(
        'GET',
        `/v1/x/sessions/${context.gkSessionId?.value ?? ''}/timeline?${platform.query(context)}`,
      );
      type Event = { attributes?: Record<string, string>; evidence?: object };
      const evidenceOf = (factor: string) =>
        (body.events as Event[]).filter(({ attributes }) => attributes?.['factor'] === factor);
      expect(evidenceOf('SYNTHETIC_SPEECH').map(({ evidence }) => evidence)).toMatchObject(
        Array(2).fill({ alarmRisk: Number(extras.risk), bandwidth }),
      );
      // The check for playback is not made in the band of a telephone, so it has no line there.
      const line = bandwidth === 'narrow' ? {} : { alarmRisk: 700 };
      for (const { evidence } of evidenceOf('CHANNEL_PLAYBACK'))
        expect(evidence).toMatchObject({ ...line, bandwidth });
    });
  });
});
