// Every reason that a decision, an enrollment or a training can have, from outside with real audio: what the
// caller did wrong is told in the result, the status stays OK, and bad audio never passes for anybody.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultParameters } from '../../src/biometrics/model/parameters.js';
import type { DecisionRun } from '../../src/biometrics/operations/audio-input.js';
import { fewCandidates, type Candidate } from '../../src/biometrics/operations/candidates.js';
import { Comparison } from '../../src/biometrics/operations/score-candidates.js';
import { decideSession } from '../../src/biometrics/rules/session-decision.js';
import type { Factor } from '../../src/biometrics/model/sessions.js';
import { silentLog } from '../../src/platform.js';
import { replay } from '../../tools/attacks/replay.js';
import { seededRandom } from '../../src/voice/evaluation/metrics.js';
import type { SpeakerModel } from '../../src/voice/scoring/speaker-model.js';
import { createRng, music, silence, wavFile, whiteNoise } from '../support/sounds.js';
import { joined } from '../support/speech.js';
import { voiceSamples } from '../support/voice-samples.js';
import { Platform, forEachStore, fixture, utterance, type RequestContext } from './support.js';

await forEachStore((store) => {
  const rate = 16_000;
  let platform: Platform;
  let context: RequestContext;
  let anna: { profile: string; owner: string };
  let speech: Float32Array;

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    for (const [configsetId, parameters] of Object.entries({
      'sure-only': { authentication: { reliabilityMin: 100 }, fraudDetection: { reliabilityMin: 100 } },
      'quiet-only': { audio: { snrDbMinVerify: 20 } },
      'one-voice': { audio: { EnableSegmentation: true } },
      'two-segments': { enrollment: { segmentsMin: 1, segmentsOptimal: 2, segmentsMax: 2 } },
      'low-alarm': { attackChecks: { riskHigh: 1, reliabilityMin: 0 } },
      'high-alarm': { attackChecks: { riskHigh: 999, reliabilityMin: 0 } },
      'sure-attack-only': { attackChecks: { reliabilityMin: 100 } },
    }))
      await platform.configure(configsetId, parameters);
    anna = await platform.printOf('anna');
    context = await platform.open();
    speech = await voiceSamples('anna', 4);
  });
  afterAll(() => platform.stop());

  const wav = (samples: Float32Array) => wavFile([samples], rate);
  const scaled = (factor: number) => speech.map((value) => value * factor);
  const mixed = (noise: Float32Array) => speech.map((value, index) => value + (noise[index] ?? 0));
  const seconds = () => speech.length / rate;

  describe('Verify on audio that cannot be used', () => {
    const cases: [string, string, () => Uint8Array | Promise<Uint8Array>][] = [
      ['a second of speech', 'AUDIO_TOO_SHORT', () => wav(speech.subarray(0, rate))],
      ['music', 'AUDIO_TOO_SHORT', () => wav(music(8, createRng(5)))],
      ['silence', 'AUDIO_TOO_SOFT', () => wav(silence(6))],
      ['speech from far away', 'AUDIO_TOO_SOFT', () => wav(scaled(0.004))],
      ['clipped speech', 'AUDIO_TOO_LOUD', () => wav(scaled(40))],
      ['text', 'INVALID_AUDIO', () => new TextEncoder().encode('hello, this is no audio at all')],
      ['a WAV header alone', 'INVALID_AUDIO', () => wav(speech).subarray(0, 44)],
      ['half an Opus page', 'INVALID_AUDIO', () => utterance('anna', 4).subarray(0, 300)],
      ['a damaged FLAC', 'INVALID_AUDIO', () => fixture('formats', 'mono-16k.flac').fill(7, 20, 4000)],
    ];

    it.each(cases)('%s: %s', async (_name, reason, make) => {
      const own = await platform.open();
      const { status, body } = await platform.verify(own, anna.profile, await make());
      expect(status).toBe(200);
      expect(body.status.statusCode).toBe('OK');
      expect(body.result).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: `DECISION_REASON_${reason}`,
      });
      expect(body.result.authenticationScore).toBeUndefined();
      expect(body.result.riskEngineResult).toBeUndefined();
      expect(await platform.decision(own)).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        decisionReason: 'DECISION_REASON_BAD_AUDIO',
      });
      const processed = await platform.post('/v1/audios/process', {
        context: own,
        gkProcessedAudioId: body.result.gkProcessedAudioId,
      });
      expect(processed.body.result.validity).toBe(`REASON_${reason}`);
    });

    it('speech in more noise than the config set bears: AUDIO_TOO_NOISY', async () => {
      const own = await platform.open('quiet-only');
      const noisy = wav(mixed(whiteNoise(seconds(), createRng(3), rate, 0.05)));
      const { body } = await platform.verify(own, anna.profile, noisy);
      expect(body.result).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: 'DECISION_REASON_AUDIO_TOO_NOISY',
      });
      expect(body.result.audioDetails.snrDb).toBeLessThan(20);
      const quiet = await platform.verify(own, anna.profile, wav(speech));
      expect(quiet.body.result.reason).toBe('DECISION_REASON_VOICEPRINT_MATCH');
    });

    it('counts no mismatch for it', async () => {
      const query = platform.query(context, { 'gkVoiceprintProfileId.value': anna.profile });
      const { body } = await platform.server.rest('GET', `/v1/voiceprints/profiles?${query}`);
      expect(body.details.lockInfo?.mismatchCounter ?? 0).toBe(0);
    });

    it('says the same in every operation', async () => {
      const gkMediaSegmentId = {
        value: await platform.upload(context, wav(whiteNoise(4, createRng(1)))),
      };
      const gkVoiceprintProfileIds = { uniqueIds: [{ value: anna.profile }] };
      const body = { context, gkMediaSegmentId, gkVoiceprintProfileIds };
      const identified = (await platform.post('/v1/voiceprints/identification', body)).body.result;
      const analyzed = (
        await platform.post('/v1/voiceprints/audio-analysis', {
          ...body,
          syntheticSpeechDetectionParameters: {},
          channelPlaybackDetectionParameters: {},
        })
      ).body.result;
      const results = [
        identified,
        analyzed,
        analyzed.authenticationResult,
        analyzed.syntheticSpeechResult,
        analyzed.channelPlaybackResult,
      ];
      for (const result of results)
        expect(result).toMatchObject({
          decision: 'DECISION_UNCERTAIN',
          reason: 'DECISION_REASON_AUDIO_TOO_SHORT',
        });
      expect(analyzed.validity).toBe('REASON_AUDIO_TOO_SHORT');
    });
  });

  describe('Verify and Identify on good audio', () => {
    it('is LOW_RELIABILITY where the config set asks for more than the audio can give', async () => {
      const own = await platform.open('sure-only');
      const { body } = await platform.verify(own, anna.profile, utterance('anna', 4));
      expect(body.result).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: 'DECISION_REASON_LOW_RELIABILITY',
      });
      const { reliability } = body.result.riskEngineResult;
      expect(reliability).toBeLessThan(100);
      const measured = { value: String(reliability), limit: '100' };
      const measure = expect.stringMatching(/^(too_short|noise)$/);
      expect(body.status.diagnosticDetails).toEqual([
        { code: 'CHECK_UNRELIABLE', extras: { check: 'authentication', measure, ...measured } },
      ]);
      expect(await platform.decision(own)).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        decisionReason: 'DECISION_REASON_LOW_RELIABILITY',
      });
    });

    it('tells several speakers from one when segmentation is on', async () => {
      const own = await platform.open('one-voice');
      const both = wav(joined(speech, await voiceSamples('bruno', 4)));
      const processed = await platform.process(own, both);
      expect(processed.validity).toBe('REASON_MULTIPLE_SPEAKERS_DETECTED');
      expect(processed.audioDetails.numberOfDetectedSpeakers).toBe(2);
      expect(Math.abs(processed.audioDetails.segmentationScore)).toBeLessThanOrEqual(10);
      const { body } = await platform.verify(own, anna.profile, both);
      expect(body.result).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: 'DECISION_REASON_LOW_RELIABILITY',
      });
      expect(body.status.diagnosticDetails).toEqual([
        { code: 'CHECK_UNRELIABLE', extras: { check: 'authentication', measure: 'two_voices' } },
      ]);
      const alone = await platform.verify(own, anna.profile, utterance('anna', 4));
      expect(alone.body.result).toMatchObject({
        decision: 'DECISION_AUTHENTIC',
        reason: 'DECISION_REASON_VOICEPRINT_MATCH',
        audioDetails: { numberOfDetectedSpeakers: 1 },
      });
    });

    it('says NOT_ENOUGH_SEGMENTS when no listed print was ever trained, NO_SCORES when none is there', async () => {
      const own = await platform.open();
      await platform.createOwner(own, 'person', 'beginner');
      const untrained = await platform.createProfile(own, 'person', 'beginner');
      const gkMediaSegmentId = { value: await platform.upload(own, utterance('anna', 4)) };
      const ask = async (target: object) =>
        (await platform.post('/v1/voiceprints/identification', { context: own, gkMediaSegmentId, ...target }))
          .body.result;
      expect(await ask({ gkVoiceprintProfileIds: { uniqueIds: [{ value: untrained }] } })).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: 'DECISION_REASON_NOT_ENOUGH_SEGMENTS',
      });
      const group = (await platform.post('/v1/groups', { context: own, groupId: 'nobody' })).body.gkGroupId;
      expect(await ask({ group: { uniqueId: group } })).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: 'DECISION_REASON_NO_SCORES',
      });
      expect(await platform.decision(own)).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        decisionReason: 'DECISION_REASON_NO_AVAILABLE_SCORES',
      });
    });

    it('tells match from mismatch, and a known fraudster from a stranger', async () => {
      const known = await platform.printOf('carl', 'fraudster', 'carl-known');
      const list = (await platform.post('/v1/watchlists', { context, watchlistId: 'known' })).body
        .gkWatchlistId;
      await platform.post(`/v1/watchlists/${list.value}/fraudsters`, {
        context,
        gkFraudsterId: { value: known.owner },
      });
      const analyze = async (bytes: Uint8Array) => {
        const { result } = (
          await platform.post('/v1/voiceprints/audio-analysis', {
            context: await platform.open(),
            gkMediaSegmentId: { value: await platform.upload(context, bytes) },
            gkVoiceprintProfileIds: { uniqueIds: [{ value: anna.profile }] },
            watchlist: { uniqueId: list },
          })
        ).body;
        const reason = (value: { reason: string }) => value.reason.replace('DECISION_REASON_', '');
        return [reason(result), reason(result.authenticationResult), reason(result.fraudDetectionResult)];
      };
      expect(await analyze(utterance('anna', 5))).toEqual([
        'VOICEPRINT_MATCH',
        'VOICEPRINT_MATCH',
        'NO_RISK_DETECTED',
      ]);
      expect(await analyze(utterance('emil', 4))).toEqual([
        'VOICEPRINT_NO_MATCH',
        'VOICEPRINT_NO_MATCH',
        'NO_RISK_DETECTED',
      ]);
      expect(await analyze(utterance('carl', 4))).toEqual([
        'FRAUDSTER_INDICATION',
        'VOICEPRINT_NO_MATCH',
        'FRAUDSTER_INDICATION',
      ]);
    });

    it('is FAILED with INTERNAL_ERROR when the comparison itself breaks', async () => {
      const model = { revision: 'model-2' } as SpeakerModel;
      const voice = {
        embedding: new Float32Array(4),
        netMs: 5000,
        snrDb: 20,
        bandwidth: 'wide',
        modelRevision: 'model-2',
      };
      const damaged = {
        gkVoiceprintProfileId: 'p',
        trained: { template: { ...voice, modelRevision: 'model-1' } },
      };
      const run = {
        call: { log: silentLog },
        context: { parameters: defaultParameters },
        calibration: { model },
        prepared: { audio: { validity: 'AUDIO_OK', netAudioMs: 5000, model: { voice, checkpoints: [] } } },
      } as unknown as DecisionRun;
      const outcome = await new Comparison(run, {
        side: 'AUTHENTICATION',
        candidates: fewCandidates([damaged as unknown as Candidate]),
        ignoreCheckpoints: true,
      }).outcome(run.prepared.audio);
      expect(outcome).toMatchObject({ decision: 'FAILED', reason: 'INTERNAL_ERROR', scores: [] });
      const factor = { kind: 'AUTHENTICATION', decision: outcome.decision, reason: outcome.reason } as Factor;
      expect(decideSession([factor], defaultParameters)).toEqual({
        decision: 'FAILED',
        reason: 'INTERNAL_ERROR',
      });
    });
  });

  describe('the attack checks', () => {
    const check = async (configsetId: string) =>
      (
        await platform.post('/v1/audios/spoofing', {
          context: await platform.open(configsetId),
          gkMediaSegmentId: { value: await platform.upload(context, utterance('anna', 4)) },
          syntheticSpeechDetectionParameters: {},
          channelPlaybackDetectionParameters: {},
        })
      ).body;

    it('fire, clear or abstain by the risk and reliability that the config set names', async () => {
      const told = async (configsetId: string) => {
        const { syntheticSpeechDetectionResult: synthetic, channelPlaybackDetectionResult: playback } =
          await check(configsetId);
        return [synthetic, playback].map(({ decision, reason }) => `${decision} ${reason}`);
      };
      expect(await told('low-alarm')).toEqual([
        'DECISION_FRAUD DECISION_REASON_SYNTHETIC_SPEECH_DETECTED',
        'DECISION_FRAUD DECISION_REASON_PLAYBACK_INDICATION',
      ]);
      // The test voices are synthetic, and the detector is sure of it; played from a loudspeaker they are not.
      const [, playback] = await told('high-alarm');
      expect(playback).toBe('DECISION_NO_RISK_DETECTED DECISION_REASON_AUDIO_OK');
      const unsure = 'DECISION_UNCERTAIN DECISION_REASON_LOW_RELIABILITY';
      expect(await told('sure-attack-only')).toEqual([unsure, unsure]);
    });

    it('do not stand in for one another in a session', async () => {
      const own = await platform.open('sure-attack-only');
      const gkMediaSegmentId = { value: await platform.upload(own, utterance('anna', 4)) };
      const ask = async (configsetId: string, check: object) =>
        (
          await platform.post('/v1/audios/spoofing', {
            context: { ...own, configsetId },
            gkMediaSegmentId,
            ...check,
          })
        ).body;
      const heard = await ask('sure-attack-only', { syntheticSpeechDetectionParameters: {} });
      expect(heard.syntheticSpeechDetectionResult.decision).toBe('DECISION_UNCERTAIN');
      const played = await ask('high-alarm', { channelPlaybackDetectionParameters: {} });
      expect(played.channelPlaybackDetectionResult.decision).toBe('DECISION_NO_RISK_DETECTED');
      expect(await platform.decision(own)).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        decisionReason: 'DECISION_REASON_LOW_RELIABILITY',
      });
    });

    it('say that they are experimental, why they abstain, and where it sounds like an attack', async () => {
      const own = await platform.open('sure-attack-only');
      const asked = {
        context: own,
        gkMediaSegmentId: { value: await platform.upload(context, utterance('anna', 4)) },
        syntheticSpeechDetectionParameters: {},
        channelPlaybackDetectionParameters: {},
      };
      const detailsOf = async (path: string) =>
        (await platform.post(path, asked)).body.status.diagnosticDetails as {
          code: string;
          extras: Record<string, string>;
        }[];
      const told = await detailsOf('/v1/audios/spoofing');
      const checks = (code: string) =>
        told.filter((detail) => detail.code === code).map(({ extras }) => extras['check']);
      const both = ['synthetic_speech', 'channel_playback'];
      expect(checks('EXPERIMENTAL_CHECK')).toEqual(both);
      expect(new Set(checks('CHECK_UNRELIABLE'))).toEqual(new Set(both));
      expect(told.find(({ code }) => code === 'CHECK_UNRELIABLE')?.extras).toMatchObject({
        measure: 'reliability',
        limit: '100',
      });
      expect(await detailsOf('/v1/voiceprints/audio-analysis')).toEqual(told);
      const { body } = await platform.server.rest(
        'GET',
        `/v1/x/sessions/${own.gkSessionId?.value ?? ''}/timeline?${platform.query(own)}`,
      );
      const evidence = body.events.find(
        (event: { attributes?: Record<string, string> }) =>
          event.attributes?.['factor'] === 'SYNTHETIC_SPEECH',
      ).evidence;
      expect(evidence).toMatchObject({
        experimental: true,
        doubts: [{ measure: 'reliability', limit: 100 }],
      });
      expect(evidence.spans?.length ?? 0).toBe(checks('ATTACK_SPAN').length);
    });

    it('name the stretches that drove the score: without them it falls', { tags: 'slow' }, async () => {
      // A caller who speaks, and then lets a loudspeaker speak; the seed is that of one loudspeaker and room.
      const live = joined(await voiceSamples('bruno', 1), await voiceSamples('bruno', 2));
      const played = replay(live, seededRandom(3));
      const whole = joined(
        live,
        played.map((value) => value * 0.8),
      );
      const playback = async (samples: Float32Array) => {
        const { body } = await platform.post('/v1/audios/spoofing', {
          context: await platform.open(),
          gkMediaSegmentId: { value: await platform.upload(context, wav(samples)) },
          channelPlaybackDetectionParameters: {},
        });
        const details = body.status.diagnosticDetails as { code: string; extras: Record<string, string> }[];
        return {
          score: Number(body.channelPlaybackDetectionResult.score),
          spans: details
            .filter(({ code }) => code === 'ATTACK_SPAN')
            .map(({ extras }) => [Number(extras['start_ms']), Number(extras['end_ms'])] as const),
        };
      };
      const heard = await playback(whole);
      expect(heard.spans.length).toBeGreaterThan(0);
      const changeMs = (1000 * live.length) / rate;
      // Windows of 4 s: the first may begin before the loudspeaker does.
      for (const [startMs] of heard.spans) expect(startMs).toBeGreaterThan(changeMs - 4000);
      const isNamed = (index: number): boolean =>
        heard.spans.some(([start, end]) => (1000 * index) / rate >= start && (1000 * index) / rate < end);
      const without = await playback(whole.filter((_, index) => !isNamed(index)));
      expect(without.score).toBeLessThan(heard.score);
      expect(without.spans).toEqual([]);
    });

    it('alone in AnalyzeAudio say AUDIO_OK, fraud or nothing about the audio as a whole', async () => {
      const whole = async (configsetId: string) => {
        const { result } = (
          await platform.post('/v1/voiceprints/audio-analysis', {
            context: await platform.open(configsetId),
            gkMediaSegmentId: { value: await platform.upload(context, utterance('anna', 4)) },
            channelPlaybackDetectionParameters: {},
          })
        ).body;
        return [result.decision, result.reason, result.validity];
      };
      expect(await whole('high-alarm')).toEqual([
        'DECISION_NO_RISK_DETECTED',
        'DECISION_REASON_AUDIO_OK',
        'REASON_AUDIO_OK',
      ]);
      expect((await whole('low-alarm')).slice(0, 2)).toEqual([
        'DECISION_FRAUD',
        'DECISION_REASON_FRAUDSTER_INDICATION',
      ]);
      expect((await whole('sure-attack-only')).slice(0, 2)).toEqual([
        'DECISION_UNCERTAIN',
        'DECISION_REASON_LOW_RELIABILITY',
      ]);
    });
  });

  describe('Enroll and Train', () => {
    it('refuses a segment when the print is full', async () => {
      const own = await platform.open('two-segments');
      await platform.createOwner(own, 'person', 'full');
      const profile = await platform.createProfile(own, 'person', 'full');
      const results = [];
      for (const index of [1, 2, 3])
        results.push(await platform.enroll(own, profile, utterance('dora', index)));
      expect(results.map(({ enrolled, enrollStatus }) => [enrolled, enrollStatus])).toEqual([
        [true, expect.stringMatching(/TRAIN_NOT_POSSIBLE|TRAIN_POSSIBLE/)],
        [true, 'ENROLL_STATUS_FULL'],
        [false, 'ENROLL_STATUS_FULL'],
      ]);
      const { body } = await platform.server.rest(
        'GET',
        `/v1/voiceprints/profiles/${profile}/enrollment-segments?${platform.query(own)}`,
      );
      expect(body.enrollmentSegmentsDetails).toHaveLength(2);
    });

    it('fails with INCONSISTENCY when the segments are of different people', async () => {
      await platform.createOwner(context, 'person', 'crowd');
      const profile = await platform.createProfile(context, 'person', 'crowd');
      for (const voice of ['anna', 'bruno', 'fritz'] as const)
        await platform.enroll(context, profile, utterance(voice, 1));
      const result = await platform.train(context, profile);
      expect(result).toMatchObject({
        trainStatus: 'TRAIN_STATUS_FAILED',
        reason: 'TRAIN_REASON_INCONSISTENCY',
        status: 'VOICEPRINT_PROFILE_STATUS_NOT_TRAINED',
        totalSegments: 3,
        minSegmentsRequired: 3,
      });
      const refused = await platform.verify(context, profile, utterance('anna', 4));
      expect(refused.body.status.diagnosticDetails[0].code).toBe('PROFILE_NOT_TRAINED');
    });
  });
});
