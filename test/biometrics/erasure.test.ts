// DeletePersonalData after what clients really do: a person is enrolled, verified and claimed, nobody names an owner of
// the audio, and afterwards nothing of the voice is left in tables or files.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { erasePerson } from '../../src/biometrics/jobs/erase-person.js';
import type { MediaDeps } from '../../src/biometrics/media/deps.js';
import type { Job } from '../../src/biometrics/model/jobs.js';
import { systemClock } from '../../src/platform.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import { openDatabase, type Database } from '../../src/storage/database.js';
import { databaseOptions, openStorage } from '../../src/storage/open-storage.js';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import { silence } from '../support/sounds.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-erasure-'));
  let platform: Platform;
  let database: Database;
  let databaseUrl: string;

  beforeAll(async () => {
    const settings = await store.settings();
    platform = await Platform.start({ config: { ...settings, home } });
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
    for (let tries = 0; tries < 300; tries++) {
      const query = `context.gkScopeId.value=${platform.gkScopeId}&recordType=RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT&pageSize=100`;
      const { body } = await platform.server.rest('GET', `/v1/x/audit/records?${query}`);
      for (const record of body.records ?? []) {
        const { detail } = JSON.parse(record.recordAsJson) as { detail: Record<string, unknown> };
        if (detail['gkPersonId'] === gkPersonId) return detail;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
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

    const proof = await erase(await platform.open(), owner);
    expect(proof).toMatchObject({
      prints: 1,
      media: 6,
      blobs: 6,
      blobsMissing: 0,
      processedAudios: 5,
      sessions: 1,
    });
    expect(blobs()).toEqual([]);
    for (const table of [
      'media_segments',
      'processed_audios',
      'voiceprint_profiles',
      'voice_ties',
      'parties',
    ])
      expect(await rows(table), table).toBe(0);
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

  it('keeps what is enrolled for somebody else, and says so', async () => {
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
      keptForOthers: 1,
      keptAsFraud: 0,
      keptOnLegalHold: 0,
    });
    expect(blobs()).toHaveLength(1);
    expect(await rows('voice_ties')).toBe(0);
  });
});
