// What an integrator may rely on: fraudsters are no people, a new caller needs no preparation, a print is made only
// from audio that is good enough, and repeating oneself does no harm. Over both transports, on both databases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VoiceprintsManager } from '../../src/gen/vendor/biosec/v1/voiceprint/manager_pb.js';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { resample } from '../../src/voice/resample.js';
import { createRng, wavFile, whiteNoise } from '../support/sounds.js';
import { voiceSamples } from '../support/voice-samples.js';
import { asker, id, resultOf, transports } from './asking.js';
import type { Transport } from './calls.js';
import type { Json } from './requests.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';
import { describeUploads } from './uploads.js';

const RATE_HZ = 16_000;
const ask = { processor: asker(VoiceprintsProcessor), manager: asker(VoiceprintsManager) };

await forEachStore((store) => {
  let platform: Platform;
  let context: RequestContext;
  let anna: { profile: string; owner: string };
  let carl: { profile: string; owner: string };
  let watchlist: { value: string };

  const processor = (transport: Transport, name: string, request: Json, own = context) =>
    ask.processor(platform, transport, name, request, own);
  const manager = (transport: Transport, name: string, request: Json, own = context) =>
    ask.manager(platform, transport, name, request, own);

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    await platform.configure('known-people-only', { enrollment: { createMissingPersons: false } });
    await platform.configure('full-at-three', { enrollment: { segmentsOptimal: 3, segmentsMax: 3 } });
    await platform.configure('one-is-enough', {
      enrollment: { segmentsMin: 1, segmentsOptimal: 1, netSpeechSecondsMin: 1, netSpeechSecondsOptimal: 1 },
    });
    await platform.configure('quiet-enrollment', { audio: { snrDbMinEnroll: 40 } });
    anna = await platform.printOf('anna');
    carl = await platform.printOf('carl', 'fraudster');
    context = await platform.open();
    watchlist = (await platform.post('/v1/watchlists', { context, watchlistId: 'known' })).body.gkWatchlistId;
    await platform.post(`/v1/watchlists/${watchlist.value}/fraudsters`, {
      context,
      gkFraudsterId: id(carl.owner),
    });
  });
  afterAll(() => platform.stop());

  describe('fraudster prints are not people', () => {
    it.each(transports)('Verify refuses one over %s', async (transport) => {
      const answer = await processor(transport, 'Verify', {
        gk_voiceprint_profile_id: id(carl.profile),
        gk_media_segment_id: id(await platform.upload(context, utterance('carl', 4))),
      });
      expect(answer).toMatchObject({
        code: 'INVALID_REQUEST',
        fields: ['gk_voiceprint_profile_id'],
        violations: ['FIELD_CONFLICT'],
      });
    });

    it.each(transports)(
      'a lock does not take one out of detection, and counts tell what was compared, over %s',
      async (transport) => {
        await platform.server.rest('PUT', `/v1/voiceprints/profiles/${carl.profile}/attributes/lock`, {
          body: { context, reason: 'by mistake' },
        });
        const audio = { gk_media_segment_id: id(await platform.upload(context, utterance('carl', 4))) };
        for (const target of [
          { watchlist: { unique_id: watchlist } },
          { gk_voiceprint_profile_ids: { unique_ids: [id(carl.profile)] } },
        ])
          expect(
            resultOf(await processor(transport, 'DetectKnownFraudsters', { ...audio, ...target })),
          ).toMatchObject({ decision: 'DECISION_FRAUD', numberOfPrints: 1 });
        const unfit = { gk_media_segment_id: id(await platform.upload(context, new Uint8Array(200))) };
        const nothing = await processor(transport, 'DetectKnownFraudsters', {
          ...unfit,
          watchlist: { unique_id: watchlist },
        });
        expect(resultOf(nothing)['numberOfPrints'] ?? 0).toBe(0);
      },
    );

    it.each(transports)('AnalyzeAudio takes both kinds in its list over %s', async (transport) => {
      const answer = await processor(transport, 'AnalyzeAudio', {
        gk_media_segment_id: id(await platform.upload(context, utterance('carl', 4))),
        gk_voiceprint_profile_ids: { unique_ids: [id(anna.profile), id(carl.profile), id(carl.profile)] },
      });
      expect(resultOf(answer)).toMatchObject({
        decision: 'DECISION_FRAUD',
        authenticationResult: { decision: 'DECISION_NO_MATCH', numberOfPersonsPrints: 1 },
        fraudDetectionResult: { decision: 'DECISION_FRAUD', numberOfFraudstersPrints: 1 },
      });
    });
  });

  describe('a new caller', () => {
    it.each(transports)('is enrolled in the steps of the specification over %s', async (transport) => {
      const owner = { person_id: `new-${transport}`, tag: 'main' };
      const asked = await manager(transport, 'GetGkVoiceprintProfileId', { owner });
      expect(asked.code).toBe('OK');
      expect(asked.body['gkVoiceprintProfileId']).toBeUndefined();
      const made = await manager(transport, 'CreateVoiceprintProfile', { owner });
      expect(made.code).toBe('OK');
      const again = await manager(transport, 'GetGkVoiceprintProfileId', { owner });
      expect(again.body['gkVoiceprintProfileId']).toEqual(made.body['gkVoiceprintProfileId']);
      const status = await processor(transport, 'GetEnrollStatus', {
        gk_voiceprint_profile_id: made.body['gkVoiceprintProfileId'],
      });
      expect(status.body).toMatchObject({ result: 'ENROLL_STATUS_TRAIN_NOT_POSSIBLE', isTrained: false });
    });

    it.each(transports)('is nobody yet, by whichever ID, over %s', async (transport) => {
      const unknown = '6f1f0a52-3c1e-4c39-8d5c-0a6f5a4b9c11';
      for (const owner of [
        { gk_person_id: id(unknown), tag: 'main' },
        { gk_fraudster_id: id(unknown) },
        { fraudster_id: 'nobody' },
      ]) {
        const asked = await manager(transport, 'GetGkVoiceprintProfileId', { owner });
        expect(asked.code).toBe('OK');
        expect(asked.body['gkVoiceprintProfileId']).toBeUndefined();
      }
    });

    it.each(transports)('has an ID that can be seen, over %s', async (transport) => {
      for (const owner of [
        { gk_person_id: id('   ') },
        { person_id: ' ' },
        { person_id: '\u00a0' },
        { person_id: '\u200b' },
        { person_id: 'anna\u200b' },
      ])
        for (const operation of ['GetGkVoiceprintProfileId', 'CreateVoiceprintProfile']) {
          const asked = await manager(transport, operation, { owner: { ...owner, tag: 'main' } });
          const [field] = Object.keys(owner);
          expect([owner, asked.code, asked.fields]).toEqual([owner, 'INVALID_REQUEST', [`owner.${field}`]]);
        }
    });

    it.each(transports)('is refused where the config set says so, over %s', async (transport) => {
      const own = await platform.open('known-people-only');
      const owner = { person_id: `unwanted-${transport}`, tag: 'main' };
      const made = await manager(transport, 'CreateVoiceprintProfile', { owner }, own);
      expect(made).toMatchObject({ code: 'NOT_FOUND', fields: ['owner.person_id'] });
    });

    it('is made once, however many ask at the same time', async () => {
      const owner = (tag: string) => ({ person_id: 'twins', tag });
      const made = await Promise.all(
        ['one', 'two', 'three'].map((tag) =>
          manager('gRPC', 'CreateVoiceprintProfile', { owner: owner(tag) }),
        ),
      );
      expect(made.map(({ code }) => code)).toEqual(['OK', 'OK', 'OK']);
    });

    it('is no fraudster: those are made by hand', async () => {
      const owner = { fraudster_id: 'nobody', tag: 'main' };
      expect(await manager('REST', 'CreateVoiceprintProfile', { owner })).toMatchObject({
        code: 'NOT_FOUND',
      });
    });
  });

  describe('Enroll', () => {
    const enroll = async (transport: Transport, profile: string, audio: unknown, own = context) =>
      resultOf(
        await processor(
          transport,
          'Enroll',
          { gk_voiceprint_profile_id: id(profile), gk_processed_audio_id: audio },
          own,
        ),
      );
    const newPrint = async (name: string) => platform.createProfile(context, 'person', name);

    it.each(transports)('takes only what ProcessAudio has processed, over %s', async (transport) => {
      const profile = await newPrint(`checked-${transport}`);
      const recording = { gk_media_segment_id: id(await platform.upload(context, utterance('anna', 4))) };
      const list = { unique_ids: [id(anna.profile)] };
      const checks: Json = {
        Verify: { gk_voiceprint_profile_id: id(anna.profile) },
        Identify: { gk_voiceprint_profile_ids: list, ignore_checkpoints: true },
        DetectKnownFraudsters: { watchlist: { unique_id: watchlist } },
        AnalyzeAudio: { gk_voiceprint_profile_ids: list },
      };
      for (const [name, more] of Object.entries(checks)) {
        const checked = resultOf(await processor(transport, name, { ...recording, ...(more as Json) }));
        expect(await enroll(transport, profile, checked['gkProcessedAudioId']), name).toMatchObject({
          enrolled: false,
          reason: 'ENROLL_REASON_WRONG_PRINT_TYPE',
          audioDetails: { gkMediaSegmentId: recording.gk_media_segment_id },
        });
      }
      const processed = resultOf(await processor(transport, 'ProcessAudio', recording));
      const audio = processed['gkProcessedAudioId'];
      // A check that uses it as it is does not change whose work it was.
      const checked = resultOf(
        await processor(transport, 'Verify', {
          gk_processed_audio_id: audio,
          gk_voiceprint_profile_id: id(anna.profile),
        }),
      );
      expect(checked['gkProcessedAudioId']).toEqual(audio);
      expect(await enroll(transport, profile, audio)).toMatchObject({ enrolled: true });
    });

    it.each(transports)(
      'holds audio that was not processed for enrollment to its gates over %s',
      async (transport) => {
        const speech = await voiceSamples('anna', 4);
        const hiss = whiteNoise(speech.length / RATE_HZ, createRng(3), RATE_HZ, 0.01);
        const noisy = wavFile([speech.map((value, index) => value + (hiss[index] ?? 0))], RATE_HZ);
        const own = await platform.open('quiet-enrollment');
        const processed = await platform.process(own, noisy);
        expect(processed.validity).toBe('REASON_AUDIO_OK');
        const answer = await enroll(
          transport,
          await newPrint(`noisy-${transport}`),
          processed.gkProcessedAudioId,
          own,
        );
        expect(answer).toMatchObject({ enrolled: false, reason: 'ENROLL_REASON_MISSING_MODEL' });
      },
    );

    it.each(transports)('counts a recording once, in whichever file it comes, over %s', async (transport) => {
      const profile = await newPrint(`repeats-${transport}`);
      const speech = await voiceSamples('bruno', 2);
      const first = await platform.process(context, wavFile([speech], RATE_HZ));
      expect(await enroll(transport, profile, first.gkProcessedAudioId)).toMatchObject({ enrolled: true });
      const copies = {
        'in stereo': wavFile([speech, speech], RATE_HZ),
        'half as loud': wavFile([speech.map((value) => value / 2)], RATE_HZ),
        'begun a moment later': wavFile([speech.subarray(RATE_HZ / 10)], RATE_HZ),
        'without its first half second': wavFile([speech.subarray(RATE_HZ / 2)], RATE_HZ),
        'at 8 kHz': wavFile([resample(speech, RATE_HZ, 8000)], 8000),
        'at 11,025 Hz, cut and soft': wavFile(
          [resample(speech.subarray(7000, 62_000), RATE_HZ, 11_025).map((value) => value / 3)],
          11_025,
        ),
      };
      for (const [what, bytes] of Object.entries(copies)) {
        const { gkProcessedAudioId } = await platform.process(context, bytes);
        expect(await enroll(transport, profile, gkProcessedAudioId), what).toMatchObject({
          enrolled: false,
          reason: 'ENROLL_REASON_ALREADY_ADDED',
        });
      }
      const another = await platform.process(context, utterance('bruno', 3));
      expect(await enroll(transport, profile, another.gkProcessedAudioId)).toMatchObject({ enrolled: true });
    });

    it.each(transports)('tells unreadable audio from too little speech over %s', async (transport) => {
      const profile = await newPrint(`reasons-${transport}`);
      const speech = await voiceSamples('bruno', 2);
      const unreadable = await platform.process(context, new TextEncoder().encode('no audio'.repeat(40)));
      const short = await platform.process(context, wavFile([speech.subarray(0, RATE_HZ)], RATE_HZ));
      expect((await enroll(transport, profile, unreadable.gkProcessedAudioId))['reason']).toBe(
        'ENROLL_REASON_MISSING_MODEL',
      );
      expect((await enroll(transport, profile, short.gkProcessedAudioId))['reason']).toBe(
        'ENROLL_REASON_TOO_SHORT',
      );
    });

    it.each(transports)('gives a reason when the print is full over %s', async (transport) => {
      const own = await platform.open('full-at-three');
      const full = await newPrint(`full-${transport}`);
      for (const index of [1, 2, 3]) await platform.enroll(own, full, utterance('anna', index));
      const { gkProcessedAudioId } = await platform.process(context, utterance('anna', 4));
      expect(await enroll(transport, full, gkProcessedAudioId, own)).toMatchObject({
        enrolled: false,
        enrollStatus: 'ENROLL_STATUS_FULL',
        reason: 'ENROLL_REASON_PRINT_FULL',
      });
    });
  });

  describe('Train', () => {
    const train = async (transport: Transport, profile: string, own = context) =>
      resultOf(await processor(transport, 'Train', { gk_voiceprint_profile_id: id(profile) }, own));
    type Segment = { consistencyDecision?: string; consistencyScore?: number; usedForTrain: boolean };
    const judged = (segments: Segment[]) =>
      segments.map(({ consistencyDecision = 'CONSISTENCY_DECISION_UNSPECIFIED', consistencyScore }) => [
        consistencyDecision.replace('CONSISTENCY_DECISION_', ''),
        consistencyScore !== undefined,
      ]);

    it.each(transports)(
      'does not judge a segment that is compared with nothing, over %s',
      async (transport) => {
        const own = await platform.open('one-is-enough');
        const alone = await platform.createProfile(context, 'person', `alone-${transport}`);
        await platform.enroll(own, alone, utterance('anna', 1));
        const trained = await train(transport, alone, own);
        expect(trained).toMatchObject({ trainStatus: 'TRAIN_STATUS_TRAINED', totalValidSegments: 1 });
        expect(judged(trained['enrollmentSegmentsDetails'])).toEqual([['UNSPECIFIED', false]]);
        // What it was once judged is forgotten with what it was compared with.
        await platform.enroll(own, alone, utterance('anna', 2));
        const both = await train(transport, alone, own);
        expect(judged(both['enrollmentSegmentsDetails'])).toEqual(Array(2).fill(['CONSISTENT', true]));
        await manager(
          transport,
          'RemoveEnrollmentSegment',
          {
            gk_voiceprint_profile_id: id(alone),
            gk_processed_audio_id: both['enrollmentSegmentsDetails'][0].gkProcessedAudioId,
          },
          own,
        );
        expect(judged((await train(transport, alone, own))['enrollmentSegmentsDetails'])).toEqual([
          ['UNSPECIFIED', false],
        ]);
      },
    );

    it.each(transports)('counts only what made a template, over %s', async (transport) => {
      const crowd = await platform.createProfile(context, 'person', `crowd-${transport}`);
      for (const voice of ['anna', 'bruno', 'fritz'] as const)
        await platform.enroll(context, crowd, utterance(voice, 1));
      const failed = await train(transport, crowd);
      expect(failed).toMatchObject({
        trainStatus: 'TRAIN_STATUS_FAILED',
        reason: 'TRAIN_REASON_INCONSISTENCY',
        totalSegments: 3,
        totalValidSegments: 0,
        totalNetAudio: '0s',
      });
      const details = failed['enrollmentSegmentsDetails'] as Segment[];
      expect(details.map(({ usedForTrain }) => usedForTrain)).toEqual([false, false, false]);
      expect(judged(details).sort()).toEqual([
        ['INCONSISTENT', true],
        ['INCONSISTENT', true],
        ['UNSPECIFIED', false],
      ]);
    });
  });

  describe('small promises', () => {
    it.each(transports)(
      'one of several mandatory fields is asked for as such, over %s',
      async (transport) => {
        const refused = await processor(transport, 'Identify', {});
        const { fieldViolations } = refused.body['status'] as { fieldViolations: { message: string }[] };
        const audio = 'exactly one of gk_media_segment_id or gk_processed_audio_id is mandatory';
        const target = 'exactly one of gk_voiceprint_profile_ids or group is mandatory';
        expect(fieldViolations.map(({ message }) => message)).toEqual([audio, audio, target, target]);
      },
    );

    it.each(transports)('is_trained is false while the print is locked, over %s', async (transport) => {
      const trained = async () =>
        (await processor(transport, 'GetEnrollStatus', { gk_voiceprint_profile_id: id(anna.profile) })).body[
          'isTrained'
        ];
      const lock = `/v1/voiceprints/profiles/${anna.profile}/attributes/lock`;
      expect(await trained()).toBe(true);
      await platform.server.rest('PUT', lock, { body: { context, reason: 'lost phone' } });
      expect(await trained()).toBe(false);
      await platform.server.rest('DELETE', `${lock}?${platform.query(context)}`);
      expect(await trained()).toBe(true);
    });

    it.each([
      ['/gkid', 'owner.person_id=anna&owner.fraudster_id=carl&owner.tag=main', 'owner.fraudster_id'],
      ['/gkid', 'owner.gkPersonId.value=a&owner.personId=anna&owner.tag=main', 'owner.person_id'],
      ['', 'owner_and_tag.person_id=anna&gk_voiceprint_profile_id.value=x', 'gk_voiceprint_profile_id'],
    ])('a query names one of a choice: %s?%s', async (path, query, field) => {
      const url = `/v1/voiceprints/profiles${path}?${platform.query(context)}&${query}`;
      const { status, body } = await platform.server.rest('GET', url);
      expect([status, body.status]).toMatchObject([
        400,
        {
          statusCode: 'BAD_REQUEST',
          fieldViolations: [{ field: expect.stringContaining(field), violation: 'FIELD_CONFLICT' }],
        },
      ]);
    });

    it.each(transports)('a channel that the media does not have is refused over %s', async (transport) => {
      const speech = await voiceSamples('anna', 4);
      const gkMediaSegmentId = await platform.upload(context, wavFile([speech, speech], RATE_HZ));
      const ask = (channel: number) =>
        processor(transport, 'ProcessAudio', {
          gk_media_segment_id: id(gkMediaSegmentId),
          channel_selector: { channel },
        });
      expect((await ask(2)).code).toBe('OK');
      expect(await ask(3)).toMatchObject({
        code: 'INVALID_REQUEST',
        fields: ['channel_selector.channel'],
        violations: ['OUT_OF_RANGE'],
      });
    });

    it.each(transports)(
      'a list may be long, and naming a print twice is naming it once, over %s',
      async (transport) => {
        const answer = await processor(transport, 'Identify', {
          gk_media_segment_id: id(await platform.upload(context, utterance('anna', 4))),
          gk_voiceprint_profile_ids: { unique_ids: Array.from({ length: 150 }, () => id(anna.profile)) },
        });
        expect(resultOf(answer)).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
        expect(resultOf(answer)['voiceprintResults']).toHaveLength(1);
      },
    );
  });

  it.each(transports)('a channel beside processed audio is ignored, over %s', async (transport) => {
    const { gkProcessedAudioId } = await platform.process(context, utterance('anna', 5));
    const answer = await processor(transport, 'Verify', {
      gk_voiceprint_profile_id: id(anna.profile),
      gk_processed_audio_id: gkProcessedAudioId,
      channel_selector: { channel: 9 },
    });
    expect(answer.code).toBe('OK');
  });

  it('an owner that is missing is named with the members that would name one', async () => {
    const answer = await manager('gRPC', 'CreateVoiceprintProfile', {});
    const members = ['gk_person_id', 'person_id', 'gk_fraudster_id', 'fraudster_id'];
    expect(answer.fields).toEqual(
      expect.arrayContaining(['owner', ...members.map((member) => `owner.${member}`)]),
    );
  });

  describeUploads(() => ({ platform, context }));
});
