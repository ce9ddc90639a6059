// The nine operations from outside, with real audio through the real engine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

await forEachStore((store) => {
  let platform: Platform;
  let context: RequestContext;
  let anna: { profile: string; owner: string };
  let bruno: { profile: string; owner: string };

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    anna = await platform.printOf('anna');
    bruno = await platform.printOf('bruno');
    context = await platform.open();
  });
  afterAll(() => platform.stop());

  describe('Verify', () => {
    it('accepts the enrolled voice and fills every field of the result', async () => {
      const { status, body } = await platform.verify(context, anna.profile, utterance('anna', 4));
      expect(status).toBe(200);
      expect(body.status.statusCode).toBe('OK');
      const { result } = body;
      expect(result).toMatchObject({
        decision: 'DECISION_AUTHENTIC',
        reason: 'DECISION_REASON_VOICEPRINT_MATCH',
        voiceprintDetails: {
          gkVoiceprintProfileId: { value: anna.profile },
          gkOwnerId: { value: anna.owner },
          ownerType: 'OWNER_TYPE_PERSON',
          profileTag: 'main',
          printVersion: 1,
        },
      });
      expect(result.authenticationScore.biometricScore).toBeGreaterThan(0);
      expect(result.riskEngineResult.risk).toBeLessThanOrEqual(300);
      expect(result.riskEngineResult.reliability).toBeGreaterThanOrEqual(50);
      expect(result.voiceClassScore).toBeGreaterThanOrEqual(0);
      expect(result.gkProcessedAudioId.value).toMatch(/^[0-9a-f-]{36}$/);
      expect(result.gkCalibrationModelRevisionId.value).toMatch(/^[0-9a-f-]{36}$/);
      expect(result.audioDetails).toMatchObject({
        mediaNumberOfChannels: 1,
        processedAudioSamplingRateHz: 16000,
      });
    });

    it('refuses another voice, and the session says so', async () => {
      const own = await platform.open();
      const { body } = await platform.verify(own, anna.profile, utterance('bruno', 4));
      expect(body.result).toMatchObject({
        decision: 'DECISION_NO_MATCH',
        reason: 'DECISION_REASON_VOICEPRINT_NO_MATCH',
      });
      expect(body.result.authenticationScore.biometricScore).toBeLessThan(0);
      expect(await platform.decision(own)).toMatchObject({
        decision: 'DECISION_NO_MATCH',
        decisionReason: 'DECISION_REASON_NO_MATCH',
      });
    });

    it('answers from processed audio without processing again', async () => {
      const { gkProcessedAudioId } = await platform.process(context, utterance('anna', 5));
      const { body } = await platform.post(`/v1/voiceprints/${anna.profile}/verification`, {
        context,
        gkProcessedAudioId,
      });
      expect(body.result.decision).toBe('DECISION_AUTHENTIC');
      expect(body.result.gkProcessedAudioId).toEqual(gkProcessedAudioId);
    });

    it('never decides on what is no speech', async () => {
      const rate = 16000;
      const seconds = 6;
      const sounds: Record<string, (n: number) => number> = {
        silence: () => 0,
        tone: (n) => 0.3 * Math.sin((2 * Math.PI * 440 * n) / rate),
        noise: (n) => 0.2 * (((n * 7919 + 104729 * ((n >> 3) % 977)) % 2003) / 1001 - 1),
      };
      for (const [name, sound] of Object.entries(sounds)) {
        const wav = encodeWav(
          Float32Array.from({ length: rate * seconds }, (_, n) => sound(n)),
          rate,
        );
        const { status, body } = await platform.verify(context, anna.profile, wav);
        expect(status, name).toBe(200);
        expect(body.result.decision, name).toBe('DECISION_UNCERTAIN');
        expect(body.result.reason, name).toMatch(
          /AUDIO_TOO_SHORT|AUDIO_TOO_SOFT|AUDIO_TOO_NOISY|INVALID_AUDIO/,
        );
        expect(body.result.authenticationScore, name).toBeUndefined();
      }
    });

    it('says INVALID_AUDIO for bytes that are no audio, with status OK', async () => {
      const { status, body } = await platform.verify(
        context,
        anna.profile,
        new TextEncoder().encode('this is not audio'.repeat(20)),
      );
      expect(status).toBe(200);
      expect(body.result).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: 'DECISION_REASON_INVALID_AUDIO',
      });
    });

    it('refuses an untrained print, a locked one and an unknown one, each in its own words', async () => {
      await platform.createOwner(context, 'person', 'nobody');
      const empty = await platform.createProfile(context, 'person', 'nobody');
      const untrained = await platform.verify(context, empty, utterance('anna', 4));
      expect(untrained.status).toBe(400);
      expect(untrained.body.status.diagnosticDetails[0].code).toBe('PROFILE_NOT_TRAINED');

      await platform.server.rest('PUT', `/v1/voiceprints/profiles/${bruno.profile}/attributes/lock`, {
        body: { context, reason: 'lost phone' },
      });
      const locked = await platform.verify(context, bruno.profile, utterance('bruno', 4));
      expect(locked.status).toBe(403);
      expect(locked.body.status).toMatchObject({
        statusCode: 'PERMISSION_DENIED',
        diagnosticDetails: [{ code: 'PROFILE_LOCKED' }],
      });
      await platform.server.rest(
        'DELETE',
        `/v1/voiceprints/profiles/${bruno.profile}/attributes/lock?${platform.query(context)}`,
      );

      const unknown = await platform.verify(
        context,
        '00000000-0000-4000-8000-000000000000',
        utterance('bruno', 4),
      );
      expect(unknown.status).toBe(404);
    });

    it('locks after as many mismatches in a row as are allowed, and for good when somebody locks it then', async () => {
      const own = await Platform.on(platform.server, 'locks', { locks: { mismatchesMax: 2 } });
      const { profile } = await own.printOf('carl');
      const calls = await own.open();
      for (const _ of [1, 2]) await own.verify(calls, profile, utterance('dora', 4));
      const lock = async () =>
        (
          await own.server.rest(
            'GET',
            `/v1/voiceprints/profiles?${own.query(calls, { 'gkVoiceprintProfileId.value': profile })}`,
          )
        ).body.details.lockInfo;
      const itself = await lock();
      expect(itself).toMatchObject({
        status: 'LOCK_STATUS_LOCKED',
        mismatchCounter: 2,
        lockReason: 'LOCK_REASON_CONSECUTIVE_MISMATCHES',
        autoUnlockTimestamp: expect.any(String),
      });
      expect((await own.verify(calls, profile, utterance('carl', 4))).status).toBe(403);
      const locked = await own.server.rest('PUT', `/v1/voiceprints/profiles/${profile}/attributes/lock`, {
        body: { context: calls, reason: 'theft' },
      });
      expect(locked.status).toBe(200);
      const { autoUnlockTimestamp: _opens, ...stays } = itself;
      expect(await lock()).toEqual({
        ...stays,
        reason: 'theft',
        lockReason: 'LOCK_REASON_OTHER',
        lockedBy: expect.any(String),
      });
    });
  });

  describe('Enroll and Train', () => {
    it('reports each reason for not adding audio', async () => {
      await platform.createOwner(context, 'person', 'reasons');
      const profile = await platform.createProfile(context, 'person', 'reasons');
      const enroll = async (gkProcessedAudioId: { value: string }) =>
        (await platform.post(`/v1/voiceprints/${profile}/enrollment`, { context, gkProcessedAudioId })).body
          .result;

      const good = await platform.process(context, utterance('emil', 1), { isForEnrollment: true });
      expect(await enroll(good.gkProcessedAudioId)).toMatchObject({
        enrolled: true,
        reason: 'ENROLL_REASON_ENROLL_OK',
        enrollStatus: 'ENROLL_STATUS_TRAIN_NOT_POSSIBLE',
      });
      expect(await enroll(good.gkProcessedAudioId)).toMatchObject({
        enrolled: false,
        reason: 'ENROLL_REASON_ALREADY_ADDED',
      });

      const again = await platform.post('/v1/audios/process', {
        context,
        gkProcessedAudioId: good.gkProcessedAudioId,
      });
      expect(again.body.result.gkProcessedAudioId).not.toEqual(good.gkProcessedAudioId);
      expect(await enroll(again.body.result.gkProcessedAudioId)).toMatchObject({
        enrolled: false,
        reason: 'ENROLL_REASON_ALREADY_ADDED',
      });

      const silence = await platform.process(context, encodeWav(new Float32Array(48_000), 16_000), {
        isForEnrollment: true,
      });
      expect(await enroll(silence.gkProcessedAudioId)).toMatchObject({
        enrolled: false,
        reason: expect.stringMatching(/TOO_SHORT|MISSING_MODEL/),
      });

      const broken = await platform.process(context, new Uint8Array([1, 2, 3, 4]), { isForEnrollment: true });
      expect(broken.validity).toBe('REASON_INVALID_AUDIO');

      const media = { value: await platform.upload(context, utterance('emil', 2)) };
      const spoof = await platform.post('/v1/audios/spoofing', {
        context,
        gkMediaSegmentId: media,
        syntheticSpeechDetectionParameters: {},
      });
      expect(await enroll(spoof.body.audioDetails.gkProcessedAudioId)).toMatchObject({
        enrolled: false,
        reason: 'ENROLL_REASON_WRONG_PRINT_TYPE',
      });
    });

    it('leaves out the segment of another person, and a failed retraining keeps the template', async () => {
      await platform.createOwner(context, 'person', 'mixed');
      const profile = await platform.createProfile(context, 'person', 'mixed');
      for (const index of [1, 2, 3]) await platform.enroll(context, profile, utterance('dora', index));
      await platform.enroll(context, profile, utterance('fritz', 1));
      const trained = await platform.train(context, profile);
      expect(trained).toMatchObject({
        trainStatus: 'TRAIN_STATUS_TRAINED',
        reason: 'TRAIN_REASON_TRAIN_OK',
        totalSegments: 4,
        totalValidSegments: 3,
      });
      expect(trained.enrollmentSegmentsDetails[3]).toMatchObject({
        consistencyDecision: 'CONSISTENCY_DECISION_INCONSISTENT',
        usedForTrain: false,
      });
      expect(trained.voiceprintDetails.printVersion).toBe(1);

      const segments = await platform.server.rest(
        'GET',
        `/v1/voiceprints/profiles/${profile}/enrollment-segments?${platform.query(context)}`,
      );
      const [first, second] = segments.body.enrollmentSegmentsDetails;
      for (const segment of [first, second]) {
        await platform.server.rest(
          'DELETE',
          `/v1/voiceprints/profiles/${profile}/enrollment-segments/${segment.gkProcessedAudioId.value}?${platform.query(context)}`,
        );
      }
      const failed = await platform.train(context, profile);
      expect(failed).toMatchObject({
        trainStatus: 'TRAIN_STATUS_FAILED',
        reason: 'TRAIN_REASON_NOT_READY_TO_TRAIN',
      });
      expect((await platform.verify(context, profile, utterance('dora', 4))).body.result.decision).toBe(
        'DECISION_AUTHENTIC',
      );

      for (const index of [4, 5]) await platform.enroll(context, profile, utterance('dora', index));
      expect((await platform.train(context, profile)).voiceprintDetails.printVersion).toBe(2);
    });

    it('loses no segment when two calls enroll at once', async () => {
      await platform.createOwner(context, 'person', 'parallel');
      const profile = await platform.createProfile(context, 'person', 'parallel');
      const processed = [];
      for (const index of [1, 2, 3, 4])
        processed.push(await platform.process(context, utterance('emil', index), { isForEnrollment: true }));
      const results = await Promise.all(
        processed.map(({ gkProcessedAudioId }) =>
          platform.post(`/v1/voiceprints/${profile}/enrollment`, { context, gkProcessedAudioId }),
        ),
      );
      expect(results.map((answer) => answer.body.result.enrolled)).toEqual([true, true, true, true]);
      const status = await platform.server.rest(
        'GET',
        `/v1/voiceprints/${profile}/enrollment-status?${platform.query(context)}`,
      );
      expect(status.body).toMatchObject({ result: 'ENROLL_STATUS_TRAIN_POSSIBLE', isTrained: false });
      const versions = await Promise.all([
        platform.train(context, profile),
        platform.train(context, profile),
      ]);
      expect(versions.map((result) => result.voiceprintDetails.printVersion).sort()).toEqual([1, 2]);
    });
  });

  describe('Identify, DetectKnownFraudsters, AnalyzeAudio', () => {
    it('finds the speaker in a list and in a group, and says NO_SCORES for an empty one', async () => {
      const list = { uniqueIds: [{ value: anna.profile }, { value: bruno.profile }] };
      const gkMediaSegmentId = { value: await platform.upload(context, utterance('bruno', 5)) };
      const found = await platform.post('/v1/voiceprints/identification', {
        context,
        gkMediaSegmentId,
        gkVoiceprintProfileIds: list,
      });
      expect(found.body.result).toMatchObject({
        decision: 'DECISION_AUTHENTIC',
        voiceprintDetails: { gkVoiceprintProfileId: { value: bruno.profile } },
      });
      expect(found.body.result.voiceprintResults).toHaveLength(2);

      const group = (await platform.post('/v1/groups', { context, groupId: 'family' })).body.gkGroupId;
      const none = await platform.post('/v1/voiceprints/identification', {
        context,
        gkMediaSegmentId,
        group: { uniqueId: group },
      });
      expect(none.body.result).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: 'DECISION_REASON_NO_SCORES',
      });
      await platform.post(`/v1/groups/${group.value}/persons`, {
        context,
        gkPersonId: { value: bruno.owner },
      });
      const member = await platform.post('/v1/voiceprints/identification', {
        context,
        gkMediaSegmentId,
        group: { uniqueId: group, tag: 'main' },
      });
      expect(member.body.result.decision).toBe('DECISION_AUTHENTIC');
      const otherTag = await platform.post('/v1/voiceprints/identification', {
        context,
        gkMediaSegmentId,
        group: { uniqueId: group, tag: 'other' },
      });
      expect(otherTag.body.result.reason).toBe('DECISION_REASON_NO_SCORES');
    });

    it('detects a known fraudster, clears a stranger, and puts fraud first in the session', async () => {
      const fraudster = await platform.printOf('fritz', 'fraudster');
      const watchlist = (await platform.post('/v1/watchlists', { context, watchlistId: 'known' })).body
        .gkWatchlistId;
      await platform.post(`/v1/watchlists/${watchlist.value}/fraudsters`, {
        context,
        gkFraudsterId: { value: fraudster.owner },
      });
      const detect = async (session: RequestContext, bytes: Uint8Array) =>
        (
          await platform.post('/v1/voiceprints/known-fraudsters-detection', {
            context: session,
            gkMediaSegmentId: { value: await platform.upload(session, bytes) },
            watchlist: { uniqueId: watchlist },
          })
        ).body.result;

      const calm = await platform.open();
      expect(await detect(calm, utterance('anna', 4))).toMatchObject({
        decision: 'DECISION_NO_RISK_DETECTED',
        reason: 'DECISION_REASON_NO_RISK_DETECTED',
        numberOfPrints: 1,
      });
      expect(await platform.decision(calm)).toMatchObject({ decision: 'DECISION_NO_RISK_DETECTED' });

      const alarm = await platform.open();
      expect(await detect(alarm, utterance('fritz', 4))).toMatchObject({
        decision: 'DECISION_FRAUD',
        reason: 'DECISION_REASON_FRAUDSTER_INDICATION',
      });
      await platform.verify(alarm, anna.profile, utterance('anna', 4));
      expect(await platform.decision(alarm)).toMatchObject({
        decision: 'DECISION_FRAUD',
        decisionReason: 'DECISION_REASON_FRAUD_RISK',
      });

      const everything = await platform.post('/v1/voiceprints/audio-analysis', {
        context,
        gkMediaSegmentId: { value: await platform.upload(context, utterance('anna', 5)) },
        gkVoiceprintProfileIds: { uniqueIds: [{ value: anna.profile }] },
        watchlist: { uniqueId: watchlist },
        syntheticSpeechDetectionParameters: {},
        channelPlaybackDetectionParameters: {},
      });
      const { result } = everything.body;
      expect(result.authenticationResult).toMatchObject({
        decision: 'DECISION_AUTHENTIC',
        numberOfPersonsPrints: 1,
      });
      expect(result.fraudDetectionResult).toMatchObject({
        decision: 'DECISION_NO_RISK_DETECTED',
        numberOfFraudstersPrints: 1,
      });
      expect(result.syntheticSpeechResult.decision).toMatch(/DECISION_(FRAUD|UNCERTAIN|NO_RISK_DETECTED)/);
      expect(result.channelPlaybackResult.decision).toMatch(/DECISION_(FRAUD|UNCERTAIN|NO_RISK_DETECTED)/);
      expect(result.validity).toBe('REASON_AUDIO_OK');

      const consistency = await platform.post('/v1/voiceprints/watchlist:check-consistency', {
        context,
        watchlist: { uniqueId: watchlist },
      });
      expect(consistency.body).toMatchObject({
        totalNumberOfCompatiblePrints: 1,
        totalNumberOfIncompatiblePrints: 0,
      });
      expect(consistency.body.requiredCalibrationModel.gkCalibrationModelRevisionId.value).toMatch(
        /^[0-9a-f-]{36}$/,
      );
    });

    it('refuses a fraudster print among persons', async () => {
      const fraudster = await platform.printOf('carl', 'fraudster', 'carl-the-fraudster');
      const answer = await platform.post('/v1/voiceprints/identification', {
        context,
        gkMediaSegmentId: { value: await platform.upload(context, utterance('carl', 4)) },
        gkVoiceprintProfileIds: { uniqueIds: [{ value: fraudster.profile }] },
      });
      expect(answer.status).toBe(400);
      expect(answer.body.status.fieldViolations[0]).toMatchObject({ violation: 'FIELD_CONFLICT' });
    });
  });

  describe('mandatory fields', () => {
    const paths = [
      '/v1/audios/process',
      '/v1/voiceprints/x/enrollment',
      '/v1/voiceprints/x/training',
      '/v1/voiceprints/x/verification',
      '/v1/voiceprints/identification',
      '/v1/voiceprints/known-fraudsters-detection',
      '/v1/voiceprints/audio-analysis',
      '/v1/voiceprints/watchlist:check-consistency',
    ];

    it.each(paths)('%s names every missing context member', async (path) => {
      const ids = {
        gkMediaSegmentId: { value: 'm' },
        gkProcessedAudioId: undefined,
        gkVoiceprintProfileIds: { uniqueIds: [{ value: 'p' }] },
      };
      const body = path.endsWith('enrollment')
        ? { gkProcessedAudioId: { value: 'a' } }
        : path.includes('consistency')
          ? { gkVoiceprintProfileIds: ids.gkVoiceprintProfileIds }
          : ids;
      const answer = await platform.post(path, body);
      expect(answer.status).toBe(400);
      expect(answer.body.status.statusCode).toBe('INVALID_REQUEST');
      const fields: string[] = answer.body.status.fieldViolations.map(
        (violation: { field: string }) => violation.field.split('Request.')[1],
      );
      // What else is missing or misspelt is told with them.
      expect(fields.filter((field) => field.startsWith('context.'))).toEqual([
        'context.gk_engagement_id',
        'context.gk_session_id',
        'context.gk_scope_id',
        'context.configset_id',
      ]);
    });

    it('keeps tenants apart', async () => {
      const other = await Platform.on(platform.server, 'other-tenant');
      const theirs = await other.open();
      expect((await other.verify(theirs, anna.profile, utterance('anna', 4))).status).toBe(404);
      const media = { value: await platform.upload(context, utterance('anna', 4)) };
      expect(
        (await other.post('/v1/audios/process', { context: theirs, gkMediaSegmentId: media })).status,
      ).toBe(404);
      const mixed = { ...context, gkScopeId: theirs.gkScopeId };
      expect(
        (await other.post('/v1/audios/process', { context: mixed, gkMediaSegmentId: media })).status,
      ).toBe(404);
    });
  });
});
