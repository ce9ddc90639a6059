/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// What comes for a person who is erased already, goes on with them, or is easily forgotten: cases for the suite of erasure, which
// has the server.
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { erasureJob } from '../../src/biometrics/call/data-subjects.js';
import { erasePerson } from '../../src/biometrics/jobs/erase-person.js';
import type { MediaDeps } from '../../src/biometrics/media/deps.js';
import type { Job } from '../../src/biometrics/model/jobs.js';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { ConfigsetCache } from '../../src/biometrics/configsets/cache.js';
import { systemClock } from '../../src/platform.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import type { DialectName } from '../../src/storage/database.js';
import { openStorage, type Storage } from '../../src/storage/open-storage.js';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import { bearer, format, Line, STOP, targetOf, visit } from '../live/line.js';
import { callSamples, muLaw } from '../live/support.js';
import { meetingOf } from '../support/meeting.js';
import type { RestAnswer } from '../support/server.js';
import { silence } from '../support/sounds.js';
import { isBareId, tracesOf } from '../support/traces.js';
import { jobPatience, utterance, type Platform, type RequestContext } from './support.js';

export interface Scene {
  platform: Platform;
  home: string;
  databaseUrl: string;
  blobs(): string[];
  rows(table: string): Promise<number>;
  erase(context: RequestContext, gkPersonId: string): Promise<Record<string, unknown>>;
  /** Does something once, between the listening of the next call and its end: all that listen wait until it is done. */
  meanwhile(work: () => Promise<unknown>): Promise<void>;
}

const listOf = (...profiles: string[]) => ({ uniqueIds: profiles.map((value) => ({ value })) });

/** A second look at what the server keeps. */
export async function storageOf({ home, databaseUrl }: Scene): Promise<Storage> {
  const storage = await openStorage({ home, databaseUrl, masterKey: '', clock: systemClock });
  onTestFinished(() => storage.close());
  return storage;
}

/** The erasure of what came late, begun by a node of the test's own, which is the one that is at it. */
async function lateJobOf(scene: Scene, gkPersonId: string) {
  const { gkScopeId } = scene.platform;
  const { database, keyring, audit, blobs } = await storageOf(scene);
  const store = createBiometricsStore(database, keyring, audit);
  const clock = systemClock;
  const late = { gkJobId: `late-${gkPersonId}`, gkScopeId, requestedBy: 'voxgate' };
  const job: Job = {
    ...erasureJob({ clock }, late, { gkPersonId }),
    state: 'STARTED',
    attempts: 1,
    leaseUntilMs: clock.now() + 3600_000,
  };
  await store.transaction((tx) => tx.jobs.insert(job));
  return {
    store,
    configsetCache: new ConfigsetCache(),
    clock,
    job,
    blobs: {
      exists: (tenantKey: string, blobId: string) => blobs.exists({ tenantKey, blobId }),
      delete: (tenantKey: string, blobId: string) => blobs.delete({ tenantKey, blobId }),
    } as MediaDeps['blobs'],
    found: () => store.read.jobs.find(gkScopeId, job.gkJobId),
    /** As a call does. */
    link: (media: string) => store.transaction((tx) => tx.media.link(gkScopeId, media, gkPersonId)),
  };
}

export function erasureSweeps(scene: () => Scene, dialect: DialectName): void {
  it('finds what was sent for a person and refused, or brought nothing', async () => {
    const { platform, blobs, erase } = scene();
    const { profile, owner } = await platform.printOf('emil', 'person', 'refused');
    const untrained = await platform.createProfile(await platform.open(), 'person', 'refused', 'second');
    // Each in an engagement of its own: what comes with something else of the person is found by that.
    const again = await platform.enroll(await platform.open(), profile, utterance('emil', 1));
    expect(again.reason).toBe('ENROLL_REASON_ALREADY_ADDED');
    const refused = await platform.verify(await platform.open(), untrained, utterance('emil', 4));
    expect(refused.status).toBe(400);
    // Beside the print one that never was: only one person is named.
    const beside = await platform.open();
    const unknown = await platform.post('/v1/voiceprints/identification', {
      context: beside,
      gkMediaSegmentId: { value: await platform.upload(beside, utterance('emil', 5)) },
      gkVoiceprintProfileIds: listOf(profile, 'never-was'),
    });
    expect(unknown.status).toBe(404);
    await erase(await platform.open(), owner);
    expect(blobs()).toEqual([]);
  });

  it('takes it from who asks for one person that it is their voice, from who asks for several that it is nobody’s', async () => {
    const { platform, blobs, erase } = scene();
    const [one, other] = [
      await platform.printOf('emil', 'person', 'asked-for'),
      await platform.printOf('carl', 'person', 'asked-for-too'),
    ];
    const second = await platform.createProfile(await platform.open(), 'person', 'asked-for', 'second');
    const ask = async (operation: string, bytes: Uint8Array, ...prints: string[]): Promise<string> => {
      const context = await platform.open();
      const media = await platform.upload(context, bytes);
      const asked = {
        context,
        gkMediaSegmentId: { value: media },
        gkVoiceprintProfileIds: listOf(...prints),
      };
      const { status, body } = await platform.post(`/v1/voiceprints/${operation}`, asked);
      expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringContaining('_AUTHENTIC"')]);
      return media;
    };
    const nothing = encodeWav(silence(2), 16_000);
    await ask('identification', nothing, one.profile);
    await ask('identification', utterance('anna', 4), one.profile, second);
    await ask('audio-analysis', nothing, one.profile);
    const kept = await ask('identification', utterance('anna', 4), one.profile, other.profile);
    // Three that were enrolled.
    expect(await erase(await platform.open(), one.owner)).toMatchObject({ media: 6 });
    expect(await erase(await platform.open(), other.owner)).toMatchObject({ media: 3 });
    expect(blobs()).toHaveLength(1);
    const query = platform.query(await platform.open());
    expect((await platform.server.rest('DELETE', `/v1/mediasegments/${kept}?${query}`)).status).toBe(200);
  });

  it('keeps no recording that is sent for a print or a person who is erased', async () => {
    const { platform, blobs, rows, erase } = scene();
    const { profile, owner } = await platform.printOf('emil', 'person', 'gone');
    const other = await platform.printOf('carl', 'person', 'stays');
    await erase(await platform.open(), owner);
    const theirs = blobs();
    const ways: Record<string, (context: RequestContext, media: object) => Promise<RestAnswer>> = {
      Verify: (context, media) =>
        platform.post(`/v1/voiceprints/${profile}/verification`, { context, ...media }),
      Identify: (context, media) =>
        platform.post('/v1/voiceprints/identification', {
          context,
          ...media,
          gkVoiceprintProfileIds: listOf(profile),
        }),
      AnalyzeAudio: (context, media) =>
        platform.post('/v1/voiceprints/audio-analysis', {
          context,
          ...media,
          gkVoiceprintProfileIds: listOf(profile),
        }),
      DetectAudioSpoofing: (context, media) =>
        platform.post('/v1/audios/spoofing', {
          context,
          ...media,
          gkPersonId: { value: owner },
          syntheticSpeechDetectionParameters: {},
        }),
      ValidateText: (context, media) =>
        platform.post('/v1/audios/text-validation', {
          context,
          ...media,
          gkPersonId: { value: owner },
          expectedText: 'seven three nine one',
        }),
      DetectLiveness: async (context, media) =>
        platform.post('/v1/audios/liveness', {
          context,
          gkMediaSegmentId: { value: await platform.upload(context, utterance('emil', 5)) },
          gkPersonId: { value: owner },
          randomAudioSet: [{ ...media, expectedText: 'seven three nine one' }],
        }),
      UpdateMedia: (context, { gkMediaSegmentId }: any) =>
        platform.server.rest('PATCH', `/v1/mediasegments/${gkMediaSegmentId.value}`, {
          body: { context, details: { gkPersonId: { value: owner } }, fieldMask: 'gkPersonId' },
        }),
      UpdateSession: (context) =>
        platform.server.rest('PATCH', '/v1/sessions/details', {
          body: {
            context,
            details: { claimedGkPersonId: { value: owner } },
            fieldMask: 'claimedGkPersonId',
          },
        }),
      Enroll: async (context, media) => {
        const processed = await platform.post('/v1/audios/process', {
          context,
          ...media,
          isForEnrollment: true,
        });
        const { gkProcessedAudioId } = processed.body.result;
        return platform.post(`/v1/voiceprints/${profile}/enrollment`, { context, gkProcessedAudioId });
      },
    };
    for (const [name, way] of Object.entries(ways)) {
      const context = await platform.open();
      const gkMediaSegmentId = { value: await platform.upload(context, utterance('emil', 4)) };
      expect((await way(context, { gkMediaSegmentId })).status, name).toBe(404);
      await expect.poll(blobs, { message: name }).toEqual(theirs);
    }
    // The other transport, and audio that was processed before.
    const context = await platform.open();
    const { gkProcessedAudioId } = await platform.process(context, utterance('emil', 4));
    const answer = await platform.server.grpc(VoiceprintsProcessor).verify({
      context: { ...context } as never,
      audio: { case: 'gkProcessedAudioId', value: gkProcessedAudioId },
      gkVoiceprintProfileId: { value: profile },
    });
    expect(answer.result).toBeUndefined();
    await expect.poll(blobs).toEqual(theirs);

    // One of several may be somebody else's, and what is known to be somebody's does not follow a mistake.
    const kept = await platform.upload(context, utterance('carl', 4));
    const both = {
      context,
      gkMediaSegmentId: { value: kept },
      gkVoiceprintProfileIds: listOf(profile, other.profile),
    };
    expect((await platform.post('/v1/voiceprints/identification', both)).status).toBe(404);
    await platform.verify(context, other.profile, utterance('carl', 4));
    const known = await rows('voice_ties');
    const mistaken = { context, gkMediaSegmentId: { value: kept } };
    expect((await platform.post(`/v1/voiceprints/${other.profile}/verification`, mistaken)).status).toBe(200);
    expect((await platform.post(`/v1/voiceprints/${profile}/verification`, mistaken)).status).toBe(404);
    expect(await rows('voice_ties')).toBe(known);
    expect(blobs()).toHaveLength(theirs.length + 2);
    await erase(await platform.open(), other.owner);
    expect(blobs()).toEqual([]);
  });

  // In the other store there is one that writes at a time.
  if (dialect === 'postgres') {
    it('waits for a call that is about to say whose a recording is', async () => {
      const { platform, blobs, erase } = scene();
      const { gkScopeId } = platform;
      const { owner } = await platform.printOf('emil', 'person', 'about-to-say');
      const media = await platform.upload(await platform.open(), utterance('emil', 4));
      const { database, keyring, audit } = await storageOf(scene());
      const { transaction } = createBiometricsStore(database, keyring, audit);
      const begun = meetingOf(2);
      const mayEnd = meetingOf(2);
      const saying = transaction(async (tx) => {
        await tx.erasure.hold([owner]);
        expect(await tx.erasure.isErased(owner)).toBe(false);
        await begun();
        await mayEnd();
        await tx.media.link(gkScopeId, media, owner);
      });
      await begun();
      const erasing = erase(await platform.open(), owner);
      const waiting = sql`select 1 from pg_locks where not granted`;
      await expect.poll(async () => (await waiting.execute(database.db)).rows.length).toBeGreaterThan(0);
      await mayEnd();
      await Promise.all([saying, erasing]);
      expect(blobs()).toEqual([]);
    });

    it('finds what is tied to an erased person while more of them is erased', async () => {
      const { platform, blobs, erase } = scene();
      const { gkScopeId } = platform;
      const { owner } = await platform.printOf('emil', 'person', 'late-again');
      await erase(await platform.open(), owner);
      const first = await platform.upload(await platform.open(), utterance('emil', 4));
      const second = await platform.upload(await platform.open(), utterance('emil', 5));
      const job = await lateJobOf(scene(), owner);
      await job.link(first);
      const hasLooked = meetingOf(2);
      const hasTied = meetingOf(2);
      const saying = (async () => {
        await hasLooked();
        await job.link(second);
        await hasTied();
      })();
      let looks = 0;
      const exists = async (tenantKey: string, blobId: string): Promise<boolean> => {
        // The erasure has looked for what is theirs, and is not over.
        looks += 1;
        if (looks === 1) await hasLooked().then(hasTied);
        return job.blobs.exists(tenantKey, blobId);
      };
      await Promise.all([saying, erasePerson({ ...job, blobs: { ...job.blobs, exists } }, job.job)]);
      expect(blobs()).toEqual([]);
      expect(await job.store.read.media.find(gkScopeId, second)).toBeUndefined();
    });
  }

  it('removes the bytes that a dead node had still to remove, when more comes', async () => {
    const { platform, blobs, erase } = scene();
    const { profile, owner } = await platform.printOf('emil', 'person', 'late-and-dead');
    await erase(await platform.open(), owner);
    const media = await platform.upload(await platform.open(), utterance('emil', 4));
    const job = await lateJobOf(scene(), owner);
    await job.link(media);
    const dying = { ...job.blobs, delete: () => Promise.reject(new Error('power cut')) };
    await expect(erasePerson({ ...job, blobs: dying }, job.job)).rejects.toThrow('power cut');
    expect(blobs()).toHaveLength(1);
    // Its lease goes on for a minute; a call that names the print asks for the same erasure.
    expect((await platform.verify(await platform.open(), profile, utterance('emil', 5))).status).toBe(404);
    await expect.poll(blobs).toEqual([]);
    const told = async () => JSON.parse((await job.found())?.result || '{}') as object;
    await expect.poll(told).toMatchObject({ media: 2, blobs: 2, blobsMissing: 0 });
  });

  it('ends what was with the person, in all sessions of the engagement', async () => {
    const { platform, blobs, erase } = scene();
    const { profile, owner } = await platform.printOf('dora', 'person', 'on-the-line');
    const call = await platform.open();
    const started = await platform.post('/v1/sessions/start', {
      context: call,
      sessionType: 'SESSION_TYPE_IVR',
    });
    const second = { ...call, gkSessionId: started.body.gkSessionId };
    await platform.upload(second, utterance('dora', 5));
    expect((await platform.verify(call, profile, utterance('dora', 4))).body.result.decision).toBe(
      'DECISION_AUTHENTIC',
    );
    await platform.upload(second, utterance('dora', 5));
    // A call that is listened to, in a session that says whom it is with.
    const live = await platform.open();
    const claim = { claimedGkPersonId: { value: owner } };
    const details = { context: live, details: claim, fieldMask: 'claimedGkPersonId' };
    expect((await platform.server.rest('PATCH', '/v1/sessions/details', { body: details })).status).toBe(200);
    const line = new Line(platform);
    await line.begin({ question: { context: live, target: targetOf(profile) }, format });
    const speech = muLaw(await callSamples('dora', [4, 5], 8000));
    line.send(speech);
    await expect.poll(() => line.events.at(-1)?.state).toBe('AUTHENTIC');

    const running = `/v1/live/calls?gk_scope_id.value=${platform.gkScopeId}`;
    const { liveCallId } = (await platform.server.rest('GET', running)).body.calls[0];

    const proof = await erase(await platform.open(), owner);
    // Three enrolled, the one that was verified, and the two of the other session; enrollment, two sessions, and the call.
    expect(proof).toMatchObject({ prints: 1, media: 6, engagements: 3, sessions: 4, liveCalls: 1 });
    expect(blobs()).toEqual([]);
    // The node that has it in memory tells no more than what is stored, and does not wait for more audio to end it.
    const { body: inMemory } = await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`);
    expect(inMemory.call).toMatchObject({ ended: true });
    expect(JSON.stringify(inMemory)).toContain('AUTHENTIC');
    expect(JSON.stringify(inMemory)).not.toMatch(new RegExp(`[sS]core|[rR]isk|${profile}`));
    await line.closed;
    expect(line.events.at(-1)).toMatchObject({ final: true, reason: 'PERSONAL_DATA_DELETED' });
    // Whoever asks later is told how it ended, but not of whom.
    const storage = await storageOf(scene());
    const { read } = createBiometricsStore(storage.database, storage.keyring, storage.audit);
    const course = async (): Promise<string> =>
      Buffer.from((await read.liveOutcomes.find(liveCallId, 0))?.info ?? []).toString();
    await expect.poll(course).toContain('"ended":true');
    expect(await course()).toContain('AUTHENTIC');
    expect(await course()).not.toContain(profile);

    for (const context of [call, second]) {
      const refused = await platform.post('/v1/audios/upload-url', { context, container: 'CONTAINER_WAV' });
      expect(refused.status).toBe(400);
      expect(JSON.stringify(refused.body)).toContain('personal data');
      expect(JSON.stringify(refused.body)).toContain('PERSONAL_DATA_DELETED');
    }
    const more = await platform.post('/v1/sessions/start', {
      context: call,
      sessionType: 'SESSION_TYPE_POST_CALL',
    });
    expect(more.status).toBe(400);
    const told = { context: second, details: { ani: '+15550111' }, fieldMask: 'ani' };
    expect((await platform.server.rest('PATCH', '/v1/sessions/details', { body: told })).status).toBe(400);
  });

  it('leaves no word about the person in any table, nor in any file', async () => {
    const { platform, erase } = scene();
    const words: string[] = [];
    const word = (of: string): string => {
      words.push(`zq-${of}-xq`);
      return `zq-${of}-xq`;
    };
    const person = word('person');
    const scope = { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId };
    const engagement = await platform.server.rest('PUT', '/v1/engagements/start', {
      body: {
        context: scope,
        details: { engagementId: word('engagement'), correlationId: word('correlation') },
      },
    });
    const opened = { ...scope, gkEngagementId: engagement.body.gkEngagementId };
    const session = await platform.post('/v1/sessions/start', {
      context: opened,
      sessionType: 'SESSION_TYPE_CALL_CENTER',
      details: {
        sessionId: word('session'),
        ani: word('ani'),
        dnis: word('dnis'),
        customData: { a: word('told') },
      },
    });
    const context = { ...opened, gkSessionId: session.body.gkSessionId } as RequestContext;
    const { profile, owner } = await platform.printOf('fritz', 'person', person);
    const change = (details: object, fieldMask: string) =>
      platform.server.rest('PATCH', `/v1/persons/${owner}`, { body: { context, details, fieldMask } });
    expect((await change({ customData: { note: word('note') } }, 'customData')).status).toBe(200);
    await platform.verify(context, profile, utterance('fritz', 4));
    await platform.post('/v1/voiceprints/audio-analysis', {
      context,
      gkMediaSegmentId: { value: await platform.upload(context, utterance('fritz', 5)) },
      gkVoiceprintProfileIds: listOf(profile),
      syntheticSpeechDetectionParameters: {},
    });
    // Speech of a call, which has no recording.
    const collecting = {
      context: await platform.open(),
      target: { ...targetOf(profile), enrollInto: { value: profile } },
    };
    const { body: call } = await platform.post('/v1/live/calls', collecting);
    const start = JSON.stringify({ start: { streamToken: call.streamToken, format } });
    await visit(platform, [start, muLaw(await callSamples('fritz', [4, 5], 8000)), STOP], bearer);
    const enrolled = await platform.post(`/v1/live/calls/${call.liveCallId}:enroll`, { consent: true });
    expect(enrolled.body).toMatchObject({ enrolled: true });
    const batch = await platform.post('/v1/batches:enroll', {
      context: scope,
      tag: 'main',
      manifest: `speaker_id,consent,files\n${person},yes,a.wav`,
    });
    expect(batch.status, JSON.stringify(batch.body)).toBe(200);
    const state = async (): Promise<string> => {
      const path = `/v1/batches/${batch.body.gkJobId}?context.gk_scope_id.value=${platform.gkScopeId}`;
      return (await platform.server.rest('GET', path)).body.batch.state;
    };
    await expect.poll(state, jobPatience).toBe('BATCH_STATE_COMPLETED');

    const storage = await storageOf(scene());
    const look = () => tracesOf(storage, platform.gkScopeId, [...words, owner, profile, call.liveCallId]);
    const before = await look();
    // It sees them where they are: otherwise it would prove nothing. Custom data of sessions, too, is found when opened.
    for (const each of [...words, owner, profile, call.liveCallId])
      expect(
        before.found.some((found) => found.endsWith(each)),
        each,
      ).toBe(true);
    expect(before.unread.filter((where) => !where.startsWith('auth_'))).toEqual(['sealing_keys.wrapped_key']);

    const proof = await erase(await platform.open(), owner);
    expect(proof).toMatchObject({ prints: 1, batchLines: 1 });
    const after = await look();
    // The course of the call stays under its ID; what was computed of its speech does not.
    const ofCall = new RegExp(`^live_\\w+\\.\\w+: ${call.liveCallId}$`);
    const left = after.found.filter((found) => !isBareId(found) && !ofCall.test(found));
    expect(left).toEqual([]);
    expect(after.found.filter((found) => found.includes('zq-'))).toEqual([]);
  });
}
