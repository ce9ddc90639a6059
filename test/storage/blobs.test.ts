import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import type { BlobStore } from '../../src/storage/blobs/blob-store.js';
import { fileBlobs } from '../../src/storage/blobs/file-blobs.js';
import { rotateDataKeys } from '../../src/storage/sealing/rotation.js';
import { temporaryFolder, testClock, testStorage, type TestStorage } from '../support/storage.js';

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return new Uint8Array(Buffer.concat(parts));
}

async function* pieces(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += size) yield content.subarray(at, at + size);
}

async function setUp(): Promise<TestStorage & { blobs: BlobStore; root: string }> {
  const root = join(temporaryFolder(), 'blobs');
  const database = openDatabase({ kind: 'sqlite', file: ':memory:' });
  await migrate(database, { now: () => 0 });
  const storage = await testStorage(database, testClock(Date.now()));
  const blobs = fileBlobs({
    root,
    clock: storage.clock,
    sealerOf: (tenantKey) => storage.keyring.forTenant(database.db, tenantKey),
  });
  return { ...storage, blobs, root };
}

function files(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function onlyFile(root: string): string {
  const [file, ...more] = files(root);
  if (!file || more.length > 0) throw new Error(`expected one file, found ${more.length + (file ? 1 : 0)}`);
  return file;
}

const key = { tenantKey: 'scope-1', blobId: 'blob-1' };
const MAX_BYTES = 10_000_000;
const CHUNK = 64 * 1024;

describe('file blobs', () => {
  it.each([0, 1, 15, 16, 17, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 1_000_003])(
    'give back %i bytes with their size and checksum',
    async (size) => {
      const { blobs } = await setUp();
      const content = new Uint8Array(size).map((_, at) => (at * 31) % 251);
      const facts = await blobs.put(key, pieces(content, 7919), { maxBytes: MAX_BYTES });
      expect(facts).toEqual({ sizeBytes: size, sha256: createHash('sha256').update(content).digest('hex') });
      expect(Buffer.compare(await readAll(blobs.read(key)), content)).toBe(0);
    },
  );

  it('lie sealed on the disk, readable by the owner only', async () => {
    const { blobs, root } = await setUp();
    await blobs.put(key, pieces(Buffer.from('RIFF voice of a person '.repeat(1000)), 4096), {
      maxBytes: MAX_BYTES,
    });
    const file = onlyFile(root);
    expect(readFileSync(file).includes('voice of a person')).toBe(false);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('are written once, even by two writers at the same time', async () => {
    const { blobs, root } = await setUp();
    const attempts = await Promise.allSettled(
      [1, 2, 3].map((n) => blobs.put(key, pieces(new Uint8Array(100).fill(n), 10), { maxBytes: MAX_BYTES })),
    );
    const refused = attempts.filter((attempt) => attempt.status === 'rejected');
    expect(refused).toHaveLength(2);
    for (const attempt of refused) expect(attempt.reason).toMatchObject({ code: 'ALREADY_EXISTS' });
    await expect(blobs.put(key, pieces(new Uint8Array(1), 1), { maxBytes: MAX_BYTES })).rejects.toMatchObject(
      {
        code: 'ALREADY_EXISTS',
      },
    );
    expect(files(root)).toHaveLength(1);
  });

  it('leave nothing behind when they are too large, cancelled, or their source fails', async () => {
    const { blobs, root } = await setUp();
    await expect(
      blobs.put(key, pieces(new Uint8Array(200_000), 1000), { maxBytes: 150_000 }),
    ).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const cancelled = AbortSignal.abort();
    await expect(
      blobs.put(key, pieces(new Uint8Array(10), 1), { maxBytes: MAX_BYTES, signal: cancelled }),
    ).rejects.toMatchObject({ code: 'CANCELLED_CLIENT' });
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(100_000);
      throw new Error('connection lost');
    }
    await expect(blobs.put(key, broken(), { maxBytes: MAX_BYTES })).rejects.toThrow('connection lost');
    expect(files(root)).toEqual([]);
    expect(await blobs.exists(key)).toBe(false);
    await blobs.put(key, pieces(new Uint8Array(150_000), 1000), { maxBytes: 150_000 });
  });

  it.each([
    ['a changed byte', (file: string) => writeFileSync(file, flip(readFileSync(file), 5000))],
    [
      'a changed last byte',
      (file: string) => writeFileSync(file, flip(readFileSync(file), statSync(file).size - 1)),
    ],
    ['a cut end', (file: string) => truncateSync(file, statSync(file).size - 40)],
    [
      'a missing chunk',
      (file: string) =>
        writeFileSync(
          file,
          Buffer.concat([readFileSync(file).subarray(0, 40), readFileSync(file).subarray(40 + CHUNK + 16)]),
        ),
    ],
    ['bytes added', (file: string) => appendFileSync(file, 'x')],
    ['an empty file', (file: string) => truncateSync(file, 0)],
  ])('refuse %s', async (_what, damage) => {
    const { blobs, root } = await setUp();
    await blobs.put(key, pieces(new Uint8Array(200_000).fill(9), 65_536), { maxBytes: MAX_BYTES });
    damage(onlyFile(root));
    await expect(readAll(blobs.read(key))).rejects.toMatchObject({ fault: 'BLOB_DAMAGED' });
  });

  it('cannot be passed off under another name', async () => {
    const { blobs, root } = await setUp();
    await blobs.put(key, pieces(new Uint8Array(10), 10), { maxBytes: MAX_BYTES });
    const stolen = readFileSync(onlyFile(root));
    const other = { ...key, blobId: 'blob-2' };
    await blobs.put(other, pieces(new Uint8Array(10), 10), { maxBytes: MAX_BYTES });
    const target = files(root).find((file) => file.endsWith('blob-2')) ?? '';
    writeFileSync(target, stolen);
    await expect(readAll(blobs.read(other))).rejects.toMatchObject({ fault: 'BLOB_DAMAGED' });
  });

  it('refuse names that could leave their folder', async () => {
    const { blobs } = await setUp();
    for (const blobId of ['../x', 'a/b', '', '.', '..', '.hidden', 'a\u0000b', 'x'.repeat(129)]) {
      await expect(
        blobs.put({ ...key, blobId }, pieces(new Uint8Array(1), 1), { maxBytes: MAX_BYTES }),
        blobId,
      ).rejects.toMatchObject({ fault: 'MISUSE' });
    }
    await expect(blobs.deleteTenant('..')).rejects.toMatchObject({ fault: 'MISUSE' });
  });

  it('can be deleted, twice too, and listed', async () => {
    const { blobs } = await setUp();
    const ids = Array.from({ length: 20 }, (_, n) => `blob-${n}`);
    for (const blobId of ids)
      await blobs.put({ ...key, blobId }, pieces(new Uint8Array(1), 1), { maxBytes: MAX_BYTES });
    await blobs.delete({ ...key, blobId: 'blob-3' });
    await blobs.delete({ ...key, blobId: 'blob-3' });
    await expect(readAll(blobs.read({ ...key, blobId: 'blob-3' }))).rejects.toMatchObject({
      fault: 'BLOB_MISSING',
    });
    const listed: string[] = [];
    for await (const blobId of blobs.list('scope-1')) listed.push(blobId);
    expect(listed.sort()).toEqual(ids.filter((blobId) => blobId !== 'blob-3').sort());
    expect(await blobs.tenants()).toEqual(['scope-1']);
    await blobs.deleteTenant('scope-1');
    expect(await blobs.exists(key)).toBe(false);
  });

  it('are swept when unfinished or unreferenced, but only when old enough', async () => {
    const { blobs, root, clock } = await setUp();
    await blobs.put(key, pieces(new Uint8Array(1), 1), { maxBytes: MAX_BYTES });
    await blobs.put({ ...key, blobId: 'orphan' }, pieces(new Uint8Array(1), 1), { maxBytes: MAX_BYTES });
    mkdirSync(join(root, '.incoming'), { recursive: true });
    writeFileSync(join(root, '.incoming', 'half'), 'x');
    const old = new Date(clock.now() - 5 * 3_600_000);
    for (const file of files(root)) utimesSync(file, old, old);
    await blobs.put({ ...key, blobId: 'just-now' }, pieces(new Uint8Array(1), 1), { maxBytes: MAX_BYTES });
    const report = await blobs.sweep(async ({ blobId }) => blobId === 'blob-1', 3_600_000);
    expect(report).toEqual({ temporaryFiles: 1, orphans: 1 });
    expect(
      files(root)
        .map((file) => file.split('/').at(-1))
        .sort(),
    ).toEqual(['blob-1', 'just-now']);
  });

  it('are unreadable once the keys of their scope are destroyed', async () => {
    const { blobs, database, keyring } = await setUp();
    await blobs.put(key, pieces(new Uint8Array(10), 10), { maxBytes: MAX_BYTES });
    await database.transaction((tx) => keyring.destroy(tx, key.tenantKey));
    await expect(readAll(blobs.read(key))).rejects.toMatchObject({ fault: 'KEY_DESTROYED' });
  });

  it('come under the newest key by reseal, with the same content', async () => {
    const { blobs, database, keyring, root } = await setUp();
    const content = new Uint8Array(100_000).fill(3);
    await blobs.put(key, pieces(content, 1000), { maxBytes: MAX_BYTES });
    expect(await blobs.reseal(key)).toBe(false);
    await rotateDataKeys(database, keyring, key.tenantKey);
    expect(await blobs.reseal(key)).toBe(true);
    expect(await blobs.reseal(key)).toBe(false);
    expect(Buffer.compare(await readAll(blobs.read(key)), content)).toBe(0);
    expect(files(root)).toHaveLength(1);
  });
});

function flip(content: Buffer, at: number): Buffer {
  content[at] = (content[at] ?? 0) ^ 1;
  return content;
}
