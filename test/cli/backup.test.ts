// `voxgate backup` and `voxgate restore`: what was acknowledged when the backup began is in it although the server goes on,
// it opens only with the master key, and what is restored works: a voice is verified, the trail is whole, every recording opens.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { tableNames } from '../../src/storage/backup/snapshot.js';
import { openDatabase } from '../../src/storage/database.js';
import { databaseOptions } from '../../src/storage/open-storage.js';
import { newMasterKey } from '../../src/storage/sealing/master-key.js';
import { forEachStore, Platform, utterance, type RequestContext } from '../biometrics/support.js';
import { freshPostgresDatabase } from '../support/fresh-postgres.js';
import { sharedPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/storage.js';
import { voxgate, type Outcome } from './run-voxgate.js';

/** Flags that name an empty database of the other kind: a backup is also the way from one to the other. */
async function otherKind(dialect: string): Promise<string[]> {
  const server = await sharedPostgres();
  if (dialect === 'postgres' || 'fault' in server) return [];
  const database = await freshPostgresDatabase(server.url);
  onTestFinished(() => database.drop());
  return ['--database', (await database.newSchema()).url];
}

const recordingsIn = (home: string): string[] =>
  existsSync(join(home, 'blobs'))
    ? readdirSync(join(home, 'blobs'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== '.store-id')
        .map((entry) => entry.name)
    : [];

it('is not made of an address where nothing is', async () => {
  const home = join(temporaryFolder(), 'nowhere');
  const { code, err } = await voxgate(home, 'backup', '--out', join(home, 'backup'));
  expect([code, err]).toEqual([1, expect.stringContaining('nothing to back up')]);
  expect(existsSync(home)).toBe(false);
});

await forEachStore((store) => {
  describe('a backup of a running server', () => {
    let home: string;
    let file: string;
    let at: string[];
    let platform: Platform;
    let context: RequestContext;
    let profile: string;
    let made: Outcome;
    /** Persons whose creation is acknowledged before the backup begins. */
    const acknowledged = Array.from({ length: 12 }, (_, n) => `person-${n}`);

    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'voxgate-backup-'));
      file = join(home, 'backup.vxb');
      const settings = await store.settings();
      at = typeof settings['database'] === 'string' ? ['--database', settings['database']] : [];
      platform = await Platform.start({ config: { ...settings, home: join(home, 'home') } });
      ({ profile } = await platform.printOf('anna'));
      context = await platform.open();
      const create = async (personId: string): Promise<void> => {
        expect((await platform.post('/v1/persons', { context, personId })).status).toBe(200);
      };
      for (const personId of acknowledged) await create(personId);
      // Others go on writing meanwhile.
      let isRunning = true;
      const write = async (writer: number): Promise<void> => {
        for (let n = 0; isRunning; n++) await create(`${writer}-${n}`);
      };
      const writers = Promise.all([1, 2].map(write));
      made = await voxgate(join(home, 'home'), 'backup', '--out', file, '--json', ...at).finally(() => {
        isRunning = false;
      });
      await writers;
    }, 120_000);
    afterAll(async () => {
      await platform?.server.stop();
      rmSync(home, { recursive: true, force: true });
    });

    it('holds every table and recording, for its owner alone', () => {
      expect(made).toMatchObject({ code: 0, err: '' });
      expect(JSON.parse(made.out)).toMatchObject({ recordings: 3, missing: [], damaged: [] });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      // Sealed whole: not even names that lie in the clear in the database.
      expect(readFileSync(file).includes(platform.gkScopeId)).toBe(false);
      expect(readdirSync(home).sort()).toEqual(['backup.vxb', 'home']);
    });

    it('is never written over another', async () => {
      const { code, err } = await voxgate(join(home, 'home'), 'backup', '--out', file, ...at);
      expect([code, err]).toEqual([1, expect.stringContaining('already')]);
    });

    it('is restored into an empty place of the other kind, where voices are verified', async () => {
      const target = join(temporaryFolder(), 'restored');
      const there = await otherKind(store.dialect);
      const key = join(home, 'home', 'master.key');
      const restored = await voxgate(target, 'restore', file, '--key-file', key, '--json', ...there);
      expect(restored).toMatchObject({ code: 0, err: '' });
      expect(JSON.parse(restored.out)).toMatchObject({ recordings: 3, missing: [], damaged: [] });
      const doctor = await voxgate(target, 'doctor', '--json', ...there);
      const { checks } = JSON.parse(doctor.out) as {
        checks: { name: string; status: string; found: string }[];
      };
      const found = Object.fromEntries(
        checks.map(({ name, status, found }) => [name, `${status}: ${found}`]),
      );
      expect(found).toMatchObject({
        database: expect.stringMatching(/^ok/),
        keys: expect.stringMatching(/^ok/),
        recordings: 'ok: 3 recordings, all open',
        'audit trail': expect.stringMatching(/^ok: .*unbroken$/),
      });
      const trail = await voxgate(
        target,
        'audit',
        'list',
        '--operation',
        'backup.restore',
        '--json',
        ...there,
      );
      expect((JSON.parse(trail.out) as { records: unknown[] }).records).toHaveLength(1);

      const config = { home: target, ...(there[1] && { database: there[1] }) };
      const again = await Platform.restarted(platform, { config });
      onTestFinished(() => again.stop());
      const lost = [];
      for (const personId of acknowledged) {
        const path = `/v1/persons/${personId}/gkid?${again.query(context)}`;
        if ((await again.server.rest('GET', path)).status !== 200) lost.push(personId);
      }
      expect(lost).toEqual([]);
      const decided = async (bytes: Uint8Array): Promise<string> =>
        (await again.verify(await again.open(), profile, bytes)).body.result.decision;
      expect(await decided(utterance('anna', 4))).toBe('DECISION_AUTHENTIC');
      expect(await decided(utterance('bruno', 4))).toBe('DECISION_NO_MATCH');
    });

    it('is refused where it does not belong, and leaves nothing there', async () => {
      const folder = temporaryFolder();
      const key = join(home, 'home', 'master.key');
      const refused = async (target: string, from: string, ...more: string[]): Promise<string> => {
        const { code, err } = await voxgate(target, 'restore', from, ...more);
        expect([code, err.trim().split('\n').length]).toEqual([1, 1]);
        return err;
      };
      expect(await refused(join(home, 'home'), file, ...at)).toContain('not empty');
      const target = join(folder, 'target');
      expect(await refused(target, file)).toMatch(/sealed with master key .* holds none/);
      const otherKey = join(folder, 'other.key');
      writeFileSync(otherKey, Buffer.from(newMasterKey().bytes).toString('base64'), { mode: 0o600 });
      expect(await refused(target, file, '--key-file', otherKey)).toMatch(
        /sealed with master key .* holds key/,
      );
      expect(await refused(target, key, '--key-file', key)).toContain('not a backup');

      const bytes = readFileSync(file);
      const cut = join(folder, 'cut');
      writeFileSync(cut, bytes.subarray(0, -20));
      const changed = join(folder, 'changed');
      const middle = Math.floor(bytes.length * 0.9);
      writeFileSync(changed, bytes.with(middle, (bytes[middle] ?? 0) ^ 1));
      for (const broken of [cut, changed]) {
        expect(await refused(target, broken, '--key-file', key)).toContain('changed or cut off');
        expect(existsSync(target)).toBe(false);
      }
      const checked = await voxgate(target, 'restore', file, '--check', '--json', '--key-file', key);
      expect(JSON.parse(checked.out)).toMatchObject({ recordings: 3 });
      expect(existsSync(target)).toBe(false);
      // What was there before stays.
      mkdirSync(target);
      copyFileSync(key, join(target, 'master.key'));
      await refused(target, cut);
      expect(readdirSync(target)).toEqual(['master.key']);
      expect((await voxgate(target, 'restore', file)).code).toBe(0);
      expect(recordingsIn(target)).toHaveLength(3);
    });

    it('that cannot be restored to its end leaves a database of the other kind without tables', async () => {
      const folder = temporaryFolder();
      const key = join(home, 'home', 'master.key');
      const there = await otherKind(store.dialect);
      const cut = join(folder, 'cut');
      writeFileSync(cut, readFileSync(file).subarray(0, -20));
      const failed = await voxgate(join(folder, 'target'), 'restore', cut, '--key-file', key, ...there);
      expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('changed or cut off') });
      const where = databaseOptions({ home: folder, databaseUrl: there[1] ?? '' });
      const database = openDatabase(where);
      onTestFinished(() => database.close());
      expect(await tableNames(database)).toEqual([]);
    });
  });
});
