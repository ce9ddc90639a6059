// What happens to recordings while a backup is made: deleted ones are not restored, missing and damaged ones are named and do
// not stop it, and nobody's writes wait for it.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkDatabase } from '../../src/compose/doctor/state-checks.js';
import { createBackup } from '../../src/storage/backup/create-backup.js';
import { restoreBackup } from '../../src/storage/backup/restore-backup.js';
import { MARK_SETTING } from '../../src/storage/backup/restore-mark.js';
import { tableNames, withSnapshot } from '../../src/storage/backup/snapshot.js';
import type { BlobStore } from '../../src/storage/blobs/blob-store.js';
import { fileBlobs } from '../../src/storage/blobs/file-blobs.js';
import { s3Blobs } from '../../src/storage/blobs/s3/s3-blobs.js';
import { openDatabase, type Database } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { readSetting, writeSetting } from '../../src/storage/settings.js';
import { forEachDatabase } from '../support/database.js';
import { startS3, type StoredObject } from '../support/s3/server.js';
import { optionsOf } from '../support/s3/stores.js';
import {
  temporaryFolder,
  TEST_MASTER_KEY,
  testClock,
  testStorage,
  type TestStorage,
} from '../support/storage.js';

const TENANT = 'tenant-1';
const kept = { kept: 'spoken words', deleted: 'gone', missing: 'lost', damaged: 'broken' };

async function* piece(text: string): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(Buffer.from(text));
}

async function heard(blobs: BlobStore, blobId: string): Promise<string> {
  let text = '';
  for await (const bytes of blobs.read({ tenantKey: TENANT, blobId })) text += Buffer.from(bytes).toString();
  return text;
}

function blobsIn(root: string, { database, keyring, clock }: TestStorage, db = database.db): BlobStore {
  return fileBlobs({ root, clock, sealerOf: (tenantKey) => keyring.forTenant(db, tenantKey) });
}

async function record({ database }: TestStorage, blobs: BlobStore, id: string, text: string): Promise<void> {
  await blobs.put({ tenantKey: TENANT, blobId: id }, piece(text), { maxBytes: 1000 });
  await database.db
    .insertInto('media_segments')
    .values({
      gk_media_segment_id: `media-${id}`,
      gk_scope_id: TENANT,
      gk_engagement_id: 'e',
      gk_session_id: 's',
      gk_person_id: null,
      legal_hold: 0,
      blob_id: id,
      document: '{}',
      texts: null,
      created_at: 1,
      modified_at: 1,
    })
    .execute();
}

const fileOf = (root: string, id: string): string => {
  const found = readdirSync(root, { recursive: true }).find((name) => String(name).endsWith(`/${id}`));
  return join(root, String(found));
};

async function mediaIn({ db }: Database): Promise<string[]> {
  const rows = await db.selectFrom('media_segments').select('gk_media_segment_id as id').execute();
  return rows.map(({ id }) => id).sort();
}

await forEachDatabase((under) => {
  it('reads the rows of one moment, and others write meanwhile', async () => {
    const options = await under.locate();
    const reader = openDatabase(options);
    const writer = openDatabase(options);
    try {
      await migrate(reader, testClock());
      await writeSetting(writer, 'early', 'x');
      const names: unknown[] = [];
      await withSnapshot(reader, async ([first, ...others]) => {
        for await (const page of first?.pages() ?? []) expect(page.length).toBeGreaterThan(0);
        await writeSetting(writer, 'late', 'x');
        for (const table of others.filter(({ name }) => name === 'settings'))
          for await (const page of table.pages()) names.push(...page.map((row) => row['name']));
      });
      expect(names).toEqual(['early']);
      expect(await readSetting(reader, 'late')).toBe('x');
    } finally {
      await reader.close();
      await writer.close();
    }
  });

  it('names what cannot be read, and leaves out what was deleted', async () => {
    const folder = temporaryFolder();
    const live = await testStorage(await under.open());
    const root = join(folder, 'blobs');
    const blobs = blobsIn(root, live);
    for (const [id, text] of Object.entries(kept)) await record(live, blobs, id, text);
    rmSync(fileOf(root, 'missing'));
    writeFileSync(fileOf(root, 'damaged'), 'not what it was');

    // All rows are read before the first recording is asked for.
    const meanwhile: BlobStore = Object.assign(Object.create(blobs) as BlobStore, {
      read: (key: Parameters<BlobStore['read']>[0]) => blobs.read(key),
      list: (tenantKey: string) => blobs.list(tenantKey),
      async tenants() {
        const { db } = live.database;
        await db.deleteFrom('media_segments').where('blob_id', '=', 'deleted').execute();
        await blobs.delete({ tenantKey: TENANT, blobId: 'deleted' });
        return blobs.tenants();
      },
    });
    const path = join(folder, 'backup');
    const master = await live.keyring.master(live.database.db);
    const report = await createBackup({ database: live.database, blobs: meanwhile, master }, path, {
      createdAt: 'now',
      program: 'test',
    });
    expect(report).toMatchObject({
      recordings: 1,
      missing: ['media-missing'],
      damaged: ['media-damaged'],
    });

    const target = openDatabase({ kind: 'sqlite', file: join(folder, 'restored.db') });
    try {
      const restoredRoot = join(folder, 'restored');
      const restored = (): TestStorage => ({ ...live, database: target });
      await restoreBackup(
        {
          database: target,
          clock: live.clock,
          master,
          openBlobs: (tx) => blobsIn(restoredRoot, restored(), tx),
        },
        path,
      );
      expect(await mediaIn(target)).toEqual(['media-damaged', 'media-kept', 'media-missing']);
      const there = blobsIn(restoredRoot, restored());
      expect(await heard(there, 'kept')).toBe(kept.kept);
      expect(await there.exists({ tenantKey: TENANT, blobId: 'damaged' })).toBe(false);
    } finally {
      await target.close();
    }
  });

  it('leaves recordings alone that outlived their database, also when it fails', async () => {
    const folder = temporaryFolder();
    const live = await testStorage(await under.open());
    const stored = await storeFor(under.dialect, folder);
    const blobs = stored.open(live);
    for (const id of ['kept', 'damaged'] as const) await record(live, blobs, id, kept[id]);
    const path = join(folder, 'backup');
    const master = await live.keyring.master(live.database.db);
    await createBackup({ database: live.database, blobs, master }, path, {
      createdAt: 'now',
      program: 'test',
    });
    await record(live, blobs, 'later', 'said after the backup');
    const before = await stored.raw('kept');

    const restored = async (file: string, backup: string) => {
      const database = openDatabase({ kind: 'sqlite', file: join(folder, file) });
      onTestFinished(() => database.close());
      const openBlobs = (db: Database['db']) => stored.open({ ...live, database: { ...database, db } });
      await restoreBackup({ database, clock: live.clock, master, openBlobs }, backup);
      return stored.open({ ...live, database });
    };
    writeFileSync(join(folder, 'cut'), readFileSync(path).subarray(0, -10));
    await expect(restored('failed.db', join(folder, 'cut'))).rejects.toMatchObject({
      fault: 'BACKUP_DAMAGED',
    });
    expect(await heard(blobs, 'kept')).toBe(kept.kept);

    await stored.spoil('damaged');
    const there = await restored('restored.db', path);
    expect(await heard(there, 'kept')).toBe(kept.kept);
    expect(await heard(there, 'damaged')).toBe(kept.damaged);
    expect(await heard(there, 'later')).toBe('said after the backup');
    expect((await stored.raw('kept')).equals(before)).toBe(true);
  });

  describe('a restore that was killed while it filled the tables', () => {
    async function killed() {
      const folder = temporaryFolder();
      const live = await testStorage(await under.open());
      await record(live, blobsIn(join(folder, 'blobs'), live), 'kept', kept.kept);
      const path = join(folder, 'backup');
      const master = await live.keyring.master(live.database.db);
      const blobs = blobsIn(join(folder, 'blobs'), live);
      await createBackup({ database: live.database, blobs, master }, path, {
        createdAt: 'now',
        program: 'test',
      });
      const options = await under.locate();
      const target = openDatabase(options);
      onTestFinished(() => target.close());
      const restore = (database: Database, from = path) =>
        restoreBackup(
          {
            database,
            clock: live.clock,
            master,
            openBlobs: (tx) => blobsIn(join(folder, 'restored'), { ...live, database: target }, tx),
          },
          from,
        );
      // The transaction that makes the tables ends, the one that fills them is never heard of again.
      let transactions = 0;
      const dying: Database = {
        ...target,
        transaction: (work) => (transactions++ === 0 ? target.transaction(work) : new Promise(() => {})),
      };
      void restore(dying);
      await expect.poll(() => transactions).toBe(2);
      const open = () =>
        openStorage({
          home: folder,
          databaseUrl: options.kind === 'sqlite' ? `sqlite:${options.file}` : options.url,
          masterKey: TEST_MASTER_KEY,
          clock: live.clock,
        });
      return { folder, target, restore, open, path };
    }

    it('is no installation: a start and the doctor say what to do', async () => {
      const { target, open } = await killed();
      await expect(open()).rejects.toMatchObject({
        fault: 'RESTORE_UNFINISHED',
        message: expect.stringMatching(/begun 20.*Z, has not ended.*run `voxgate restore` again/) as string,
      });
      expect(await checkDatabase(target, 'quick')).toMatchObject({
        status: 'fault',
        found: expect.stringContaining('has not ended') as string,
      });
    });

    it('is made again, and what it left is gone even if that fails', async () => {
      const { folder, target, restore, open, path } = await killed();
      writeFileSync(join(folder, 'cut'), readFileSync(path).subarray(0, -10));
      await expect(restore(target, join(folder, 'cut'))).rejects.toMatchObject({ fault: 'BACKUP_DAMAGED' });
      expect(await tableNames(target)).toEqual([]);
      await restore(target);
      expect(await mediaIn(target)).toEqual(['media-kept']);
      const storage = await open();
      await storage.close();
    });

    // With SQLite nobody else can even look while one is at work.
    if (under.dialect === 'postgres')
      it('is named where it is still at work', { tags: 'slow' }, async () => {
        const { target, restore } = await killed();
        let end = (): void => {};
        const over = new Promise<void>((resolve) => (end = resolve));
        const working = target.transaction(async (tx) => {
          await tx.deleteFrom('settings').where('name', '=', MARK_SETTING).execute();
          await over;
        });
        await expect(restore(target)).rejects.toMatchObject({
          fault: 'RESTORE_UNFINISHED',
          message: expect.stringMatching(
            /begun 20.*Z, has not ended\. If it is still running, wait for it/,
          ) as string,
        });
        end();
        await working;
      });

    it('does not end another one that came after it, nor is it ended by one', async () => {
      const { target, restore } = await killed();
      let goOn = (): void => {};
      const waiting = new Promise<void>((resolve) => (goOn = resolve));
      let transactions = 0;
      const slow: Database = {
        ...target,
        // Its tables are taken away, made anew, and then it waits before it fills them.
        transaction: async (work) => {
          if (++transactions === 3) await waiting;
          return target.transaction(work);
        },
      };
      const first = restore(slow).catch((error: unknown) => error);
      await expect.poll(() => transactions).toBe(3);
      await restore(target);
      goOn();
      expect(await first).toMatchObject({ fault: 'NOT_EMPTY' });
      expect(await mediaIn(target)).toEqual(['media-kept']);
    });
  });
});

/** Files with SQLite, S3 with PostgreSQL: what lies there, and as somebody sees it who has no keys. */
async function storeFor(dialect: string, folder: string) {
  if (dialect === 'sqlite') {
    const root = join(folder, 'blobs');
    return {
      open: (storage: TestStorage) => blobsIn(root, storage),
      raw: async (id: string) => readFileSync(fileOf(root, id)),
      spoil: async (id: string) => writeFileSync(fileOf(root, id), 'not what it was'),
    };
  }
  const s3 = await startS3();
  onTestFinished(() => s3.stop());
  const object = (id: string): StoredObject => {
    const found = [...s3.objects].find(([name]) => name.endsWith(id))?.[1];
    if (!found) throw new Error(`there is no ${id}`);
    return found;
  };
  return {
    open: ({ database, keyring, clock }: TestStorage): BlobStore =>
      s3Blobs({
        bucket: optionsOf(s3),
        prefix: 'media',
        clock,
        sealerOf: (tenantKey) => keyring.forTenant(database.db, tenantKey),
      }),
    raw: async (id: string) => Buffer.from(object(id).body),
    spoil: async (id: string) => void (object(id).body = Buffer.from('not what it was')),
  };
}
