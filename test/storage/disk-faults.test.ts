// @module-tag slow
// The disk under a running server: full, read only, with a page of the database spoiled, and without a file left to open. Each
// is told to callers, in /readyz and by `voxgate doctor`; nothing that was acknowledged is lost, and nothing is half-written.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/platform.js';
import { openDatabase } from '../../src/storage/database.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { writeSetting } from '../../src/storage/settings.js';
import { Platform, forEachStore, utterance, type RequestContext } from '../biometrics/support.js';
import { voxgate } from '../cli/run-voxgate.js';
import { builtProgram } from '../support/built-program.js';
import { Client, oneWorker, serve } from '../support/served-program.js';
import { startTestServer } from '../support/server.js';
import { canMount, smallDisk, type SmallDisk } from '../support/small-disk.js';
import { temporaryFolder } from '../support/storage.js';

interface Check {
  name: string;
  status: string;
  found: string;
  advice?: string;
}

async function doctor(home: string, ...args: string[]): Promise<{ code: number; checks: Check[] }> {
  const { code, out } = await voxgate(home, 'doctor', '--json', ...args);
  return { code, checks: (JSON.parse(out) as { checks: Check[] }).checks };
}

const named = (checks: readonly Check[], name: string): Check | undefined =>
  checks.find((check) => check.name === name);

/** Overwrites the page of the file in which a text lies. */
function spoilPageOf(path: string, text: string): void {
  const at = readFileSync(path).indexOf(text);
  expect(at).toBeGreaterThan(0);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(2048, 0xa5), 0, 2048, at & ~4095);
  closeSync(file);
}

describe('a damaged page', () => {
  it('is found at the start and by the doctor', async () => {
    const home = temporaryFolder();
    const storage = await openStorage({ home, databaseUrl: '', masterKey: '', clock: systemClock });
    for (let n = 0; n < 200; n++) await writeSetting(storage.database, `filler ${n}`, 'x'.repeat(200));
    await storage.close();
    spoilPageOf(join(home, 'voxgate.db'), 'filler 100');

    await expect(startTestServer({ config: { home } })).rejects.toThrow(/voxgate\.db is damaged .*doctor/);
    const { code, checks } = await doctor(home);
    expect(code).toBe(1);
    expect(named(checks, 'database')).toMatchObject({
      status: 'fault',
      found: expect.stringMatching(/damaged/),
    });
    expect(named(checks, 'database')?.advice).toMatch(/restore/i);
    const { out } = await voxgate(home, 'doctor');
    expect(out).toMatch(/^FAULT {4}database: damaged/m);
  });

  it('is named to whoever needs it while the server runs, and others are served', async () => {
    const home = temporaryFolder();
    const path = join(home, 'voxgate.db');
    const platform = await Platform.start({ config: { home } });
    onTestFinished(() => platform.stop());
    const context = await platform.open();
    const find = () => platform.server.rest('GET', `/v1/persons/spoiled/gkid?${platform.query(context)}`);
    await platform.createOwner(context, 'person', 'spoiled');
    expect((await find()).status).toBe(200);
    // Another process: its write also makes the server read its pages anew.
    const other = openDatabase({ kind: 'sqlite', file: path });
    await writeSetting(other, 'a note', 'of another process');
    await other.close();
    expect(existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0).toBe(0);
    spoilPageOf(path, 'spoiled');
    const { status, body } = await find();
    expect([status, body.status.statusCode]).toEqual([500, 'INTERNAL_ERROR']);
    expect(JSON.stringify(body.status)).toContain('DATABASE_DAMAGED');
    expect((await platform.server.rest('GET', '/v1/scopes')).status).toBe(200);
  });
});

const uploadAddress = async (platform: Platform, context: RequestContext): Promise<string> =>
  (await platform.post('/v1/audios/upload-url', { context, container: 'CONTAINER_WAV' })).body.mediaUploadUrl;

const put = (url: string): Promise<Response> =>
  fetch(url, { method: 'PUT', body: new Uint8Array(utterance('anna', 1)) });

describe.skipIf(!canMount())('a disk', () => {
  let disk: SmallDisk | undefined;
  beforeAll(() => {
    disk = smallDisk(96);
  });
  afterAll(() => disk?.remove());
  const home = (): string => join(disk?.path ?? '', 'home');

  it('that is full is named in /readyz, to callers and by the doctor, and nothing is lost', async () => {
    const platform = await Platform.start({ config: { home: home() } });
    onTestFinished(() => platform.stop());
    const context = await platform.open();
    const url = await uploadAddress(platform, context);
    const filler = join(disk?.path ?? '', 'filler');
    fill(filler);
    const unready = await platform.server.rest('GET', '/readyz');
    expect(unready.status).toBe(503);
    expect(unready.body.reasons.disk).toMatch(/full/);
    expect(named((await doctor(home())).checks, 'disk')).toMatchObject({ status: 'fault' });

    const upload = await put(url);
    expect([upload.status, await upload.text()]).toEqual([503, expect.stringContaining('the disk is full')]);
    expect(readdirSync(join(home(), 'blobs', '.incoming'))).toEqual([]);
    // What fits into the log of the database is still stored.
    const acknowledged: string[] = [];
    const create = (personId: string) => platform.post('/v1/persons', { context, personId });
    let answer = await create('p-0');
    for (let n = 1; answer.status === 200 && n < 2000; n++) {
      acknowledged.push(`p-${n - 1}`);
      answer = await create(`p-${n}`);
    }
    expect([answer.status, answer.body.status.statusCode]).toEqual([503, 'BUSY']);
    expect(JSON.stringify(answer.body.status)).toContain('DISK_FULL');

    rmSync(filler);
    expect((await platform.server.rest('GET', '/readyz')).status).toBe(200);
    expect((await put(url)).status).toBe(201);
    expect((await create(`p-${acknowledged.length}`)).status).toBe(200);
    for (const personId of acknowledged) expect((await create(personId)).status).toBe(409);
    // A warning stays: the disk of the test is small.
    expect((await doctor(home())).checks.filter(({ status }) => status === 'fault')).toEqual([]);
  });

  it('that is full takes no backup, and says where', async () => {
    const folder = temporaryFolder();
    const platform = await Platform.start({ config: { home: folder } });
    onTestFinished(() => platform.stop());
    await platform.upload(await platform.open(), utterance('anna', 1));
    const small = smallDisk(1);
    onTestFinished(() => small?.remove());
    const place = small?.path ?? '';
    fill(join(place, 'filler'));
    const made = await voxgate(folder, 'backup', '--out', join(place, 'b.vxb'));
    expect(made).toEqual({
      code: 1,
      out: '',
      err: `voxgate: no backup was made, ${place} cannot be written: the disk is full\n`,
    });
    expect(readdirSync(place)).toEqual(['filler']);
    const moved = await voxgate(folder, 'media', 'move', '--to', join(place, 'blobs'));
    expect(moved).toMatchObject({ code: 1, err: expect.stringMatching(/the disk is full: .*\/blobs/) });

    const file = join(folder, 'b.vxb');
    expect((await voxgate(folder, 'backup', '--out', file)).code).toBe(0);
    const key = join(folder, 'master.key');
    const roomy = smallDisk(2);
    onTestFinished(() => roomy?.remove());
    const restored = await voxgate(join(roomy?.path ?? '', 'h'), 'restore', file, '--key-file', key);
    expect(restored).toMatchObject({ code: 1, err: expect.stringMatching(/the disk is full: .*\/h\//) });
    expect(readdirSync(roomy?.path ?? '', { recursive: true })).toEqual([]);
  });

  it('that is read only is named at the start and by the doctor', async () => {
    const other = smallDisk(4);
    onTestFinished(() => other?.remove());
    const home = join(other?.path ?? '', 'home');
    mkdirSync(home);
    other?.makeReadOnly();
    await expect(startTestServer({ config: { home } })).rejects.toThrow(
      /home directory .* cannot be written: it is on a read-only file system/,
    );
    const { code, checks } = await doctor(home);
    expect(code).toBe(1);
    expect(named(checks, 'home')).toMatchObject({ status: 'fault' });
  });

  it('that is read only under the database answers BUSY', async () => {
    const other = smallDisk(4);
    onTestFinished(() => other?.remove());
    const elsewhere = join(temporaryFolder(), 'some.db');
    const before = openDatabase({ kind: 'sqlite', file: elsewhere });
    await before.transaction(async () => {});
    await before.close();
    const file = join(other?.path ?? '', 'some.db');
    copyFileSync(elsewhere, file);
    other?.makeReadOnly();
    const database = openDatabase({ kind: 'sqlite', file });
    onTestFinished(() => database.close());
    await expect(database.transaction(async () => {})).rejects.toMatchObject({
      code: 'BUSY',
      diagnostics: [{ code: 'READ_ONLY' }, { code: 'DATABASE_UNAVAILABLE' }],
    });
  });
});

await forEachStore((store) => {
  // A file system with a file open for writing, as SQLite has one, cannot be made read only.
  describe.skipIf(!canMount() || store.dialect !== 'postgres')('a disk that becomes read only', () => {
    it('is told to whoever uploads and in /readyz, and all is well when it is mended', async () => {
      const disk = smallDisk(80);
      onTestFinished(() => disk?.remove());
      const home = join(disk?.path ?? '', 'home');
      const platform = await Platform.start({ config: { ...(await store.settings()), home } });
      onTestFinished(() => platform.stop());
      const context = await platform.open();
      await platform.upload(context, utterance('anna', 1));
      const url = await uploadAddress(platform, context);
      disk?.makeReadOnly();
      const refused = await put(url);
      const unready = await platform.server.rest('GET', '/readyz');
      disk?.makeWritable();
      expect([refused.status, await refused.text()]).toEqual([
        503,
        expect.stringContaining('recordings cannot be used'),
      ]);
      expect(unready.status).toBe(503);
      expect(unready.body.reasons.home).toMatch(/read-only file system/);
      expect((await platform.server.rest('GET', '/readyz')).status).toBe(200);
      expect((await put(url)).status).toBe(201);
    });
  });
});

describe.skipIf(!existsSync('/usr/bin/prlimit'))('a server that may open no more files', () => {
  it('refuses what needs one, goes on, and has lost nothing', { timeout: 120_000 }, async () => {
    await builtProgram();
    const served = await serve(temporaryFolder(), oneWorker);
    onTestFinished(() => void served.process.kill('SIGKILL'));
    const client = await Client.of(served, served.bootstrap.application.client_secret ?? '');
    const limit = (files: number): void =>
      void execFileSync('prlimit', ['--pid', String(served.process.pid), `--nofile=${files}:4096`]);
    const before = readdirSync(`/proc/${served.process.pid}/fd`).length;
    limit(Math.min(64, before));
    const acknowledged: string[] = [];
    const other: unknown[] = [];
    const create = async (personId: string): Promise<void> => {
      try {
        const { status } = await client.post('/v1/persons', { personId });
        if (status.statusCode === 'OK') acknowledged.push(personId);
        else if (status.statusCode !== 'BUSY') other.push(status);
      } catch (error) {
        // No connection, or one that is cut.
        if (!(error instanceof TypeError)) throw error;
      }
    };
    await Promise.all(Array.from({ length: 40 }, (_, n) => create(`p-${n}`)));
    expect(other).toEqual([]);
    limit(4096);
    expect(served.process.exitCode).toBeNull();
    expect((await fetch(`${served.http}/readyz`)).status).toBe(200);
    for (const personId of acknowledged)
      expect(await client.post('/v1/persons', { personId })).toMatchObject({
        status: { statusCode: 'ALREADY_EXISTS' },
      });
    expect(await client.post('/v1/persons', { personId: 'afterwards' })).toMatchObject({
      status: { statusCode: 'OK' },
    });
  });
});

/** Until nothing more goes in. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const size of [1024 * 1024, 4096])
      try {
        for (const piece = Buffer.alloc(size, 1); ;) writeSync(file, piece);
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      }
  } finally {
    closeSync(file);
  }
  expect(statSync(path).size).toBeGreaterThan(0);
}
