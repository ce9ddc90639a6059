/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// Calls that cross an erasure, or each other, stopped where neither sees what the other has done: cases for the suite of erasure, which has
// the server. On PostgreSQL only: in the other store there is one that writes at a time.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { ConfigsetCache } from '../../src/biometrics/configsets/cache.js';
import { erasePerson } from '../../src/biometrics/jobs/erase-person.js';
import { insertMedia } from '../../src/biometrics/media/get-upload-url.js';
import { newJob, type Job } from '../../src/biometrics/model/jobs.js';
import type { BiometricsStore } from '../../src/biometrics/ports/store.js';
import { systemClock, type Call } from '../../src/platform.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import type { Database } from '../../src/storage/database.js';
import { meetingOf } from '../support/meeting.js';
import { storageOf, type Scene } from './erasure-sweeps.js';
import { utterance } from './support.js';

export function crossingErasures(scene: () => Scene): void {
  /** Another node. */
  async function otherNode() {
    const storage = await storageOf(scene());
    const store = createBiometricsStore(storage.database, storage.keyring, storage.audit);
    const blobs = {
      exists: (tenantKey: string, blobId: string) => storage.blobs.exists({ tenantKey, blobId }),
      delete: (tenantKey: string, blobId: string) => storage.blobs.delete({ tenantKey, blobId }),
    };
    const deps = { store, clock: systemClock, configsetCache: new ConfigsetCache(), blobs };
    return { database: storage.database, store, deps: deps as never };
  }

  async function taken(store: BiometricsStore, gkPersonId: string): Promise<Job> {
    const { gkScopeId } = scene().platform;
    const about = { gkJobId: randomUUID(), gkScopeId, requestedBy: 'somebody' };
    const job: Job = {
      ...newJob({ ...about, kind: 'DELETE_PERSONAL_DATA' }, { gkPersonId }, Date.now()),
      state: 'STARTED',
      leaseUntilMs: Date.now() + 600_000,
    };
    await store.transaction((tx) => tx.jobs.insert(job));
    return job;
  }

  /** Until so many wait for a lock. `having`: the table that they have written to, which tells them from jobs of the server. */
  const waiting = async ({ db }: Database, atLeast: number, having?: 'sessions'): Promise<void> => {
    const hasWritten = sql`exists (select 1 from pg_locks own where own.pid = l.pid and own.granted
      and own.mode = 'RowExclusiveLock' and own.relation = ${having ?? ''}::regclass)`;
    const locks = sql`select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where not l.granted and a.datname = current_database() and ${having ? hasWritten : sql`true`}`;
    await expect.poll(async () => (await locks.execute(db)).rows.length).toBeGreaterThanOrEqual(atLeast);
  };

  /** Whoever changes something waits with its record, which comes last of all, until this is let go. */
  async function holdTheTrail({ transaction }: Database): Promise<() => Promise<void>> {
    const [isHeld, mayEnd] = [meetingOf(2), meetingOf(2)];
    const holding = transaction(async (tx) => {
      await sql`select 1 from audit_heads where scope_key = ${scene().platform.gkScopeId} for update`.execute(
        tx,
      );
      await isHeld();
      await mayEnd();
    });
    await isHeld();
    return async () => {
      await mayEnd();
      await holding;
    };
  }

  const secondSession = async (context: object, more: object = {}): Promise<any> => {
    const body = { context, sessionType: 'SESSION_TYPE_IVR', ...more };
    const answer = await scene().platform.post('/v1/sessions/start', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return { ...context, gkSessionId: answer.body.gkSessionId };
  };

  it('finds a recording that came into the engagement while its person was recognized there', async () => {
    const { platform, blobs, erase } = scene();
    const { profile, owner } = await platform.printOf('dora', 'person', 'recognized-meanwhile');
    const call = await platform.open();
    const second = await secondSession(call);
    const gkMediaSegmentId = { value: await platform.upload(call, utterance('dora', 4)) };
    const { database } = await otherNode();
    const releaseTrail = await holdTheTrail(database);
    const verified = platform.post(`/v1/voiceprints/${profile}/verification`, {
      context: call,
      gkMediaSegmentId,
    });
    const uploaded = platform.upload(second, utterance('dora', 5));
    await waiting(database, 2);
    await releaseTrail();
    expect((await verified).body.result.decision).toBe('DECISION_AUTHENTIC');
    await uploaded;
    expect(await erase(await platform.open(), owner)).toMatchObject({ media: 5 });
    expect(blobs()).toEqual([]);
  });

  it('empties a session that is started while its engagement is erased', async () => {
    const { platform } = scene();
    const { profile, owner } = await platform.printOf('dora', 'person', 'started-meanwhile');
    const call = await platform.open();
    await platform.verify(call, profile, utterance('dora', 4));
    const { database, store, deps } = await otherNode();
    const job = await taken(store, owner);
    const releaseTrail = await holdTheTrail(database);
    const started = secondSession(call, { details: { ani: '+15550199' } });
    await waiting(database, 1, 'sessions');
    const erasing = erasePerson(deps, job);
    await waiting(database, 2);
    await releaseTrail();
    await erasing;
    const { gkSessionId } = await started;
    const session = await store.read.sessions.find(platform.gkScopeId, gkSessionId.value);
    expect(session).toMatchObject({ isErased: true, isActive: false, details: { ani: '' } });
  });

  it('waits for an upload that names the person on a channel, and refuses one that comes later', async () => {
    const { platform, rows, erase } = scene();
    const { gkScopeId } = platform;
    const context = await platform.open();
    const owner = await platform.createOwner(context, 'person', 'on-a-channel');
    const named = { channelIndex: 1, partyType: 'PARTY_TYPE_PERSON', gkPartyId: { value: owner } };
    const before = await rows('media_segments');
    const { database, store } = await otherNode();
    const [begun, mayEnd] = [meetingOf(2), meetingOf(2)];
    const uploading = store.transaction(async (tx) => {
      await insertMedia(tx, { caller: { subject: 'x', issuer: 'y' }, requestId: 'z' } as Call, {
        gkMediaSegmentId: randomUUID(),
        gkScopeId,
        gkEngagementId: context.gkEngagementId?.value ?? '',
        gkSessionId: context.gkSessionId?.value ?? '',
        container: 'WAV',
        callParties: [{ channelIndex: 1, partyType: 'PERSON', gkPartyId: owner }],
        uploadExpiresAtMs: Date.now() + 60_000,
        legalHold: false,
        customData: {},
        createdAtMs: Date.now(),
        modifiedAtMs: Date.now(),
      });
      await begun();
      await mayEnd();
    });
    await begun();
    const erasing = erase(await platform.open(), owner);
    await waiting(database, 1);
    await mayEnd();
    await uploading;
    expect(await erasing).toMatchObject({ media: 1 });
    const late = await platform.post('/v1/audios/upload-url', {
      context: await platform.open(),
      container: 'CONTAINER_WAV',
      callParties: [named],
    });
    expect([late.status, JSON.stringify(late.body)]).toEqual([
      404,
      expect.stringContaining('call_parties[0].gk_party_id'),
    ]);
    expect(await rows('media_segments')).toBe(before);
  });
}
