// A move of recordings over copies that are there already: damaged ones are made anew, and nothing takes the place of a whole one.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform.js';
import { fileBlobs } from '../../src/storage/blobs/file-blobs.js';
import { moveBlobs } from '../../src/storage/blobs/move-blobs.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { temporaryFolder } from '../support/storage.js';

const speech = Buffer.from('what somebody said');
const key = { tenantKey: 'tenant', blobId: 'recording' };
const options = { removeSource: false, onProgress: () => {} };

/** Turns a bit in the middle of every file. */
function spoil(root: string): void {
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const path = join(root, name);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    writeFileSync(path, bytes);
  }
}

async function moved() {
  const home = temporaryFolder();
  const storage = await openStorage({ home, databaseUrl: '', masterKey: '', clock: systemClock });
  const { database, keyring } = storage;
  const sealerOf = (tenantKey: string) => keyring.forTenant(database.db, tenantKey);
  const roots = { from: join(home, 'one'), to: join(home, 'other') };
  const from = fileBlobs({ root: roots.from, clock: systemClock, sealerOf });
  const to = fileBlobs({ root: roots.to, clock: systemClock, sealerOf });
  const said = async function* () {
    yield speech;
  };
  await from.put(key, said(), { maxBytes: 1000 });
  expect(await moveBlobs(from, to, options)).toMatchObject({ copied: 1, failed: [] });
  const contentOf = async (store: typeof to): Promise<string> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of store.read(key)) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };
  return { from, to, roots, contentOf };
}

describe('a move of recordings', () => {
  it('makes a damaged copy anew', async () => {
    const { from, to, roots, contentOf } = await moved();
    spoil(roots.to);
    await expect(contentOf(to)).rejects.toThrow(/damaged/);
    expect(await moveBlobs(from, to, options)).toMatchObject({ copied: 1, there: 0, failed: [] });
    expect(await contentOf(to)).toBe(speech.toString());
    expect(await moveBlobs(from, to, options)).toMatchObject({ copied: 0, there: 1, failed: [] });
  });

  it('leaves a whole copy alone where the source is damaged', async () => {
    const { from, to, roots, contentOf } = await moved();
    spoil(roots.from);
    const report = await moveBlobs(from, to, { ...options, removeSource: true });
    expect(report).toMatchObject({ copied: 0, there: 0, removed: 0 });
    expect(report.failed).toEqual([expect.stringMatching(/damaged/)]);
    expect(await contentOf(to)).toBe(speech.toString());
    expect(await from.exists(key)).toBe(true);
  });
});
