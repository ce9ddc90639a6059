// Alarm lines of a tenant's own for synthetic speech, from outside: every operation has the same line for the same recording, says
// which it was, and telephones and microphones have one each.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavFile } from '../support/sounds.js';
import { voiceSamples } from '../support/speech.js';
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
        const told = details.filter(({ code }) => code === 'OWN_ALARM_LINE').map((detail) => detail.extras);
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
      for (const { evidence } of evidenceOf('CHANNEL_PLAYBACK'))
        expect(evidence).toMatchObject({ alarmRisk: 700, bandwidth });
    });
  });
});
