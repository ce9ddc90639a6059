// @module-tag slow
// What an S3 store does to its users: lost answers, cut connections, overload, outages, wrong settings. Nothing is written
// twice, nothing is lost, and whoever must know is told what is wrong.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configWith } from '../../src/config.js';
import type { BlobStore } from '../../src/storage/blobs/blob-store.js';
import { type BucketOptions, clientSettings } from '../../src/storage/blobs/s3/client-settings.js';
import { s3Blobs } from '../../src/storage/blobs/s3/s3-blobs.js';
import { openDatabase, type Database } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { startS3, type Fault, type S3Server } from '../support/s3/server.js';
import { optionsOf } from '../support/s3/stores.js';
import { testStorage, type TestStorage } from '../support/storage.js';

const MIB = 1024 * 1024;
const key = { tenantKey: 'scope-1', blobId: 'blob-1' };

let server: S3Server;
let database: Database;
let storage: TestStorage;
let blobs: BlobStore;

beforeAll(async () => {
  server = await startS3();
  database = openDatabase({ kind: 'sqlite', file: ':memory:' });
  await migrate(database, { now: () => 0 });
  storage = await testStorage(database);
});
afterAll(async () => {
  await server.stop();
  await database.close();
});
beforeEach(() => {
  server.objects.clear();
  server.uploads.clear();
  server.requests.length = 0;
  server.onRequest = () => undefined;
  server.ignoresConditions = false;
  blobs = storeWith({});
});

function storeWith(options: Partial<BucketOptions>): BlobStore {
  return s3Blobs({
    bucket: { ...optionsOf(server), ...options },
    prefix: 'calls/eu',
    clock: storage.clock,
    sealerOf: (tenantKey) => storage.keyring.forTenant(database.db, tenantKey),
  });
}

/** Goes wrong once, at the first request that fits. */
function failOnce(fits: RegExp, fault: Fault): void {
  let isDone = false;
  server.onRequest = (request) => {
    if (isDone || !fits.test(request)) return undefined;
    isDone = true;
    return fault;
  };
}

async function* content(bytes: number, fill: number): AsyncGenerator<Uint8Array> {
  for (let left = bytes; left > 0; left -= MIB) yield Buffer.alloc(Math.min(left, MIB), fill);
}

const put = (bytes: number, fill = 1) => blobs.put(key, content(bytes, fill), { maxBytes: 100 * MIB });

async function bytesOf(store: BlobStore): Promise<number> {
  let bytes = 0;
  for await (const piece of store.read(key)) bytes += piece.byteLength;
  return bytes;
}

describe('a write to S3', () => {
  it('goes to its place, at once when it is short and in parts when it is long', async () => {
    await put(1000);
    expect(server.requests).toEqual(['PUT calls/eu/scope-1/blob-1']);
    await blobs.delete(key);
    server.requests.length = 0;
    await put(12 * MIB);
    const part = 'PUT calls/eu/scope-1/blob-1?uploadId';
    expect(server.requests).toEqual([
      'POST calls/eu/scope-1/blob-1?uploads',
      ...[part, part, part],
      'POST calls/eu/scope-1/blob-1?uploadId',
    ]);
  });

  it.each<[string, number, RegExp, Fault]>([
    ['a connection that is cut', 1000, /^PUT/, 'drop'],
    ['an answer that is lost', 1000, /^PUT/, 'lose'],
    ['a store that is overloaded', 1000, /^PUT/, 'slow down'],
    ['a part that is cut', 6 * MIB, /^PUT/, 'drop'],
    ['an end whose answer is lost', 6 * MIB, /^POST .*uploadId/, 'lose'],
    ['an end that is cut', 6 * MIB, /^POST .*uploadId/, 'drop'],
  ])('survives %s, and counts as written', async (_what, bytes, fits, fault) => {
    failOnce(fits, fault);
    await expect(put(bytes)).resolves.toMatchObject({ sizeBytes: bytes });
    expect(await bytesOf(blobs)).toBe(bytes);
    expect(server.uploads.size).toBe(0);
    await expect(put(bytes, 2)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  });

  it('is refused as BUSY when the store is away, and leaves no parts once it is back', async () => {
    server.onRequest = (request) => (/^(PUT|DELETE) .*uploadId/.test(request) ? 'drop' : undefined);
    await expect(put(6 * MIB)).rejects.toMatchObject({
      code: 'BUSY',
      diagnostics: [{ code: 'MEDIA_STORE_UNAVAILABLE' }],
    });
    expect(server.uploads.size).toBe(1);
    server.onRequest = () => undefined;
    storage.clock.advance(Date.now() - storage.clock.now() + 7_200_000);
    expect(await blobs.sweep(async () => true, 3_600_000)).toEqual({ temporaryFiles: 1, orphans: 0 });
    expect(server.uploads.size).toBe(0);
  });
});

describe('a read from S3', () => {
  it('goes on where the connection broke', async () => {
    await put(3 * MIB);
    failOnce(/^GET/, 'half');
    expect(await bytesOf(blobs)).toBe(3 * MIB);
    expect(server.requests.filter((request) => request.startsWith('GET'))).toHaveLength(2);
  });

  it('fails as BUSY when it breaks again and again, and as missing only when there is nothing', async () => {
    await put(3 * MIB);
    server.onRequest = (request) => (request.startsWith('GET') ? 'half' : undefined);
    await expect(bytesOf(blobs)).rejects.toMatchObject({ code: 'BUSY' });
    server.onRequest = () => undefined;
    await blobs.delete(key);
    await expect(bytesOf(blobs)).rejects.toMatchObject({ fault: 'BLOB_MISSING' });
  });
});

describe('wrong settings of S3', () => {
  it.each<[string, Partial<BucketOptions>, RegExp]>([
    [
      'another bucket',
      { bucket: 'no-such-bucket' },
      /s3:\/\/no-such-bucket\/calls\/eu\/.*NoSuchBucket \(HTTP 404\)/,
    ],
    ['an unknown key', { accessKeyId: 'SOMEBODY' }, /InvalidAccessKeyId \(HTTP 403\)/],
    ['a wrong secret', { secretAccessKey: 'guessed' }, /SignatureDoesNotMatch \(HTTP 403\)/],
    ['an address where nobody listens', { endpoint: 'http://127.0.0.1:1' }, /ECONNREFUSED/],
  ])('are named: %s', async (_what, options, reason) => {
    expect(await blobs.check?.()).toBe(true);
    const wrong = storeWith(options);
    expect(await wrong.check?.()).toMatch(reason);
    await expect(wrong.exists(key)).rejects.toMatchObject({ code: 'BUSY' });
  });

  it('are named: a store that would let one upload replace another', async () => {
    server.ignoresConditions = true;
    await expect(blobs.establish('one')).rejects.toThrow(/conditional writes/);
  });

  it.each<[Partial<BucketOptions>, object]>([
    [{}, { region: 'us-east-1', forcePathStyle: true }],
    [{ region: 'eu-central-1' }, { region: 'eu-central-1' }],
    [{ addressing: 'host' }, { forcePathStyle: false }],
    [{ endpoint: '', region: '' }, { forcePathStyle: false }],
    [{ endpoint: '', addressing: 'path' }, { forcePathStyle: true }],
  ])('reach the SDK as they are meant: %o', (options, expected) => {
    const bucket = optionsOf(server);
    const named = Object.entries({ endpoint: bucket.endpoint, ...options });
    const { s3 } = configWith(
      Object.fromEntries(named.map(([name, value]) => [`media.s3.${name}`, value])),
    ).media;
    const settings = clientSettings({
      ...bucket,
      endpoint: s3.endpoint,
      region: s3.region,
      addressing: s3.addressing,
    });
    expect(settings).toMatchObject(expected);
    expect('endpoint' in settings).toBe(options.endpoint !== '');
    if (options.endpoint === '') expect(settings).not.toHaveProperty('region');
  });

  it('leave access to the environment where no key is given', () => {
    const options = { ...optionsOf(server), accessKeyId: '', secretAccessKey: '' };
    expect(clientSettings(options)).not.toHaveProperty('credentials');
  });
});
