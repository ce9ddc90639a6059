// Sessions, people, media, reports, config sets, calibration and audit, from outside.
import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SessionsManager } from '../../src/gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { Platform, forEachStore, fixture, utterance, type RequestContext } from './support.js';

await forEachStore((store) => {
  let platform: Platform;
  let context: RequestContext;
  const rest = (method: string, path: string, body?: object) =>
    platform.server.rest(method, path, body ? { body } : {});

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    context = await platform.open();
  });
  afterAll(() => platform.stop());

  async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
    for (let tries = 0; tries < 200; tries++) {
      const found = await look();
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('it did not happen');
  }

  describe('engagements and sessions', () => {
    it('answers the same over gRPC, REST and the legacy path', async () => {
      const engagement = await rest('PUT', '/v1/engagements/start', {
        context: { gkScopeId: context.gkScopeId },
        details: { engagementId: 'call-1', correlationId: 'corr' },
      });
      const id = engagement.body.gkEngagementId.value as string;
      const query = `context.gk_scope_id.value=${platform.gkScopeId}&gk_engagement_id.value=${id}`;
      const v1 = await rest('GET', `/v1/engagements/details?${query}`);
      const legacy = await rest('GET', `/vendor/biosec/v1/engagements/details?${query}`);
      expect(legacy.body.details).toEqual(v1.body.details);
      const grpc = await platform.server
        .grpc(SessionsManager)
        .getEngagementDetails({ context: { gkScopeId: context.gkScopeId }, gkEngagementId: { value: id } });
      expect(grpc.details).toMatchObject({ engagementId: 'call-1', correlationId: 'corr', isActive: true });
      const found = await rest(
        'GET',
        `/v1/engagements/call-1/gkid?context.gk_scope_id.value=${platform.gkScopeId}`,
      );
      expect(found.body.gkEngagementId.value).toBe(id);
      const correlated = await rest(
        'GET',
        `/v1/engagements/correlations/corr?context.gk_scope_id.value=${platform.gkScopeId}`,
      );
      expect(correlated.body.engagements).toHaveLength(1);
    });

    it('keeps details, verdict and decision; stops once and for all', async () => {
      const own = await platform.open();
      const patch = await rest('PATCH', '/v1/sessions/details', {
        context: own,
        details: { ani: '+49301234', isSuspicious: true },
        fieldMask: { paths: ['details.ani', 'is_suspicious'] },
      });
      expect(patch.status).toBe(200);
      const details = (await rest('GET', `/v1/sessions/details?${platform.query(own)}`)).body.details;
      expect(details).toMatchObject({
        ani: '+49301234',
        isSuspicious: true,
        isActive: true,
        sessionType: 'SESSION_TYPE_IVR',
      });
      expect(await platform.decision(own)).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        decisionReason: 'DECISION_REASON_NO_DATA',
      });

      await rest('PUT', '/v1/engagements/verdict', {
        context: own,
        verdict: 'ENGAGEMENT_VERDICT_FRAUD',
        description: 'reviewed',
        amount: '900',
      });
      const engagement = (await rest('GET', `/v1/engagements/details?${platform.query(own)}`)).body.details;
      expect(engagement.verdictInfo).toMatchObject({
        verdict: 'ENGAGEMENT_VERDICT_FRAUD',
        amount: '900',
        description: 'reviewed',
      });

      for (const _ of [1, 2])
        expect((await platform.post('/v1/sessions/stop', { context: own })).status).toBe(200);
      expect((await platform.post('/v1/engagements/stop', { context: own })).status).toBe(200);
      const late = await platform.post('/v1/audios/upload-url', { context: own, container: 'CONTAINER_WAV' });
      expect(late.status).toBe(400);
      expect(late.body.status.diagnosticDetails[0].code).toMatch(/_OVER$/);
    });

    it('ends idle sessions by itself', async () => {
      const hour = 3_600_000;
      let now = Date.now();
      const clocked = await Platform.start({
        config: await store.settings(),
        overrides: { clock: { now: () => now } },
      });
      try {
        const own = await clocked.open();
        now += 40 * 60_000;
        expect(
          (await clocked.post('/v1/audios/upload-url', { context: own, container: 'CONTAINER_WAV' })).body
            .status.diagnosticDetails[0].code,
        ).toBe('SESSION_OVER');
        now += 5 * hour;
        expect(
          (await clocked.post('/v1/sessions/start', { context: own, sessionType: 2 })).body.status
            .diagnosticDetails[0].code,
        ).toBe('ENGAGEMENT_OVER');
      } finally {
        await clocked.stop();
      }
    });

    it('names the field that is wrong', async () => {
      const noType = await platform.post('/v1/sessions/start', { context });
      expect(noType.body.status.fieldViolations[0]).toMatchObject({
        field: expect.stringMatching(/session_type$/),
        violation: 'MANDATORY_FIELD_MISSING',
      });
      const mask = await rest('PATCH', '/v1/sessions/details', {
        context,
        details: { ani: '1' },
        fieldMask: 'nonsense',
      });
      expect(mask.body.status.fieldViolations[0].field).toMatch(/field_mask$/);
      const long = await platform.post('/v1/persons', { context, personId: 'x'.repeat(129) });
      expect(long.body.status.fieldViolations[0]).toMatchObject({ violation: 'TOO_LONG' });
    });
  });

  describe('people and sets of people', () => {
    it('creates, finds, renames, updates and deletes', async () => {
      const gkId = await platform.createOwner(context, 'person', 'maria');
      expect((await platform.post('/v1/persons', { context, personId: 'maria' })).status).toBe(409);
      const scope = `context.gk_scope_id.value=${platform.gkScopeId}`;
      expect((await rest('GET', `/v1/persons/maria/gkid?${scope}`)).body.gkPersonId.value).toBe(gkId);
      await rest('PATCH', `/v1/persons/${gkId}`, {
        context,
        details: { firstName: 'Maria', phoneNumbers: ['1', '2'] },
        fieldMask: 'firstName,phoneNumbers',
      });
      await rest('PATCH', `/v1/persons/${gkId}/person_id`, { context, newPersonId: 'maria-2' });
      expect((await rest('GET', `/v1/persons/${gkId}?${scope}`)).body.details).toMatchObject({
        personId: 'maria-2',
        firstName: 'Maria',
        phoneNumbers: ['1', '2'],
      });
      const group = (await platform.post('/v1/groups', { context, groupId: 'g' })).body.gkGroupId.value;
      await platform.post(`/v1/groups/${group}/persons`, { context, gkPersonId: { value: gkId } });
      expect((await rest('GET', `/v1/groups/${group}/persons/${gkId}/member?${scope}`)).body.isInGroup).toBe(
        true,
      );
      await platform.post(`/v1/groups/${group}/persons:batchDelete`, {
        context,
        gkPersonIds: [{ value: gkId }],
      });
      expect((await rest('GET', `/v1/groups/${group}/persons?${scope}`)).body.gkPersonId ?? []).toEqual([]);
      await rest('DELETE', `/v1/persons/${gkId}?${platform.query(context)}`);
      expect((await rest('GET', `/v1/persons/${gkId}?${scope}`)).status).toBe(404);
    });

    it('deletes the prints of who opts out, and enrolls nobody without consent', async () => {
      const { profile, owner } = await platform.printOf('emil', 'person', 'opt-out');
      await rest('PUT', `/v1/persons/${owner}/optout`, { context, reason: 'no thanks', daysForOptIn: 30 });
      const scope = `context.gk_scope_id.value=${platform.gkScopeId}`;
      const { consentInfo } = (await rest('GET', `/v1/persons/${owner}?${scope}`)).body.details;
      expect(consentInfo).toMatchObject({ status: 'CONSENT_STATUS_OPTED_OUT', reason: 'no thanks' });
      expect(Date.parse(consentInfo.optInTime)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
      // Once more, without a word or with others: what was said first stands, and nobody may be asked sooner.
      const after = async (said: object) => {
        const again = await rest('PUT', `/v1/persons/${owner}/optout`, { context, ...said });
        expect(again.status).toBe(200);
        return (await rest('GET', `/v1/persons/${owner}?${scope}`)).body.details.consentInfo;
      };
      expect(await after({})).toEqual(consentInfo);
      expect(await after({ reason: 'moved', daysForOptIn: 0 })).toEqual(consentInfo);
      const { optInTime, ...rested } = await after({ reason: 'never again', daysForOptIn: 365 });
      expect(Date.parse(optInTime)).toBeGreaterThan(Date.now() + 364 * 86_400_000);
      expect({ ...rested, optInTime: consentInfo.optInTime }).toEqual(consentInfo);
      const trail = await rest('GET', `/v1/x/audit/records?${scope}&page_size=4`);
      expect(
        (trail.body.records as { operation: string; recordAsJson: string }[])
          .filter(({ operation }) => operation === 'OptPersonOut')
          .map(({ recordAsJson }) => /"alreadyOptedOut":true/.test(recordAsJson)),
      ).toEqual([true, true, true, false]);
      expect(
        (await rest('GET', `/v1/voiceprints/profiles?${scope}&gk_voiceprint_profile_id.value=${profile}`))
          .status,
      ).toBe(404);
      const refused = await platform.post('/v1/voiceprints/profiles', {
        context,
        owner: { personId: 'opt-out', tag: 'again' },
      });
      expect(refused.body.status.diagnosticDetails[0].code).toBe('PERSON_OPTED_OUT');
    });

    it('erases personal data and leaves the proof in the audit trail', async () => {
      const owner = await platform.createOwner(context, 'person', 'erase-me');
      const started = await platform.post('/v1/sessions/start', {
        context: { gkScopeId: context.gkScopeId, configsetId: platform.configsetId },
        sessionType: 2,
        details: { claimedGkPersonId: { value: owner } },
      });
      const own = {
        ...context,
        gkSessionId: started.body.gkSessionId,
        gkEngagementId: started.body.gkEngagementId,
      };
      const erased = await platform.upload(own, utterance('emil', 1));
      const held = await platform.upload(own, utterance('emil', 2));
      await rest('PATCH', `/v1/mediasegments/${held}`, {
        context: own,
        details: { legalHold: true },
        fieldMask: 'legalHold',
      });
      expect(
        (await rest('DELETE', `/v1/persons/${owner}/personal-data?${platform.query(context)}`)).status,
      ).toBe(200);
      const scope = `context.gk_scope_id.value=${platform.gkScopeId}`;
      await until(async () =>
        (await rest('GET', `/v1/persons/${owner}?${scope}`)).status === 404 ? true : undefined,
      );
      expect((await rest('GET', `/v1/mediasegments/${erased}?${scope}`)).status).toBe(404);
      expect((await rest('GET', `/v1/mediasegments/${held}?${scope}`)).body.details.legalHold).toBe(true);
    });
  });

  describe('media', () => {
    it('takes an upload once, through an address that cannot be changed', async () => {
      const { mediaUploadUrl } = (
        await platform.post('/v1/audios/upload-url', { context, container: 'CONTAINER_WAV' })
      ).body;
      const bytes = fixture('formats', 'pcm-s16-16k.wav');
      const forged = await fetch(mediaUploadUrl.replace(/signature=..../, 'signature=AAAA'), {
        method: 'PUT',
        body: new Uint8Array(bytes),
      });
      expect(forged.status).toBe(403);
      const first = await fetch(mediaUploadUrl, { method: 'PUT', body: new Uint8Array(bytes) });
      expect(await first.json()).toEqual({
        size_bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
      const other = await fetch(mediaUploadUrl, { method: 'PUT', body: new Uint8Array(bytes).reverse() });
      expect(other.status).toBe(409);
    });

    it('plays back as WAV what was uploaded as anything', async () => {
      const media = await platform.upload(context, fixture('formats', 'stereo-48k.opus'));
      const { mediaDownloadUrl } = (
        await platform.post('/v1/audios/download-url', {
          context,
          gkMediaSegmentId: { value: media },
          channelSelector: { channel: 1 },
        })
      ).body;
      const answer = await fetch(mediaDownloadUrl);
      expect(answer.headers.get('content-type')).toBe('audio/wav');
      expect(
        Buffer.from(await answer.arrayBuffer())
          .subarray(0, 4)
          .toString(),
      ).toBe('RIFF');
      // Who has listened to what is on record.
      const query = `context.gkScopeId.value=${platform.gkScopeId}&recordType=RECORD_TYPE_MEDIA_EVENT&subjectId=${media}&pageSize=100`;
      const { records } = (await platform.server.rest('GET', `/v1/x/audit/records?${query}`)).body;
      const told = records.map(({ recordAsJson }: { recordAsJson: string }) => JSON.parse(recordAsJson));
      expect(told).toContainEqual(
        expect.objectContaining({ operation: 'GetDownloadUrl', detail: { channel: '1' } }),
      );
    });

    it('hands a plain WAV back byte for byte, and says when a recording cannot be played', async () => {
      const play = async (bytes: Uint8Array, upload: object = { container: 'CONTAINER_WAV' }) => {
        const media = await platform.upload(context, bytes, upload);
        const { mediaDownloadUrl } = (
          await platform.post('/v1/audios/download-url', { context, gkMediaSegmentId: { value: media } })
        ).body;
        const answer = await fetch(mediaDownloadUrl);
        return { answer, body: Buffer.from(await answer.arrayBuffer()) };
      };
      const wav = fixture('formats', 'pcm-s16-16k.wav');
      const plain = await play(wav);
      expect(plain.body.equals(Buffer.from(wav))).toBe(true);
      expect(plain.answer.headers.get('content-length')).toBe(String(wav.length));
      const raw = await play(fixture('formats', 'mulaw-8k.raw'), {
        container: 'CONTAINER_RAW',
        format: { ulaw: {} },
      });
      // 16-bit samples behind a header, one for each byte that came.
      expect(raw.body.length).toBe(44 + 2 * fixture('formats', 'mulaw-8k.raw').length);
      expect(raw.body.readUInt32LE(24)).toBe(8000);
      const broken = await play(
        new TextEncoder().encode('no audio at all, but many words about it'.repeat(3)),
      );
      expect(broken.answer.status).toBe(400);
      expect(broken.body.toString()).toContain('cannot be played');
    });

    it.each([
      'mono-16k.flac',
      'mono-16k.mp3',
      'mono-16k.ogg',
      'mono-16k.opus',
      'opus-mono.webm',
      'alaw-8k.wav',
      'mulaw-8k.wav',
      'pcm-s24-16k.wav',
    ])('processes %s', async (file) => {
      const result = await platform.process(context, fixture('formats', file));
      expect(result.validity).toMatch(/^REASON_AUDIO_(OK|TOO_SHORT)$/);
      expect(result.audioDetails.mediaSamplingRateHz).toBeGreaterThanOrEqual(8000);
    });

    it('reads headerless audio by the format it is told', async () => {
      const media = await platform.upload(context, fixture('formats', 'mulaw-8k.raw'), {
        container: 'CONTAINER_RAW',
        format: { ulaw: {} },
      });
      const { result } = (
        await platform.post('/v1/audios/process', { context, gkMediaSegmentId: { value: media } })
      ).body;
      expect(result.audioDetails).toMatchObject({ mediaSamplingRateHz: 8000, mediaNumberOfChannels: 1 });
      const untold = await platform.post('/v1/audios/upload-url', { context, container: 'CONTAINER_RAW' });
      expect(untold.body.status.fieldViolations[0].field).toMatch(/format$/);
    });

    it('refuses to delete what is held or enrolled', async () => {
      await platform.createOwner(context, 'person', 'holder');
      const profile = await platform.createProfile(context, 'person', 'holder');
      const processed = await platform.process(context, utterance('carl', 1), { isForEnrollment: true });
      await platform.post(`/v1/voiceprints/${profile}/enrollment`, {
        context,
        gkProcessedAudioId: processed.gkProcessedAudioId,
      });
      const path = `/v1/mediasegments/${processed.gkMediaSegmentId.value}?${platform.query(context)}`;
      const enrolled = await rest('DELETE', path);
      expect(enrolled.status).toBe(403);
      expect(enrolled.body.status.diagnosticDetails[0].code).toBe('MEDIA_ENROLLED');
      await rest('DELETE', `/v1/voiceprints/profiles/${profile}?${platform.query(context)}`);
      expect((await rest('DELETE', path)).status).toBe(200);
    });
  });

  it('reports the status of all profiles as a ZIP of CSV', async () => {
    await platform.createOwner(context, 'fraudster', 'report');
    const profile = await platform.createProfile(context, 'fraudster', 'report', 'a,"b"');
    const job = (
      await platform.post('/v1/voiceprints/profiles/status', { context, ownerType: 'OWNER_TYPE_FRAUDSTER' })
    ).body.gkJobId.value;
    const done = await until(async () => {
      const { body } = await rest(
        'GET',
        `/v1/voiceprints/profiles/status/${job}?context.gk_scope_id.value=${platform.gkScopeId}`,
      );
      return body.jobState === 'VOICEPRINT_PROFILES_STATUS_JOB_STATE_COMPLETED' ? body : undefined;
    });
    const zip = unzipSync(new Uint8Array(await (await fetch(done.downloadUrl)).arrayBuffer()));
    const [csv] = Object.values(zip).map((bytes) => new TextDecoder().decode(bytes));
    expect(csv).toContain(`${profile},`);
    expect(csv).toContain('"a,""b"""');
    expect(Date.parse(done.expirationTimestamp)).toBeGreaterThan(Date.now());
  });

  describe('config sets and calibration', () => {
    it('keeps revisions immutable, one of them active, and names the wrong parameter', async () => {
      const scope = { gkScopeId: context.gkScopeId };
      const create = async (content: object, performValidation = false) =>
        platform.post('/v1/configsets', {
          context: scope,
          configsetId: 'Mine',
          type: 3,
          rawContent: Buffer.from(JSON.stringify(content)).toString('base64'),
          performValidation,
        });
      const good = (await create({ enrollment: { segmentsMin: 4 } }, true)).body.gkConfigsetRevisionId.value;
      const bad = (await create({ enrollment: { segmentsMin: 0 } })).body.gkConfigsetRevisionId.value;
      const refused = await rest('PUT', `/v1/configsets/revisions/${bad}:validate`, { context: scope });
      expect(refused.body.status.fieldViolations[0]).toMatchObject({
        field: expect.stringMatching(/content\.enrollment\.segmentsMin$/),
        violation: 'OUT_OF_RANGE',
      });
      expect((await rest('PUT', `/v1/configsets/revisions/${bad}:activate`, { context: scope })).status).toBe(
        400,
      );
      expect(
        (await rest('PUT', `/v1/configsets/revisions/${good}:activate`, { context: scope })).status,
      ).toBe(200);
      const states = (
        await rest(
          'GET',
          `/v1/configsets/revisions?context.gk_scope_id.value=${platform.gkScopeId}&filter.configset_id=mine`,
        )
      ).body.details;
      expect(states.map((revision: { state: string }) => revision.state).sort()).toEqual([
        'STATE_ACTIVE',
        'STATE_INVALID',
      ]);
      expect(
        (
          await rest(
            'DELETE',
            `/v1/configsets/revisions/${good}?context.gk_scope_id.value=${platform.gkScopeId}`,
          )
        ).status,
      ).toBe(403);
      const active = await rest(
        'GET',
        `/v1/configsets/MINE?context.gk_scope_id.value=${platform.gkScopeId}&expected_format=CONFIGSET_FORMAT_ALL_BYTES`,
      );
      expect(JSON.parse(Buffer.from(active.body.rawContent, 'base64').toString())).toEqual({
        enrollment: { segmentsMin: 4 },
      });
      const templates = (await rest('GET', `/v1/templates?context.gk_scope_id.value=${platform.gkScopeId}`))
        .body.details;
      expect(templates.map((template: { configsetId: string }) => template.configsetId)).toContain(
        'IVRTextDependent',
      );
      expect(
        (await platform.server.rest('GET', '/schema/configset-1.json')).body.properties.enrollment.properties
          .segmentsMin.default,
      ).toBe(3);
    });

    it('lets a tenant bring its own thresholds, and guards the factory model', async () => {
      const own = await platform.post('/v1/calibrations', {
        context,
        calibrationModelId: 'ours',
        type: 'CALIBRATION_MODEL_TYPE_VOICEPRINTS',
      });
      const id = own.body.gkCalibrationModelRevisionId.value;
      const thresholds = [
        { far: 0.01, llr: 1 },
        { far: 0.001, llr: 3 },
        { far: 0.0001, llr: 5 },
      ];
      await fetch(own.body.calibrationModelUploadUrl, {
        method: 'PUT',
        body: JSON.stringify({ thresholds }),
      });
      expect((await rest('PUT', `/v1/calibrations/revisions/${id}:activate`, { context })).status).toBe(400);
      expect((await rest('PUT', `/v1/calibrations/revisions/${id}:validate`, { context })).status).toBe(200);
      expect((await rest('PUT', `/v1/calibrations/revisions/${id}:activate`, { context })).status).toBe(200);
      const processed = await platform.process(context, utterance('anna', 1));
      expect(processed.gkCalibrationModelRevisionId.value).toBe(id);
      const all = (
        await rest('GET', `/v1/calibrations/revisions?context.gk_scope_id.value=${platform.gkScopeId}`)
      ).body.details;
      const factory = all.find(
        (revision: { mode: string }) => revision.mode === 'CALIBRATION_MODEL_MODE_FACTORY',
      ).gkCalibrationModelRevisionId.value;
      expect(
        (await rest('PUT', `/v1/calibrations/revisions/${factory}:deactivate`, { context })).status,
      ).toBe(403);
      expect((await rest('PUT', `/v1/calibrations/revisions/${id}:deactivate`, { context })).status).toBe(
        200,
      );
    });
  });
});
