// DeletePersonalData after what clients really do: a person is enrolled, verified and claimed, nobody names an owner of
// the audio, and afterwards nothing of the voice is left in tables or files.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ConfigsetCache } from '../../src/biometrics/configsets/cache.js';
import { sweepErased } from '../../src/biometrics/jobs/erasure-sweep.js';
import { erasePerson } from '../../src/biometrics/jobs/erase-person.js';
import type { MediaDeps } from '../../src/biometrics/media/deps.js';
import type { Job } from '../../src/biometrics/model/jobs.js';
import { systemClock } from '../../src/platform.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import { openDatabase, type Database } from '../../src/storage/database.js';
import { databaseOptions, openStorage } from '../../src/storage/open-storage.js';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import type { VoiceEngine } from '../../src/voice/engine.js';
import { sharedEngine } from '../support/engine.js';
import type { RestAnswer } from '../support/server.js';
import { silence } from '../support/sounds.js';
import { answerErasures } from './answer-erasures.js';
import { askedErasures } from './asked-erasures.js';
import { batchErasures } from './batch-erasures.js';
import { crossingErasures } from './crossing-erasures.js';
import { erasureSweeps } from './erasure-sweeps.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-erasure-'));
  let platform: Platform;
  let database: Database;
  let databaseUrl: string;
  /** What happens between the listening of a call and its end. */
  let afterListening: () => Promise<void> = async () => undefined;
  afterEach(() => (afterListening = async () => undefined));

  beforeAll(async () => {
    const settings = await store.settings();
    const shared = await sharedEngine();
    const engine: VoiceEngine = {
      ...shared,
      processAudio: async (...asked) => {
        const heard = await shared.processAudio(...asked);
        await afterListening();
        return heard;
      },
    };
    const config = { ...settings, home, 'batch.folder': home };
    platform = await Platform.start({ config, overrides: { engine } });
    databaseUrl = String(settings['database'] ?? '');
    database = openDatabase(databaseOptions({ home, databaseUrl }));
  });
  afterAll(async () => {
    await database?.close();
    await platform?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const blobs = (): string[] =>
    readdirSync(join(home, 'blobs', platform.gkScopeId), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
  const rows = async (table: string): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
      database.db,
    );
    return Number(rows[0]?.n);
  };

  async function erase(context: RequestContext, gkPersonId: string): Promise<Record<string, unknown>> {
    const path = `/v1/persons/${gkPersonId}/personal-data?${platform.query(context)}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    return proofFor(gkPersonId);
  }

  async function proofFor(gkPersonId: string): Promise<Record<string, unknown>> {
    for (let tries = 0; tries < 150; tries++) {
      const query = `context.gkScopeId.value=${platform.gkScopeId}&recordType=RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT&pageSize=100`;
      const { body } = await platform.server.rest('GET', `/v1/x/audit/records?${query}`);
      for (const record of body.records ?? []) {
        const { detail } = JSON.parse(record.recordAsJson) as { detail: Record<string, unknown> };
        if (detail['gkPersonId'] === gkPersonId) return detail;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error('the erasure did not end');
  }

  it('finds and erases everything that came from the voice, and proves it', async () => {
    const { profile, owner } = await platform.printOf('anna');
    const call = await platform.open();
    await platform.verify(call, profile, utterance('anna', 4));
    // One that says too little to be compared.
    await platform.verify(call, profile, encodeWav(silence(2), 16_000));
    // A session that says only later whom it is with.
    const late = await platform.open();
    await platform.upload(late, utterance('anna', 2));
    const claimed = await platform.server.rest('PATCH', '/v1/sessions/details', {
      body: {
        context: late,
        details: { claimedGkPersonId: { value: owner }, ani: '+15550100' },
        fieldMask: 'claimedGkPersonId,ani',
      },
    });
    expect(claimed.status).toBe(200);
    expect(blobs()).toHaveLength(6);
    expect(await rows('processed_audios')).toBe(5);
    // Of silence there is no voice.
    expect(await rows('call_voices')).toBe(4);

    const proof = await erase(await platform.open(), owner);
    expect(proof).toMatchObject({
      prints: 1,
      media: 6,
      blobs: 6,
      blobsMissing: 0,
      processedAudios: 5,
      // Of enrollment, of verification, and the one that said it only later.
      engagements: 3,
      sessions: 3,
      keptInAuditTrail: 'decisions with their scores, under IDs, until retention.auditDays',
    });
    expect(blobs()).toEqual([]);
    for (const table of [
      'media_segments',
      'processed_audios',
      'call_voices',
      'voiceprint_profiles',
      'voice_ties',
      'parties',
    ])
      expect(await rows(table), table).toBe(0);
  });

  const erasureOf = (context: RequestContext, gkPersonId: string): Promise<RestAnswer> =>
    platform.server.rest('DELETE', `/v1/persons/${gkPersonId}/personal-data?${platform.query(context)}`);

  it('finds the recordings of a person who was deleted before, and then nobody', async () => {
    const { profile, owner } = await platform.printOf('dora');
    await platform.verify(await platform.open(), profile, utterance('dora', 4));
    const context = await platform.open();
    const gone = await platform.server.rest('DELETE', `/v1/persons/${owner}?${platform.query(context)}`);
    expect(gone.status).toBe(200);
    expect(blobs()).toHaveLength(4);
    expect(await erase(context, owner)).toMatchObject({ prints: 0, media: 4, blobs: 4 });
    expect(blobs()).toEqual([]);
    expect((await erasureOf(context, owner)).status).toBe(404);
    expect((await erasureOf(context, 'nobody')).status).toBe(404);
  });

  it('finds the recording of a verification that ran meanwhile', async () => {
    const { profile, owner } = await platform.printOf('emil');
    const call = await platform.open();
    afterListening = async () => {
      afterListening = async () => undefined;
      // With the one that is being heard: it is tied before anything is decided, and would be if the server were killed now.
      expect(await erase(await platform.open(), owner)).toMatchObject({ media: 4 });
    };
    const answer = await platform.verify(call, profile, utterance('emil', 4));
    expect(answer.status).toBe(404);
    await expect.poll(blobs).toEqual([]);
    for (const table of ['media_segments', 'processed_audios', 'call_voices', 'voice_ties'])
      await expect.poll(() => rows(table)).toBe(0);
  });

  it('finds what a call makes of a recording that is erased under its hands', async () => {
    const call = await platform.open();
    const owner = await platform.createOwner(call, 'person', 'processed');
    await platform.server.rest('PATCH', '/v1/sessions/details', {
      body: {
        context: call,
        details: { claimedGkPersonId: { value: owner } },
        fieldMask: 'claimedGkPersonId',
      },
    });
    const recording = await platform.upload(call, utterance('emil', 2));
    afterListening = async () => {
      afterListening = async () => undefined;
      expect(await erase(await platform.open(), owner)).toMatchObject({ media: 1 });
    };
    const answer = await platform.post('/v1/audios/process', {
      context: call,
      gkMediaSegmentId: { value: recording },
    });
    expect(answer.status).toBe(404);
    expect(await rows('processed_audios')).toBe(0);
  });

  it('erases all of a session that is the person’s alone, and of a shared one what is known', async () => {
    const [fritz, carl] = [await platform.printOf('fritz'), await platform.printOf('carl')];
    const [alone, shared, elsewhere] = [await platform.open(), await platform.open(), await platform.open()];
    await platform.upload(alone, utterance('fritz', 5));
    await platform.verify(alone, fritz.profile, utterance('fritz', 4));
    await platform.upload(alone, utterance('fritz', 5));
    await platform.verify(shared, carl.profile, utterance('carl', 4));
    await platform.upload(shared, utterance('fritz', 5));
    await platform.verify(shared, fritz.profile, utterance('fritz', 4));
    await platform.upload(elsewhere, utterance('fritz', 5));
    // Three enrolled, the two that were verified, and the other two of the session that was his alone.
    expect(await erase(elsewhere, fritz.owner)).toMatchObject({ media: 7, keptForOthers: 2 });
    // Three enrolled, the one that was verified, and the one of the session that is now his alone.
    expect(await erase(elsewhere, carl.owner)).toMatchObject({ media: 5, keptForOthers: 0 });
    expect(blobs()).toHaveLength(1);
    expect(await rows('voice_ties')).toBe(0);
    await sql`delete from media_segments`.execute(database.db);
    rmSync(join(home, 'blobs', platform.gkScopeId), { recursive: true });
  });

  it('erases what was on hold once the hold is lifted', async () => {
    const call = await platform.open();
    const owner = await platform.createOwner(call, 'person', 'held');
    const recording = await platform.upload(call, utterance('anna', 2));
    const change = (details: object, fieldMask: string) =>
      platform.server.rest('PATCH', `/v1/mediasegments/${recording}`, {
        body: { context: call, details, fieldMask },
      });
    expect(
      (await change({ gkPersonId: { value: owner }, legalHold: true }, 'gkPersonId,legalHold')).status,
    ).toBe(200);
    expect(await erase(call, owner)).toMatchObject({ media: 0, keptOnLegalHold: 1 });
    const storage = await openStorage({ home, databaseUrl, masterKey: '', clock: systemClock });
    onTestFinished(() => storage.close());
    const ours = createBiometricsStore(storage.database, storage.keyring, storage.audit);
    const sweep = () => sweepErased({ store: ours, clock: systemClock, jobs: { wake: () => {} } });
    expect(await sweep()).toBe(0);
    expect((await change({ legalHold: false }, 'legalHold')).status).toBe(200);
    // Whether this one finds it or that of the server, which also runs by itself.
    await sweep();
    await expect.poll(blobs).toEqual([]);
    expect(await rows('voice_ties')).toBe(0);
  });

  it('goes on after a crash between the rows and the bytes, and counts what there was', async () => {
    const context = await platform.open();
    const owner = await platform.createOwner(context, 'person', 'crashed');
    await platform.server.rest('PATCH', '/v1/sessions/details', {
      body: { context, details: { claimedGkPersonId: { value: owner } }, fieldMask: 'claimedGkPersonId' },
    });
    await platform.upload(context, utterance('anna', 2));
    expect(blobs()).toHaveLength(1);
    const storage = await openStorage({ home, databaseUrl, masterKey: '', clock: systemClock });
    onTestFinished(() => storage.close());
    const ours = createBiometricsStore(storage.database, storage.keyring, storage.audit);
    const job: Job = {
      gkJobId: 'crashed-job',
      gkScopeId: platform.gkScopeId,
      kind: 'DELETE_PERSONAL_DATA',
      state: 'STARTED',
      input: JSON.stringify({ gkPersonId: owner }),
      result: '',
      error: '',
      requestedBy: 'somebody',
      attempts: 1,
      leaseUntilMs: Date.now() + 600_000,
      createdAtMs: Date.now(),
      modifiedAtMs: Date.now(),
    };
    await ours.transaction((tx) => tx.jobs.insert(job));
    const crashing = {
      store: ours,
      clock: systemClock,
      configsetCache: new ConfigsetCache(),
      blobs: {
        exists: (tenantKey: string, blobId: string) => storage.blobs.exists({ tenantKey, blobId }),
        delete: () => Promise.reject(new Error('power cut')),
      },
    } as unknown as MediaDeps;
    await expect(erasePerson(crashing, job)).rejects.toThrow('power cut');
    expect(blobs()).toHaveLength(1);
    expect(await rows('media_segments')).toBe(0);

    // The lease of the dead node ends; this server takes the job up.
    const left = await ours.read.jobs.find(platform.gkScopeId, job.gkJobId);
    if (!left) throw new Error('the job is gone');
    await ours.transaction((tx) => tx.jobs.update({ ...left, leaseUntilMs: 1 }));
    expect(await proofFor(owner)).toMatchObject({ media: 1, blobs: 1, blobsMissing: 0, sessions: 1 });
    expect(blobs()).toEqual([]);
  });

  it('keeps what is enrolled for a fraudster, and says so', async () => {
    const { owner } = await platform.printOf('bruno');
    const context = await platform.open();
    await platform.createOwner(context, 'fraudster', 'known');
    const print = await platform.createProfile(context, 'fraudster', 'known');
    const shared = await platform.process(context, utterance('bruno', 4), { isForEnrollment: true });
    await platform.post(`/v1/voiceprints/${print}/enrollment`, {
      context,
      gkProcessedAudioId: shared.gkProcessedAudioId,
    });
    const person = await platform.createProfile(context, 'person', 'bruno', 'second');
    await platform.post(`/v1/voiceprints/${person}/enrollment`, {
      context,
      gkProcessedAudioId: shared.gkProcessedAudioId,
    });
    const proof = await erase(context, owner);
    expect(proof).toMatchObject({
      prints: 2,
      media: 3,
      keptWithFraudster: 1,
      keptForOthers: 0,
      keptAsFraud: 0,
      keptOnLegalHold: 0,
    });
    expect(blobs()).toHaveLength(1);
    // Should the call be judged as genuine, it is known whose it is.
    expect(await rows('voice_ties')).toBe(1);
    for (const table of ['voice_ties', 'media_segments'])
      await sql`delete from ${sql.table(table)}`.execute(database.db);
    rmSync(join(home, 'blobs', platform.gkScopeId), { recursive: true });
  });

  const meanwhile = (work: () => Promise<unknown>): Promise<void> =>
    new Promise((resolve, reject) => {
      let done: Promise<void> | undefined;
      afterListening = () =>
        (done ??= work()
          .then(() => resolve(), reject)
          .finally(() => (afterListening = async () => undefined)));
    });
  const scene = () => ({ platform, home, databaseUrl, blobs, rows, erase, meanwhile });
  describe('whatever came of it', { tags: 'slow' }, () => {
    erasureSweeps(scene, store.dialect);
    askedErasures(scene);
    batchErasures(scene);
    answerErasures(scene);
    if (store.dialect === 'postgres') crossingErasures(scene);
  });
});
