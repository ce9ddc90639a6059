// Readable audio beyond a limit: high and low sampling rates are resampled, and whatever is refused names the limit. Over both
// transports, on both databases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { resample } from '../../src/voice/resample.js';
import { tone, wavFile } from '../support/sounds.js';
import { voiceSamples } from '../support/voice-samples.js';
import { asker, id, resultOf, transports } from './asking.js';
import type { Outcome } from './calls.js';
import { Platform, forEachStore, type RequestContext } from './support.js';

const RATE_HZ = 16_000;
const ask = asker(VoiceprintsProcessor);

/** Mu-law at 8 kHz, which keeps an hour small. */
function silentMinutes(minutes: number): Uint8Array {
  const bytes = Buffer.alloc(44 + minutes * 60 * 8000, 0xff);
  Buffer.from(wavFile([tone(300, 0.1, 8000)], 8000)).copy(bytes, 0, 0, 44);
  bytes.writeUInt16LE(7, 20);
  bytes.writeUInt32LE(8000, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.writeUInt32LE(bytes.length - 44, 40);
  return bytes;
}

const diagnostics = ({ body }: Outcome) =>
  ((body['status'] as { diagnosticDetails?: object[] }).diagnosticDetails ?? []) as object[];

await forEachStore((store) => {
  let platform: Platform;
  let context: RequestContext;
  let anna: { profile: string };

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    await platform.configure('brief', { audio: { mediaMinutesMax: 0.1 } });
    anna = await platform.printOf('anna');
    context = await platform.open();
  });
  afterAll(() => platform.stop());

  describe.each(transports)('over %s', (transport) => {
    const verify = (media: string, own = context) =>
      ask(
        platform,
        transport,
        'Verify',
        { gk_voiceprint_profile_id: id(anna.profile), gk_media_segment_id: id(media) },
        own,
      );

    it.each([6000, 7350, 88_200, 96_000, 192_000])('a recording at %d Hz is heard', async (rateHz) => {
      const speech = resample(await voiceSamples('anna', 4), RATE_HZ, rateHz);
      const verified = await verify(await platform.upload(context, wavFile([speech], rateHz)));
      expect(resultOf(verified)).toMatchObject({
        decision: 'DECISION_AUTHENTIC',
        audioDetails: { mediaSamplingRateHz: rateHz },
      });
      expect(diagnostics(verified)).toEqual([]);
    });

    it('a recording at 5 kHz is refused with the limits, and as long as it is', async () => {
      const media = await platform.upload(context, wavFile([tone(300, 3, 5000)], 5000));
      const verified = await verify(media);
      expect(resultOf(verified)).toMatchObject({
        reason: 'DECISION_REASON_INVALID_AUDIO',
        audioDetails: { grossAudio: '3s', mediaSamplingRateHz: 5000 },
      });
      expect(diagnostics(verified)).toEqual([
        {
          code: 'AUDIO_OUT_OF_BOUNDS',
          extras: { measure: 'sampling_rate_hz', value: '5000', min: '6000', max: '192000' },
        },
      ]);
    });

    it('a recording of 65 minutes is refused with the limit, again when it is named as processed audio', async () => {
      const media = await platform.upload(context, silentMinutes(65));
      const processed = await ask(
        platform,
        transport,
        'ProcessAudio',
        { gk_media_segment_id: id(media) },
        context,
      );
      const tooLong = [
        {
          code: 'AUDIO_OUT_OF_BOUNDS',
          extras: {
            measure: 'duration_s',
            value: '3900',
            max: '3600',
            parameter: 'audio.mediaMinutesMax',
          },
        },
      ];
      expect(resultOf(processed)).toMatchObject({
        validity: 'REASON_INVALID_AUDIO',
        audioDetails: { grossAudio: '3900s' },
      });
      expect(diagnostics(processed)).toEqual(tooLong);
      const again = { gk_processed_audio_id: resultOf(processed)['gkProcessedAudioId'] };
      const group = { gk_voiceprint_profile_ids: { unique_ids: [id(anna.profile)] } };
      for (const [name, target] of [
        ['Verify', { gk_voiceprint_profile_id: id(anna.profile) }],
        ['Identify', group],
        ['AnalyzeAudio', group],
      ] as const) {
        const asked = { ...again, ...target };
        expect(diagnostics(await ask(platform, transport, name, asked, context)), name).toEqual(tooLong);
      }
    });

    it('a limit of the config set is the one that is named', async () => {
      const own = await platform.open('brief');
      const media = await platform.upload(own, wavFile([tone(300, 9, 8000)], 8000));
      expect(diagnostics(await verify(media, own))).toMatchObject([
        { extras: { measure: 'duration_s', value: '9', max: '6' } },
      ]);
    });
  });
});
