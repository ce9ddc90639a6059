// What is kept of a gallery from one start of a node to the next: used when it is right, and only then; gone when it holds what
// must be gone. SQLite with files, PostgreSQL with S3.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Galleries } from '../../../src/biometrics/galleries/galleries.js';
import { GallerySnapshots } from '../../../src/biometrics/galleries/snapshots.js';
import { untrained } from '../../../src/biometrics/rules/profile-changes.js';
import { AppError } from '../../../src/errors.js';
import { silentLog, systemIds } from '../../../src/platform.js';
import { deleteBiometricContent } from '../../../src/storage/biometrics/delete-tenant-content.js';
import { fileBlobs } from '../../../src/storage/blobs/file-blobs.js';
import { s3Blobs } from '../../../src/storage/blobs/s3/s3-blobs.js';
import { StorageError } from '../../../src/storage/storage-error.js';
import { forEachDatabase } from '../../support/database.js';
import { startS3, type S3Server } from '../../support/s3/server.js';
import { optionsOf } from '../../support/s3/stores.js';
import { temporaryFolder, testStorage } from '../../support/storage.js';
import { model, names, prepare as prepareOn, print, sample, SCOPE, watched } from './prints.js';

const PRINTS = 40;
/** Small ones, so that a few prints are several parts. */
const limits = { printsMin: 10, sharePrintsMin: 1, partRows: 12, behindMax: 15, unusableMax: 5 };
const people = names(PRINTS);

await forEachDatabase(({ open: openDatabase, dialect }) => {
  let s3: S3Server | undefined;
  beforeAll(async () => {
    if (dialect === 'postgres') s3 = await startS3();
  });
  afterAll(() => s3?.stop());

  async function prepare() {
    const opened = await openDatabase();
    const basis = await prepareOn(opened);
    const { keyring } = await testStorage(opened, basis.clock);
    const { clock, store } = basis;
    const of = { clock, sealerOf: (tenantKey: string) => keyring.forTenant(opened.db, tenantKey) };
    const kept = s3
      ? s3Blobs({ bucket: optionsOf(s3), prefix: randomUUID(), ...of })
      : fileBlobs({ root: join(temporaryFolder(), 'blobs'), ...of });
    const hooks = { beforePut: async () => {}, read: (blobId: string) => read(blobId) };
    const read = (blobId: string) => kept.read({ tenantKey: SCOPE, blobId });
    const blobIds = async () => {
      const ids: string[] = [];
      for await (const id of kept.list(SCOPE)) ids.push(id);
      return ids.sort();
    };
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (_about: object, text: string) => warnings.push(text) };

    /** A node that has just been started. */
    const node = (modelOf = model) => {
      const reading = { pages: 0, afterPage: async () => {} };
      const snapshots = new GallerySnapshots(
        {
          ...{ store, clock, ids: systemIds, log, model: modelOf },
          blobs: {
            put: async (tenantKey, blobId, source, options) => {
              await hooks.beforePut();
              await kept.put({ tenantKey, blobId }, source, options);
            },
            read: (_scope, blobId) => hooks.read(blobId),
            delete: (tenantKey, blobId) => kept.delete({ tenantKey, blobId }),
          },
          alone: (_name, work) => work(),
        },
        limits,
      );
      const galleries = new Galleries({
        store: watched(store, reading),
        clock,
        model: modelOf,
        snapshots,
        log,
      });
      const place = { gkScopeId: SCOPE, collectionGkId: 'list', field: 'watchlist.unique_id' };
      const open = () => galleries.open(place);
      /** With all that is written behind its back. */
      const view = async () => {
        const gallery = await open();
        await galleries.idle();
        return gallery.at(clock.now(), undefined);
      };
      return { reading, open, view, snapshots };
    };
    const expectRight = async (of: ReturnType<typeof node>) => {
      const [found, wanted] = await basis.both(sample(), await of.view());
      expect(found).toEqual(wanted);
    };
    await basis.addAll(people.map((name) => print(name)));
    return { ...basis, kept, hooks, read, blobIds, warnings, node, expectRight, database: opened };
  }

  /** With a snapshot that a first node has written. */
  async function withSnapshot() {
    const prepared = await prepare();
    await prepared.node().view();
    expect(await prepared.blobIds()).toHaveLength(Math.ceil(PRINTS / limits.partRows) + 1);
    return prepared;
  }

  describe('a snapshot of a gallery', () => {
    it('spares the next node the reading, with the same answers', async () => {
      const { node, expectRight, add, store } = await withSnapshot();
      const second = node();
      await expectRight(second);
      expect(second.reading.pages).toBe(0);
      // What it then changes, it changes as every gallery does.
      await add(print('later'));
      await store.transaction((tx) => tx.profiles.delete(SCOPE, 'print-p0003'));
      await expectRight(second);
    });

    it('keeps locks, tags and prints that cannot be compared with', async () => {
      const { node, add, clock, blobIds } = await prepare();
      const lock = { ...print('x').lock, locked: true };
      await add(print('shut', { lock, ownerType: 'PERSON' }));
      await add(
        print('for a while', { lock: { ...lock, autoUnlockAtMs: clock.now() + 1000 }, ownerType: 'PERSON' }),
      );
      await add(print('tagged', { tag: 'phone' }));
      const { trained: _, ...bare } = print('bare');
      await add({ ...bare, version: 0 });
      await node().view();
      expect(await blobIds()).not.toHaveLength(0);
      const second = node();
      const gallery = await second.open();
      expect(second.reading.pages).toBe(0);
      const counts = (now: number, tag?: string) => {
        const { trained, scorable, unusable } = gallery.at(now, tag);
        return [trained, scorable, unusable];
      };
      expect(counts(clock.now())).toEqual([PRINTS + 3, PRINTS + 1, 1]);
      expect(counts(clock.now() + 1000)).toEqual([PRINTS + 3, PRINTS + 2, 1]);
      expect(counts(clock.now(), 'phone')).toEqual([1, 1, 0]);
    });

    it('is followed by what happened since', async () => {
      const { node, expectRight, store, add } = await withSnapshot();
      const [changed, deleted, removed] = people as [string, string, string];
      await store.transaction((tx) => tx.profiles.update(print(changed, { version: 2 })));
      await store.transaction((tx) => tx.profiles.delete(SCOPE, `print-${deleted}`));
      await store.transaction((tx) => tx.collections.removeMembers(SCOPE, 'list', [`owner-${removed}`]));
      await add(print('new'));
      const second = node();
      await expectRight(second);
      expect(second.reading.pages).toBe(0);
    });

    it('loses nothing that moves while it is written', async () => {
      const { node, expectRight, store, hooks, add } = await prepare();
      const first = node();
      let puts = 0;
      hooks.beforePut = async () => {
        puts += 1;
        // Early rows go, the last ones take their places, and the gallery follows while its copy is being made.
        const gone = people.slice(puts * 6, puts * 6 + 3);
        for (const name of gone) await store.transaction((tx) => tx.profiles.delete(SCOPE, `print-${name}`));
        await store.transaction((tx) => tx.profiles.update(print(people[puts] ?? '', { version: 2 })));
        await add(print(`while ${puts}`));
        await first.open();
      };
      await first.view();
      expect(puts).toBeGreaterThan(3);
      hooks.beforePut = async () => {};
      const second = node();
      await expectRight(second);
      expect(second.reading.pages).toBe(0);
    });

    it('is replaced when it is far behind, and its parts are removed', async () => {
      const { node, store, blobIds, clock } = await withSnapshot();
      const before = await blobIds();
      const [name = ''] = people;
      for (let version = 2; version < limits.behindMax + 3; version++)
        await store.transaction((tx) => tx.profiles.update(print(name, { version })));
      const second = node();
      await second.view();
      const after = await blobIds();
      expect(after).toHaveLength(before.length);
      expect(after.filter((id) => before.includes(id))).toEqual([]);
      expect(await second.snapshots.isUsed(SCOPE, after[0] ?? '')).toBe(true);
      expect(await second.snapshots.isUsed(SCOPE, before[0] ?? '')).toBe(false);
      expect(await second.snapshots.isUsed(SCOPE, 'a recording')).toBeUndefined();
      // Good now: nothing more is written.
      clock.advance(3600_000);
      await second.view();
      expect(await blobIds()).toEqual(after);
    });

    it('leaves nothing behind when it cannot be written', async () => {
      const { node, hooks, blobIds, warnings, expectRight } = await prepare();
      let puts = 0;
      hooks.beforePut = async () => {
        if (++puts === 3) throw new Error('the disk is full');
      };
      await expectRight(node());
      expect(await blobIds()).toEqual([]);
      expect(warnings).toEqual(['keeping a gallery failed']);
    });
  });

  describe('a snapshot that cannot be used is said so, removed and not used', () => {
    type Prepared = Awaited<ReturnType<typeof withSnapshot>>;
    const cases: [string, (prepared: Prepared) => Promise<void>][] = [
      [
        'a part is missing',
        async ({ kept, blobIds }) => kept.delete({ tenantKey: SCOPE, blobId: (await blobIds())[1] ?? '' }),
      ],
      [
        'a part is cut off',
        async ({ hooks, read }) => {
          hooks.read = async function* (blobId) {
            const parts: Uint8Array[] = [];
            for await (const part of read(blobId)) parts.push(part);
            yield Buffer.concat(parts).subarray(0, -1);
          };
        },
      ],
      [
        'a part does not open',
        async ({ hooks }) => {
          hooks.read = () => {
            throw new StorageError('BLOB_DAMAGED', 'part 0 does not open');
          };
        },
      ],
      [
        'a part is empty',
        async ({ hooks, blobIds, read }) => {
          const [one = ''] = await blobIds();
          hooks.read = async function* (blobId) {
            if (blobId !== one) yield* read(blobId);
          };
        },
      ],
      [
        'a part stands for another',
        async ({ hooks, read, blobIds }) => {
          const [one = ''] = await blobIds();
          hooks.read = (blobId) => read(blobId.endsWith('-1') ? one : blobId);
        },
      ],
      [
        'it belongs to another list',
        async ({ database }) => {
          await database.db.updateTable('gallery_snapshots').set({ snapshot_id: randomUUID() }).execute();
        },
      ],
      [
        'it is from a later time than the database',
        async ({ database }) => {
          await database.db.updateTable('gallery_snapshots').set({ seq: 1_000_000 }).execute();
        },
      ],
    ];
    it.each(cases)('%s', async (_why, spoil) => {
      const prepared = await withSnapshot();
      const before = await prepared.blobIds();
      await spoil(prepared);
      const second = prepared.node();
      await prepared.expectRight(second);
      expect(second.reading.pages).toBeGreaterThan(0);
      expect(prepared.warnings.join()).toContain('cannot be used and is removed');
      const after = await prepared.blobIds();
      expect(after.filter((id) => before.includes(id))).toEqual([]);
      // A new one has taken its place.
      prepared.hooks.read = prepared.read;
      const third = prepared.node();
      await prepared.expectRight(third);
      expect(third.reading.pages).toBe(0);
    });

    it('of another model: it stays for the nodes that use that', async () => {
      const { node, blobIds, clock } = await withSnapshot();
      const before = await blobIds();
      const newer = node({ ...model, revision: 'm-2' });
      expect((await newer.view()).unusable).toBe(PRINTS);
      expect(newer.reading.pages).toBeGreaterThan(0);
      await newer.snapshots.sweep();
      expect(await blobIds()).toEqual(before);
      clock.advance(25 * 3600_000);
      await newer.snapshots.sweep();
      expect(await blobIds()).toEqual([]);
    });

    it('but one that cannot be reached stays', async () => {
      const { node, hooks, blobIds, warnings, expectRight } = await withSnapshot();
      const before = await blobIds();
      hooks.read = () => {
        throw new AppError('BUSY', 'the store is away');
      };
      await expectRight(node());
      expect(await blobIds()).toEqual(before);
      expect(warnings.join()).toContain('cannot be reached');
    });
  });

  describe('the sweep', () => {
    type Prepared = Awaited<ReturnType<typeof withSnapshot>>;
    const [name = ''] = people;
    const gone: [string, (prepared: Prepared) => Promise<unknown>][] = [
      [
        'a print is deleted',
        ({ store }) => store.transaction((tx) => tx.profiles.delete(SCOPE, `print-${name}`)),
      ],
      [
        'a print loses its training',
        ({ store }) => store.transaction((tx) => tx.profiles.update(untrained(print(name), 2))),
      ],
      [
        'a member is removed',
        ({ store }) =>
          store.transaction((tx) => tx.collections.removeMembers(SCOPE, 'list', [`owner-${name}`])),
      ],
      [
        'the journal is forgotten',
        async ({ database, add }) => {
          await add(print('one more'));
          await database.db.deleteFrom('print_changes').execute();
        },
      ],
    ];
    it.each(gone)('removes a snapshot when %s', async (_what, change) => {
      const prepared = await withSnapshot();
      const { snapshots } = prepared.node();
      expect(await snapshots.sweep()).toBe(0);
      await change(prepared);
      expect(await snapshots.sweep()).toBe(1);
      expect(await prepared.blobIds()).toEqual([]);
      expect(await prepared.store.read.gallerySnapshots.list()).toEqual([]);
    });

    it('leaves it alone when prints are added, trained again or locked', async () => {
      const { node, store, add, blobIds } = await withSnapshot();
      const before = await blobIds();
      const { trained: _, ...bare } = print('bare');
      await add(print('new'));
      await add({ ...bare, version: 0 });
      await store.transaction((tx) => tx.profiles.update(print(name, { version: 2 })));
      expect(await node().snapshots.sweep()).toBe(0);
      expect(await blobIds()).toEqual(before);
    });

    it('finds no snapshot of a scope whose content was deleted', async () => {
      const { database, store } = await withSnapshot();
      await database.transaction((tx) => deleteBiometricContent(tx, SCOPE));
      expect(await store.read.gallerySnapshots.list()).toEqual([]);
    });
  });
});
