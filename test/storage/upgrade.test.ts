// Databases of earlier versions: free texts that lie there in the clear are sealed, also when the process is killed on
// the way, and calls are served while the schema changes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { sql, type Kysely } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import { openDatabase, type Database, type DatabaseOptions } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { migrations } from '../../src/storage/migrations/index.js';
import type { Migration } from '../../src/storage/migrations/migration.js';
import { openStorage, type Storage } from '../../src/storage/open-storage.js';
import { forEachDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { temporaryFolder, TEST_MASTER_KEY, testClock } from '../support/storage.js';

const TENANT = 'tenant-1';
const MANY = 2000;
const OLDEST = Math.min(...migrations.map(({ version }) => version));
const times = { created_at: 1, modified_at: 2 };
const scoped = { gk_scope_id: TENANT, ...times };

const tenant = {
  ...scoped,
  scope_id: 'a company',
  customer_name: '',
  description: '',
  is_billable: 0,
  state: 'ACTIVE',
  profile: 'DEFAULT',
  type: 'PRODUCTION',
  expected_persons_number: 1,
};

/** What a next version may do in one step: everything that is there stays as it is. */
const nextStep: Migration = {
  version: 9000,
  name: 'next',
  async up(db) {
    await db.schema.alterTable('collections').addColumn('of_the_next', 'text').execute();
    await db.schema
      .alterTable('settings')
      .addColumn('with_default', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.createTable('of_the_next').addColumn('id', 'text').execute();
    await db.schema.createIndex('of_the_next_index').on('collections').columns(['external_id']).execute();
  },
};

type Rows = Kysely<Record<string, Record<string, unknown>>>;

/** A database as the oldest version that can be upgraded left it. */
async function before(options: DatabaseOptions, fill: (db: Rows) => Promise<void>): Promise<void> {
  const database = openDatabase(options);
  try {
    const steps = migrations.filter((step) => step.version <= OLDEST);
    await migrate(database, testClock(), steps);
    await database.transaction((tx) => fill(tx as unknown as Rows));
  } finally {
    await database.close();
  }
}

const urlOf = (options: DatabaseOptions): string =>
  options.kind === 'sqlite' ? `sqlite:${options.file}` : options.url;

async function opened(options: DatabaseOptions, home: string): Promise<Storage> {
  const storage = await openStorage({ home, databaseUrl: urlOf(options), masterKey: '', clock: testClock() });
  onTestFinished(() => storage.close());
  return storage;
}

const engagement = {
  ...scoped,
  gk_engagement_id: 'e1',
  engagement_id: 'own',
  correlation_id: '',
  is_active: 1,
  last_activity_at: 1,
};
const print = {
  ...scoped,
  gk_voiceprint_profile_id: 'v1',
  gk_owner_id: 'p1',
  owner_type: 'PERSON',
  tag: 'main',
  status: 'NOT_TRAINED',
  version: 0,
  near_term_adaptation: 0,
};
const audio = { ...scoped, gk_media_segment_id: 'm1' };
const media = { ...audio, gk_engagement_id: 'e1', gk_session_id: 's1', legal_hold: 0 };
const settled = { locked: true, text: 'secret words', lockedBy: 'me', mismatchCounter: 0, lockedAt: 5 };

async function writePlainTexts(db: Rows): Promise<void> {
  const verdict = {
    verdict: 'FRAUD',
    description: 'secret verdict',
    at: 3,
    analystId: 'secret analyst',
    amount: '7',
  };
  const document = { analystId: '', configsetId: 'c', customData: { why: 'secret engagement' }, verdict };
  await db
    .insertInto('engagements')
    .values({ ...engagement, document: JSON.stringify(document) })
    .execute();
  await db
    .insertInto('collections')
    .values({ ...scoped, gk_id: 'g1', kind: 'GROUP', external_id: 'g', custom_data: '{"a":"secret group"}' })
    .execute();
  await db
    .insertInto('voiceprint_profiles')
    .values({ ...print, lock: JSON.stringify(settled), custom_data: '{"a":"secret print"}' })
    .execute();
  const about = { container: 'WAV', callParties: [], customData: { a: 'secret media' }, uploadExpiresAt: 9 };
  await db
    .insertInto('media_segments')
    .values({ ...media, document: JSON.stringify(about) })
    .execute();
}

/** A batch of a version that wrote what it is described with into its settings. */

async function writePlainDescription(db: Rows): Promise<void> {
  const document = {
    input: JSON.stringify({ operation: 'ENROLL', description: 'secret batch', tag: 'main' }),
    result: '',
    error: '',
    requestedBy: 'me',
    attempts: 0,
  };
  const job = { gk_job_id: 'j1', kind: 'BATCH', state: 'COMPLETED', document: JSON.stringify(document) };
  await db
    .insertInto('jobs')
    .values({ ...scoped, ...job })
    .execute();
}

/** All files of the folders and, where the database is elsewhere, all rows: what somebody finds who takes the disks. */
async function secretsIn(database: Database, ...folders: string[]): Promise<string[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
  if (database.dialect === 'postgres')
    for (const table of ['engagements', 'collections', 'voiceprint_profiles', 'media_segments', 'jobs'])
      texts.push(
        JSON.stringify((await sql`select t::text from ${sql.table(table)} t`.execute(database.db)).rows),
      );
  return texts.flatMap((text) => text.match(/\bsecret \w+/g) ?? []);
}

const CHECKS = 4500;

/** As 0.2.0 stores them. */
async function writeChecks(db: Rows): Promise<void> {
  const ids = Array.from({ length: CHECKS }, (_, number) => number);
  for (let first = 0; first < CHECKS; first += 500)
    await db
      .insertInto('factors')
      .values(
        ids.slice(first, first + 500).map((number) => ({
          ...{ factor_id: `f${number}`, gk_scope_id: TENANT, gk_engagement_id: 'e1', gk_session_id: 's1' },
          ...{ kind: 'AUTHENTICATION', created_at: number },
          document: JSON.stringify({
            ...{ operation: 'Verify', decision: 'AUTHENTIC', gkVoiceprintProfileId: `print ${number}` },
            ...(number % 2 === 0 && { gkProcessedAudioId: `audio ${number}` }),
          }),
        })),
      )
      .execute();
}

await forEachDatabase((under) => {
  describe('checks that 0.2.0 stored', () => {
    it('are found by what they name from the first start on, also if that was interrupted', async () => {
      const options = await under.locate();
      const home = temporaryFolder();
      await before(options, writeChecks);
      const interrupted = openDatabase(options);
      await migrate(interrupted, testClock());
      await interrupted.db
        .updateTable('factors')
        .set({ decision: 'AUTHENTIC', operation: 'Verify', gk_voiceprint_profile_id: 'print 7' })
        .where('factor_id', '=', 'f7')
        .execute();
      await interrupted.close();
      for (const time of ['first', 'second']) {
        const storage = await openStorage({
          ...{ home, databaseUrl: urlOf(options), masterKey: '', clock: testClock() },
        });
        const rows = await storage.database.db.selectFrom('factors').selectAll().execute();
        expect(rows.length, time).toBe(CHECKS);
        const wrong = rows.filter(({ created_at: number, ...row }) => {
          const isHeard = number % 2 === 0;
          return (
            row.decision !== 'AUTHENTIC' ||
            row.operation !== 'Verify' ||
            row.gk_voiceprint_profile_id !== `print ${number}` ||
            row.gk_processed_audio_id !== (isHeard ? `audio ${number}` : null)
          );
        });
        expect(wrong, time).toEqual([]);
        await storage.close();
      }
    });
  });

  describe('free texts that lie in the clear', () => {
    it('are sealed at the first start, and read as before', async () => {
      const options = await under.locate();
      const home = temporaryFolder();
      await before(options, writePlainTexts);
      const { database, keyring, audit } = await opened(options, home);
      const folders = options.kind === 'sqlite' ? [home, join(options.file, '..')] : [home];
      expect(await secretsIn(database, ...folders)).toEqual([]);

      const { read } = createBiometricsStore(database, keyring, audit);
      expect(await read.engagements.find(TENANT, 'e1')).toMatchObject({
        customData: { why: 'secret engagement' },
        configsetId: 'c',
        verdict: { description: 'secret verdict', analystId: 'secret analyst', amount: 7n, atMs: 3 },
      });
      expect(await read.collections.find(TENANT, 'GROUP', 'g1')).toMatchObject({
        customData: { a: 'secret group' },
      });
      const { lockedAt, ...lock } = settled;
      expect(await read.profiles.find(TENANT, 'v1')).toMatchObject({
        customData: { a: 'secret print' },
        lock: { ...lock, lockedAtMs: lockedAt },
      });
      expect(await read.media.find(TENANT, 'm1')).toMatchObject({
        customData: { a: 'secret media' },
        uploadExpiresAtMs: 9,
      });
    });

    it('are sealed where a batch is described with one, and stay so when its job is written again', async () => {
      const options = await under.locate();
      const home = temporaryFolder();
      await before(options, writePlainDescription);
      const { database, keyring, audit } = await opened(options, home);
      const folders = options.kind === 'sqlite' ? [home, join(options.file, '..')] : [home];
      const store = createBiometricsStore(database, keyring, audit);
      const described = async (): Promise<unknown> => {
        expect(await secretsIn(database, ...folders)).toEqual([]);
        return JSON.parse((await store.read.jobs.find(TENANT, 'j1'))?.input ?? '{}');
      };
      const settings = { operation: 'ENROLL', description: 'secret batch', tag: 'main' };
      expect(await described()).toEqual(settings);
      const [job] = await store.read.jobs.list(TENANT, 'BATCH', 10);
      if (!job) throw new Error('the job is gone');
      await store.transaction((tx) => tx.jobs.update({ ...job, state: 'FAILED' }));
      expect(await described()).toEqual(settings);
      // A node of the version before knows nothing of the sealed one, and writes what it has read.
      const { rows } = await sql<{ document: string }>`select document from jobs`.execute(database.db);
      expect(JSON.parse(JSON.parse(rows[0]?.document ?? '{}').input)).toMatchObject({ description: '' });
    });

    it('are all sealed in the end when the first start is killed half-way', { timeout: 60_000 }, async () => {
      const options = await under.locate();
      const home = temporaryFolder();
      await before(options, async (db) => {
        const group = (n: number) => ({ ...scoped, gk_id: `g${n}`, kind: 'GROUP', external_id: `g${n}` });
        for (let first = 0; first < MANY; first += 200)
          await db
            .insertInto('collections')
            .values(
              Array.from({ length: 200 }, (_, n) => ({
                ...group(first + n),
                custom_data: JSON.stringify({ a: `secret ${first + n}` }),
              })),
            )
            .execute();
      });
      const watching = openDatabase(options);
      onTestFinished(() => watching.close());
      const sealedRows = async (): Promise<number> => {
        const count = sql<{ n: number }>`select count(*) as n from collections where texts is not null`;
        return Number((await count.execute(watching.db)).rows[0]?.n);
      };
      const child = spawn(process.execPath, [await bundledChild(), home, urlOf(options)], {
        stdio: 'ignore',
      });
      const exited = once(child, 'exit');
      while (child.exitCode === null && (await sealedRows().catch(() => 0)) === 0)
        await new Promise((resolve) => setTimeout(resolve, 2));
      child.kill('SIGKILL');
      await exited;
      const halfWay = await sealedRows();
      expect(halfWay).toBeGreaterThan(0);
      expect(halfWay).toBeLessThan(MANY);

      const { database, keyring, audit } = await opened(options, home);
      expect(await sealedRows()).toBe(MANY);
      const { read } = createBiometricsStore(database, keyring, audit);
      for (const n of [0, halfWay, MANY - 1])
        expect(await read.collections.find(TENANT, 'GROUP', `g${n}`)).toMatchObject({
          customData: { a: `secret ${n}` },
        });
      const folders = options.kind === 'sqlite' ? [home, join(options.file, '..')] : [home];
      expect(await secretsIn(database, ...folders)).toEqual([]);
    });
  });

  it(
    'serves without a failed call on the oldest schema, while a newer one is made, and beside it',
    { timeout: 120_000 },
    async () => {
      const options = await under.locate();
      await before(options, async (db) => {
        await db.insertInto('scopes').values(tenant).execute();
        await db
          .insertInto('collections')
          .values({ ...scoped, gk_id: 'g1', kind: 'GROUP', external_id: 'old group', custom_data: '{}' })
          .execute();
      });
      const config = { database: urlOf(options), 'sealing.masterKey': TEST_MASTER_KEY };
      // Both find the oldest schema, and one of them makes the new one.
      const servers = await Promise.all([startTestServer({ config }), startTestServer({ config })]);
      onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop()))));
      const context = { gkScopeId: { value: TENANT } };
      const failed: unknown[] = [];
      let calls = 0;
      let isOver = false;
      const work = async (server: TestServer, name: string): Promise<void> => {
        for (let count = 0; !isOver || count < 3; count++) {
          const made = await server.rest('POST', '/v1/configsets', {
            body: {
              context,
              configsetId: `${name} ${count}`,
              type: 'CONFIGSET_TYPE_OPERATIONAL',
              rawContent: 'e30=',
            },
          });
          const found = await server.rest('GET', `/v1/groups/g1?context.gk_scope_id.value=${TENANT}`);
          calls += 2;
          failed.push(...[made, found].filter(({ status }) => status !== 200));
          if (found.body.details?.groupId !== 'old group') failed.push(found.body);
        }
      };
      const load = servers.map((server, index) => work(server, `load ${index}`));
      const upgrading = openDatabase(options);
      onTestFinished(() => upgrading.close());
      await migrate(upgrading, testClock(), [...migrations, nextStep]);
      // A node of this version that is restarted meanwhile, or brought back, finds the newer schema and works with it.
      const again = await startTestServer({ config });
      onTestFinished(() => again.stop());
      load.push(work(again, 'again'));
      isOver = true;
      await Promise.all(load);
      expect(failed).toEqual([]);
      expect(calls).toBeGreaterThan(12);
    },
  );

  it('knows whose prints earlier versions deleted, of fraudsters who are there and of those who are gone', async () => {
    const options = await under.locate();
    await before(options, async (db) => {
      const party = (id: string, kind: string) => ({
        ...{ ...scoped, gk_id: id, kind, external_id: id, consent: null, details: new Uint8Array(1) },
      });
      await db
        .insertInto('parties')
        .values([party('f1', 'FRAUDSTER'), party('p1', 'PERSON')])
        .execute();
      const deletion = (seq: number, operation: string, subjects: string[]) => ({
        ...{ scope_key: TENANT, seq, time: seq, record_type: 'VOICEPRINT_EVENT', operation },
        ...{ actor_subject: 'ann', actor_issuer: 'here', context: '{}', detail: '{}' },
        subject_ids: JSON.stringify(subjects),
        ...{ personal: null, personal_digest: null, prev_hash: 'x', hash: 'y' },
      });
      await db
        .insertInto('audit_records')
        .values([
          deletion(1, 'DeleteVoiceprintProfile', ['of f1', 'f1']),
          deletion(2, 'DeleteVoiceprintProfile', ['of p1', 'p1']),
          deletion(3, 'DeleteVoiceprintProfile', ['first of f2', 'f2']),
          deletion(4, 'DeleteFraudster', ['f2', 'second of f2', 'third of f2']),
        ])
        .execute();
    });
    const database = openDatabase(options);
    onTestFinished(() => database.close());
    await migrate(database, testClock(), migrations);
    const rows = await database.db.selectFrom('former_fraudster_prints').selectAll().execute();
    const owners = rows.map((row) => [row.gk_voiceprint_profile_id, row.gk_fraudster_id]);
    expect(Object.fromEntries(owners)).toEqual({
      ...{ 'of f1': 'f1', 'first of f2': 'f2', 'second of f2': 'f2', 'third of f2': 'f2' },
    });
    expect(new Set(rows.map((row) => row.gk_scope_id))).toEqual(new Set([TENANT]));
  });
});

async function bundledChild(): Promise<string> {
  const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'voxgate-kill-test');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `seal-child-${process.pid}.cjs`);
  onTestFinished(() => rmSync(outfile, { force: true }));
  await build({
    entryPoints: [join(import.meta.dirname, 'seal-child.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['libsql', 'pg-native'],
    logLevel: 'error',
  });
  return outfile;
}
