/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// A database that Voxgate 0.2.0 filled (test/fixtures/README.md), in both stores: this program upgrades it and works with
// everything in it. One that is older, or of a build between releases, is refused and left as it is.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { verifyChain } from '../../src/audit/verify-chain.js';
import { checkDatabase } from '../../src/compose/doctor/state-checks.js';
import { systemClock } from '../../src/platform.js';
import { createBackup } from '../../src/storage/backup/create-backup.js';
import { restoreBackup } from '../../src/storage/backup/restore-backup.js';
import { tableNames } from '../../src/storage/backup/snapshot.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import { fileBlobs } from '../../src/storage/blobs/file-blobs.js';
import { schemaVersion } from '../../src/storage/checks/database.js';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { migrations } from '../../src/storage/migrations/index.js';
import type { Migration } from '../../src/storage/migrations/migration.js';
import { openStorage, type Storage } from '../../src/storage/open-storage.js';
import { uncheckedKeyring } from '../../src/storage/sealing/keyring.js';
import { givenMasterKey, type MasterKey } from '../../src/storage/sealing/master-key.js';
import { Platform, utterance } from '../biometrics/support.js';
import { forEachDatabase } from '../support/database.js';
import { temporaryFolder, TEST_MASTER_KEY } from '../support/storage.js';

const STORED = join(import.meta.dirname, '..', 'fixtures', 'voxgate-0.2.0.backup');
const SCHEMA_OF_0_2_0 = 49;
const clock = systemClock;
const source = givenMasterKey(TEST_MASTER_KEY, 'the test');
const master = source.load() as MasterKey;
/** What is stored does not age while this test is kept. */
const forever = {
  'retention.mediaDays': 36_500,
  'retention.sessionDays': 36_500,
  'retention.auditDays': 36_500,
};

const urlOf = (options: DatabaseOptions): string =>
  options.kind === 'sqlite' ? `sqlite:${options.file}` : options.url;

const blobsIn = (home: string, database: Database) =>
  fileBlobs({
    root: join(home, 'blobs'),
    clock,
    sealerOf: (tenant) => uncheckedKeyring({ source, clock }).forTenant(database.db, tenant),
  });

const restoreInto = (database: Database, home: string, path: string) =>
  restoreBackup({ database, clock, master, openBlobs: (tx) => blobsIn(home, { ...database, db: tx }) }, path);

/** Restores what 0.2.0 stored, as it was there. */
async function stored(options: DatabaseOptions): Promise<{ home: string; gkScopeId: string }> {
  const home = temporaryFolder();
  const database = openDatabase(options);
  try {
    await restoreInto(database, home, STORED);
    expect(await schemaVersion(database)).toBe(SCHEMA_OF_0_2_0);
    const { gk_scope_id: gkScopeId } = await database.db
      .selectFrom('scopes')
      .select('gk_scope_id')
      .executeTakeFirstOrThrow();
    return { home, gkScopeId };
  } finally {
    await database.close();
  }
}

async function serve(options: DatabaseOptions, { home, gkScopeId }: { home: string; gkScopeId: string }) {
  const config = { ...forever, home, database: urlOf(options), 'sealing.masterKey': TEST_MASTER_KEY };
  const platform = await Platform.restarted({ gkScopeId, configsetId: 'calls' } as Platform, { config });
  const get = async (path: string): Promise<any> => {
    const asked = `${path}?pageSize=100&context.gk_scope_id.value=${gkScopeId}`;
    const { status, body } = await platform.server.rest('GET', asked);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  return { platform, get };
}

async function opened(options: DatabaseOptions, home: string): Promise<Storage> {
  const storage = await openStorage({ home, databaseUrl: urlOf(options), masterKey: TEST_MASTER_KEY, clock });
  onTestFinished(() => storage.close());
  return storage;
}

const rowOf = ({ details, persons, fraudsters, enrolledFraudsters, verdict }: any): string =>
  [
    details.riskInfo?.decision ?? 'nothing',
    ...(persons ?? []).map(({ personId, role }: any) => `${role} ${personId}`),
    ...(fraudsters ?? []).map(({ fraudsterId }: any) => `recognized ${fraudsterId}`),
    ...(enrolledFraudsters ?? []).map(({ fraudsterId }: any) => `enrolled ${fraudsterId}`),
    ...(verdict ? [verdict] : []),
  ].join(', ');

await forEachDatabase((under) => {
  describe('a database that 0.2.0 filled', () => {
    it('is upgraded: its sessions are listed, and its voiceprints decide', { timeout: 60_000 }, async () => {
      const options = await under.locate();
      const { platform, get } = await serve(options, await stored(options));
      onTestFinished(() => platform.stop());
      expect((await get('/v1/x/sessions')).sessions.map(rowOf)).toEqual([
        // The voiceprint by which he was recognized has been deleted since: the upgrade knows whose it was.
        'DECISION_FRAUD, recognized fritz, ENGAGEMENT_VERDICT_FRAUD',
        'DECISION_AUTHENTIC, SESSION_PERSON_ROLE_VERIFIED anna',
        'nothing',
        'DECISION_UNCERTAIN, enrolled fritz',
        'DECISION_UNCERTAIN, SESSION_PERSON_ROLE_ENROLLED anna',
      ]);
      const anna = (await get('/v1/persons/anna/gkid')).gkPersonId.value;
      const [print] = (await get(`/v1/persons/${anna}/profiles`)).gkVoiceprintProfileIds;
      const decisionOn = async (voice: 'anna' | 'bruno'): Promise<string> =>
        (await platform.verify(await platform.open(), print.value, utterance(voice, 5))).body.result.decision;
      expect(await decisionOn('anna')).toBe('DECISION_AUTHENTIC');
      expect(await decisionOn('bruno')).toBe('DECISION_NO_MATCH');
    });

    it('is upgraded: sealed texts and recordings open, and the audit trail is whole', async () => {
      const options = await under.locate();
      const { home, gkScopeId } = await stored(options);
      const { database, keyring, audit, blobs } = await opened(options, home);
      const { read } = createBiometricsStore(database, keyring, audit);
      const [noted] = await database.db
        .selectFrom('engagements')
        .select('gk_engagement_id as id')
        .where('document', 'like', '%"FRAUD"%')
        .execute();
      expect(await read.engagements.find(gkScopeId, noted?.id ?? '')).toMatchObject({
        verdict: { verdict: 'FRAUD', description: 'he asked for a new card' },
      });
      const { blob_id: blobId } = await database.db
        .selectFrom('media_segments')
        .select('blob_id')
        .orderBy('created_at')
        .executeTakeFirstOrThrow();
      const pieces: Uint8Array[] = [];
      for await (const bytes of blobs.read({ tenantKey: gkScopeId, blobId: String(blobId) }))
        pieces.push(bytes);
      expect(Buffer.concat(pieces).equals(utterance('anna', 1))).toBe(true);
      expect(await verifyChain(audit, gkScopeId)).toMatchObject({ ok: true, records: 36 });
    });

    it('is worked with by this program, and may be started by 0.2.0 again', { timeout: 60_000 }, async () => {
      const options = await under.locate();
      const place = await stored(options);
      const { platform, get } = await serve(options, place);
      const anna = (await get('/v1/persons/anna/gkid')).gkPersonId.value;
      const [print] = (await get(`/v1/persons/${anna}/profiles`)).gkVoiceprintProfileIds;
      await platform.verify(await platform.open(), print.value, utterance('anna', 5));
      expect((await get('/v1/x/sessions')).sessions.map(rowOf)[0]).toContain('DECISION_AUTHENTIC');
      await platform.stop();
      const { database, audit } = await opened(options, place.home);
      const trail = await verifyChain(audit, place.gkScopeId);
      expect(trail.ok).toBe(true);
      expect(trail.records).toBeGreaterThan(36);
      // What 0.2.0 does when it is started: it knows no step after its own, and none says that it must not go on.
      const known = migrations.filter(({ version }) => version <= SCHEMA_OF_0_2_0);
      const newest = await schemaVersion(database);
      expect(await migrate(database, clock, known)).toEqual({ from: newest, to: newest, applied: [] });
    });
  });

  describe.each([
    {
      version: 37,
      told: 'older than Voxgate 0.2.0',
      advice: 'Start Voxgate 0.2.0 with it once, then this one.',
      toStart: 'start Voxgate 0.2.0 with it once, then this program',
      toRestore: 'restore it with Voxgate 0.2.0 and start that once, then this program',
    },
    {
      version: 55,
      told: 'of a build between releases',
      advice: 'Start the build with version 63 with it once, then this one.',
      toStart: 'start the build with version 63 with it once, then this program',
      toRestore: 'restore it with the build with version 63 and start that once, then this program',
    },
  ])('schema version $version', ({ version, told, advice, toStart, toRestore }) => {
    const earlier: Migration = {
      ...{ version, name: 'earlier' },
      up: (db) =>
        db.schema.createTable('settings').addColumn('name', 'text').addColumn('value', 'text').execute(),
    };

    it('is refused in one sentence that says what to do, and stays as it is', async () => {
      const options = await under.locate();
      const database = openDatabase(options);
      onTestFinished(() => database.close());
      await migrate(database, clock, [earlier]);
      const home = temporaryFolder();
      await expect(opened(options, home)).rejects.toMatchObject({
        fault: 'SCHEMA_TOO_OLD',
        message: `the database has schema version ${version}, ${told}: ${toStart}`,
      });
      expect(await checkDatabase(database, 'quick')).toEqual({
        status: 'fault',
        found: `its schema has version ${version}, ${told}`,
        advice,
      });
      expect(await schemaVersion(database)).toBe(version);
      expect(await tableNames(database)).toEqual(['schema_migrations', 'settings']);
    });

    it('is refused in a backup, and nothing is restored', async () => {
      const database = openDatabase(await under.locate());
      onTestFinished(() => database.close());
      await migrate(database, clock, [earlier]);
      const home = temporaryFolder();
      const path = join(home, 'backup');
      const about = { createdAt: new Date(clock.now()).toISOString(), program: 'earlier' };
      await createBackup({ database, blobs: blobsIn(home, database), master }, path, about);
      const empty = await under.open({ empty: true });
      await expect(restoreInto(empty, home, path)).rejects.toMatchObject({
        fault: 'SCHEMA_TOO_OLD',
        message: `the backup has schema version ${version}, ${told}: ${toRestore}`,
      });
      expect(await tableNames(empty)).toEqual([]);
      expect(existsSync(join(home, 'blobs'))).toBe(false);
    });
  });
});
