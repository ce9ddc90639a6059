// The conformance suite of blob stores: files, and S3 on every store that is at hand behave the same.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import type { BlobStore } from '../../src/storage/blobs/blob-store.js';
import { fileBlobs } from '../../src/storage/blobs/file-blobs.js';
import { Bucket } from '../../src/storage/blobs/s3/bucket.js';
import type { BucketOptions } from '../../src/storage/blobs/s3/client-settings.js';
import { s3Blobs } from '../../src/storage/blobs/s3/s3-blobs.js';
import { rotateDataKeys } from '../../src/storage/sealing/rotation.js';
import { itInLanes } from '../support/lanes.js';
import { startS3 } from '../support/s3/server.js';
import { givenStore, optionsOf } from '../support/s3/stores.js';
import { temporaryFolder, testClock, testStorage, type TestStorage } from '../support/storage.js';

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return new Uint8Array(Buffer.concat(parts));
}

async function* pieces(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += size) yield content.subarray(at, at + size);
}

/** The store from below, as somebody with access to the disk or the bucket sees it. */
interface Raw {
  names(): Promise<string[]>;
  get(name: string): Promise<Buffer>;
  set(name: string, content: Buffer): Promise<void>;
  /** An upload that broke off. */
  leaveUnfinished(): Promise<void>;
}

interface Kind {
  name: string;
  start?(): Promise<() => unknown>;
  make(deps: Omit<Parameters<typeof fileBlobs>[0], 'root'>): { blobs: BlobStore; raw: Raw };
}

const onFiles: Kind = {
  name: 'files',
  make(deps) {
    const root = join(temporaryFolder(), 'blobs');
    return { blobs: fileBlobs({ root, ...deps }), raw: rawFiles(root) };
  },
};

function rawFiles(root: string): Raw {
  return {
    names: async () =>
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    get: async (name) => readFileSync(name),
    set: async (name, content) => writeFileSync(name, content),
    async leaveUnfinished() {
      mkdirSync(join(root, '.incoming'), { recursive: true });
      writeFileSync(join(root, '.incoming', 'half'), 'x');
    },
  };
}

function onS3(name: string, start: () => Promise<{ options: BucketOptions; stop(): unknown }>): Kind {
  let options: BucketOptions;
  return {
    name,
    async start() {
      const started = await start();
      options = started.options;
      return started.stop;
    },
    make(deps) {
      const prefix = randomUUID();
      const bucket = new Bucket(options);
      return { blobs: s3Blobs({ bucket: options, prefix, ...deps }), raw: rawBucket(bucket, prefix) };
    },
  };
}

function rawBucket(bucket: Bucket, prefix: string): Raw {
  return {
    async names() {
      const names: string[] = [];
      for await (const { name } of bucket.list(prefix)) names.push(name);
      return names;
    },
    get: async (name) =>
      Buffer.from(await readAll((await bucket.open(name))?.body ?? pieces(Buffer.of(), 1))),
    set: (name, content) => bucket.replace(name, content),
    async leaveUnfinished() {
      const { uploadId } = await bucket.beginUpload(`${prefix}/scope-1/half`);
      await bucket.uploadPart(`${prefix}/scope-1/half`, uploadId, 1, Buffer.from('x'));
    },
  };
}

const given = givenStore();
const kinds: Kind[] = [
  onFiles,
  onS3('S3', async () => {
    const server = await startS3();
    return { options: optionsOf(server), stop: () => server.stop() };
  }),
  ...(given ? [onS3('the S3 store that is given', async () => ({ options: given, stop: () => {} }))] : []),
];

const key = { tenantKey: 'scope-1', blobId: 'blob-1' };
const MAX_BYTES = 100_000_000;
const CHUNK = 64 * 1024;
const MIB = 1024 * 1024;
const sizes = [
  0,
  1,
  15,
  16,
  17,
  CHUNK - 1,
  CHUNK,
  CHUNK + 1,
  3 * CHUNK,
  1_000_003,
  5 * MIB,
  11 * MIB + 5,
].map((size) => [size] as const);

describe.each(kinds)('blobs in $name', (kind) => {
  let stop: () => unknown = () => {};
  beforeAll(async () => {
    stop = (await kind.start?.()) ?? stop;
  });
  afterAll(() => stop());

  async function setUp(): Promise<TestStorage & { blobs: BlobStore; raw: Raw }> {
    const database = openDatabase({ kind: 'sqlite', file: ':memory:' });
    await migrate(database, { now: () => 0 });
    const storage = await testStorage(database, testClock(Date.now()));
    const sealerOf = (tenantKey: string) => storage.keyring.forTenant(database.db, tenantKey);
    return { ...storage, ...kind.make({ clock: storage.clock, sealerOf }) };
  }

  async function onlyName(raw: Raw): Promise<string> {
    const [name, ...more] = await raw.names();
    if (name === undefined || more.length > 0) throw new Error(`expected one, found ${more.length + 1}`);
    return name;
  }

  itInLanes(sizes)('give back %i bytes with their size and checksum', async (size) => {
    const { blobs } = await setUp();
    const content = Buffer.alloc(size, 'the voice of a person, and another one');
    const facts = await blobs.put(key, pieces(content, 79_190), { maxBytes: MAX_BYTES });
    expect(facts).toEqual({ sizeBytes: size, sha256: createHash('sha256').update(content).digest('hex') });
    expect(Buffer.compare(await readAll(blobs.read(key)), content)).toBe(0);
  });

  it('lie sealed', async () => {
    const { blobs, raw } = await setUp();
    await blobs.put(key, pieces(Buffer.from('RIFF voice of a person '.repeat(1000)), 4096), {
      maxBytes: MAX_BYTES,
    });
    const name = await onlyName(raw);
    expect((await raw.get(name)).includes('voice of a person')).toBe(false);
    if (kind === onFiles) expect(statSync(name).mode & 0o777).toBe(0o600);
  });

  itInLanes([[100], [6 * MIB]])(
    'are written once, even by several writers at the same time: %i bytes',
    async (size) => {
      const { blobs, raw } = await setUp();
      const write = (n: number) =>
        blobs.put(key, pieces(Buffer.alloc(size, n), MIB), { maxBytes: MAX_BYTES });
      const attempts = await Promise.allSettled([1, 2, 3].map(write));
      const refused = attempts.filter((attempt) => attempt.status === 'rejected');
      expect(refused).toHaveLength(2);
      for (const attempt of refused) expect(attempt.reason).toMatchObject({ code: 'ALREADY_EXISTS' });
      await expect(write(4)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
      const winner = attempts.findIndex((attempt) => attempt.status === 'fulfilled') + 1;
      expect((await readAll(blobs.read(key)))[size - 1]).toBe(winner);
      expect(await raw.names()).toHaveLength(1);
    },
  );

  it('leave nothing behind when they are too large, canceled, or their source fails', async () => {
    const { blobs, raw, clock } = await setUp();
    for (const maxBytes of [150_000, 11 * MIB])
      await expect(
        blobs.put(key, pieces(new Uint8Array(maxBytes + 50_000), MIB), { maxBytes }),
      ).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const canceled = AbortSignal.abort();
    await expect(
      blobs.put(key, pieces(new Uint8Array(10), 1), { maxBytes: MAX_BYTES, signal: canceled }),
    ).rejects.toMatchObject({ code: 'CANCELLED_CLIENT' });
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(100_000);
      throw new Error('connection lost');
    }
    await expect(blobs.put(key, broken(), { maxBytes: MAX_BYTES })).rejects.toThrow('connection lost');
    expect(await raw.names()).toEqual([]);
    expect(await blobs.exists(key)).toBe(false);
    clock.advance(3_600_000);
    expect(await blobs.sweep(async () => true, 0)).toEqual({ temporaryFiles: 0, orphans: 0 });
    await blobs.put(key, pieces(new Uint8Array(150_000), 1000), { maxBytes: 150_000 });
  });

  it.each<[string, (content: Buffer) => Buffer]>([
    ['a changed byte', (content) => flip(content, 5000)],
    ['a changed last byte', (content) => flip(content, content.byteLength - 1)],
    ['a cut end', (content) => content.subarray(0, -40)],
    [
      'a missing chunk',
      (content) => Buffer.concat([content.subarray(0, 40), content.subarray(40 + CHUNK + 16)]),
    ],
    ['bytes added', (content) => Buffer.concat([content, Buffer.from('x')])],
    ['no bytes', () => Buffer.alloc(0)],
  ])('refuse %s', async (_what, damaged) => {
    const { blobs, raw } = await setUp();
    await blobs.put(key, pieces(new Uint8Array(200_000).fill(9), 65_536), { maxBytes: MAX_BYTES });
    const name = await onlyName(raw);
    await raw.set(name, damaged(await raw.get(name)));
    for (const bySealAlone of [false, true])
      await expect(readAll(blobs.read(key, { bySealAlone }))).rejects.toMatchObject({
        fault: 'BLOB_DAMAGED',
      });
  });

  it('cannot be passed off under another name', async () => {
    const { blobs, raw } = await setUp();
    await blobs.put(key, pieces(new Uint8Array(10), 10), { maxBytes: MAX_BYTES });
    const stolen = await raw.get(await onlyName(raw));
    const other = { ...key, blobId: 'blob-2' };
    await blobs.put(other, pieces(new Uint8Array(10), 10), { maxBytes: MAX_BYTES });
    const target = (await raw.names()).find((name) => name.endsWith('blob-2')) ?? '';
    await raw.set(target, stolen);
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
    const { blobs, raw, clock } = await setUp();
    for (const blobId of ['blob-1', 'orphan'])
      await blobs.put({ ...key, blobId }, pieces(new Uint8Array(1), 1), { maxBytes: MAX_BYTES });
    await raw.leaveUnfinished();
    const sweep = () => blobs.sweep(async ({ blobId }) => blobId === 'blob-1', 3_600_000);
    expect(await sweep()).toEqual({ temporaryFiles: 0, orphans: 0 });
    clock.advance(5 * 3_600_000);
    expect(await sweep()).toEqual({ temporaryFiles: 1, orphans: 1 });
    expect(await sweep()).toEqual({ temporaryFiles: 0, orphans: 0 });
    expect((await raw.names()).map((name) => name.split('/').at(-1))).toEqual(['blob-1']);
  });

  it('are unreadable once the keys of their scope are destroyed', async () => {
    const { blobs, database, keyring } = await setUp();
    await blobs.put(key, pieces(new Uint8Array(10), 10), { maxBytes: MAX_BYTES });
    await database.transaction((tx) => keyring.destroy(tx, key.tenantKey));
    await expect(readAll(blobs.read(key))).rejects.toMatchObject({ fault: 'KEY_DESTROYED' });
  });

  itInLanes([[100_000], [6 * MIB]])(
    'come under the newest key by reseal, with the same content: %i bytes',
    async (size) => {
      const { blobs, database, keyring, raw } = await setUp();
      const content = Buffer.alloc(size, 3);
      await blobs.put(key, pieces(content, MIB), { maxBytes: MAX_BYTES });
      expect(await blobs.reseal(key)).toBe(false);
      await rotateDataKeys(database, keyring, key.tenantKey);
      expect(await blobs.reseal(key)).toBe(true);
      expect(await blobs.reseal(key)).toBe(false);
      expect(Buffer.compare(await readAll(blobs.read(key)), content)).toBe(0);
      expect(await raw.names()).toHaveLength(1);
    },
  );

  it('have one store with one name, whoever asks first', async () => {
    const { blobs } = await setUp();
    expect(await blobs.identity()).toBeUndefined();
    const [first, second] = await Promise.all([blobs.establish('one'), blobs.establish('two')]);
    expect(second).toBe(first);
    expect(await blobs.establish('three')).toBe(first);
    expect(await blobs.identity()).toBe(first);
    expect(await blobs.tenants()).toEqual([]);
  });
});

function flip(content: Buffer, at: number): Buffer {
  content[at] = (content[at] ?? 0) ^ 1;
  return content;
}
