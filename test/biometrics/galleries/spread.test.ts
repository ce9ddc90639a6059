// Groups and watchlists that are spread over nodes: three of them, in this process, over one store. Every answer is that of one node
// which holds everything, whoever is asked, whoever is gone, and whatever changes.
import { describe, expect, it } from 'vitest';
import { Galleries, galleryLimits, type GalleryLimits } from '../../../src/biometrics/galleries/galleries.js';
import {
  answerShares,
  type ShareAnswer,
  type ShareQuestion,
} from '../../../src/biometrics/galleries/share-questions.js';
import { GallerySnapshots } from '../../../src/biometrics/galleries/snapshots.js';
import { SpreadGalleries } from '../../../src/biometrics/galleries/spread-galleries.js';
import type { Profile } from '../../../src/biometrics/model/profiles.js';
import { unlocked } from '../../../src/biometrics/rules/profile-changes.js';
import { silentLog, systemIds } from '../../../src/platform.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import type { Database } from '../../../src/storage/database.js';
import { forEachDatabase } from '../../support/database.js';
import { testStorage } from '../../support/storage.js';
import { model, names, print, sample, SCOPE, watched } from './prints.js';

const place = { gkScopeId: SCOPE, collectionGkId: 'list', field: 'watchlist.unique_id' };
const PRINTS = 160;

interface Node {
  name: string;
  galleries: Galleries;
  spread: SpreadGalleries;
  reading: { pages: number; afterPage(page: number): Promise<void> };
  isAway: boolean;
  /** Holds up what it reads from snapshots. */
  beforeSnapshot(): Promise<void>;
}

async function prepare(opened: Database, limits: Partial<GalleryLimits> = {}) {
  const { database, keyring, audit, clock } = await testStorage(opened);
  const store = createBiometricsStore(database, keyring, audit);
  const blobs = new Map<string, Uint8Array>();
  const nodes: Node[] = [];
  /** As it would go over a wire. */
  const ask = async (name: string, question: ShareQuestion): Promise<ShareAnswer | undefined> => {
    const node = nodes.find((each) => each.name === name);
    if (!node || node.isAway) return undefined;
    const asked = JSON.parse(JSON.stringify(question)) as ShareQuestion;
    // Nodes of other versions read it by this name.
    expect(asked).toHaveProperty('now', clock.now());
    const answer = await answerShares({ galleries: node.galleries, model, log: silentLog }, asked);
    return JSON.parse(JSON.stringify(answer)) as ShareAnswer;
  };
  const snapshots = new GallerySnapshots(
    {
      ...{ store, clock, ids: systemIds, log: silentLog, model },
      blobs: {
        put: async (_scope, blobId, source) => {
          const pieces: Uint8Array[] = [];
          for await (const piece of source) pieces.push(piece);
          blobs.set(blobId, Buffer.concat(pieces));
        },
        async *read(_scope, blobId) {
          yield blobs.get(blobId) ?? new Uint8Array();
        },
        delete: async (_scope, blobId) => void blobs.delete(blobId),
      },
      alone: (_name, work) => work(),
    },
    { printsMin: 1, sharePrintsMin: 0, partRows: 100, behindMax: 1000, unusableMax: 100 },
  );
  const start = (name: string, from: number = PRINTS): Node => {
    const reading = { pages: 0, afterPage: async () => {} };
    const deps = { store: watched(store, reading), clock, model, log: silentLog };
    const kept = {
      isKept: snapshots.isKept.bind(snapshots),
      keep: snapshots.keep.bind(snapshots),
      load: snapshots.load.bind(snapshots),
      loadShares: async (...asked: Parameters<GallerySnapshots['loadShares']>) => {
        await node.beforeSnapshot();
        return snapshots.loadShares(...asked);
      },
    };
    const galleries = new Galleries({ ...deps, snapshots: kept }, { ...galleryLimits, ...limits });
    const peers = { self: name, nodes: () => nodes.map((each) => each.name), ask };
    const spread = new SpreadGalleries({ ...deps, galleries, peers }, from);
    const node: Node = {
      ...{ name, galleries, spread, reading, isAway: false },
      beforeSnapshot: async () => {},
    };
    nodes.push(node);
    return node;
  };
  const addAll = (profiles: readonly Profile[]) =>
    store.transaction(async (tx) => {
      for (const profile of profiles) {
        await tx.profiles.insert(profile);
        await tx.collections.addMember(SCOPE, 'list', profile.gkOwnerId, 1);
      }
    });
  const asked = (named: readonly string[] = [], tag?: string) => ({
    ...{ nowMs: clock.now(), tag, named },
    signal: new AbortController().signal,
  });
  /** What a node that asks the others says, and one that holds everything itself. */
  const both = async (node: Node, tag?: string, limit = 100) => {
    const whole = new Galleries({ store, clock, model });
    const samples = [sample(), sample(), sample()];
    const views = [
      await node.spread.view(place, asked([], tag)),
      await whole.view(place, asked([], tag)),
    ] as const;
    const said = views.map(async (view) => {
      const { trained, scorable, unusable, unusableTrained, damaged } = view;
      const nearest = await view.nearest({ model, samples, limit });
      const best = nearest[0]?.[0]?.label.gkVoiceprintProfileId ?? '';
      return {
        counts: { trained, scorable, unusable, unusableTrained, damaged: [...damaged].sort() },
        nearest,
        scores: await view.scores(model, samples, best),
        judged: await view.consistency({ revisionId: 'c-1', modelRevision: model.revision }, 5),
      };
    });
    return Promise.all(said);
  };
  const expectSame = async (node: Node, tag?: string) => {
    const [spread, whole] = await both(node, tag);
    expect(spread).toEqual(whole);
    return spread;
  };
  return { store, clock, nodes, start, addAll, asked, both, expectSame, snapshots, blobs };
}

/** Prints of several kinds, some of which cannot be compared with. */
function mixed(): Profile[] {
  const all = names(PRINTS).map((name, index) =>
    print(name, {
      tag: index % 3 === 0 ? 'phone' : 'main',
      ...(index % 7 === 0 && {
        ownerType: 'PERSON',
        lock: { ...unlocked, locked: true, ...(index % 2 === 0 && { autoUnlockAtMs: 1 }) },
      }),
    }),
  );
  const [old, raw] = [all[5], all[6]];
  if (old?.trained) old.trained.template.modelRevision = 'm-0';
  if (raw) {
    delete raw.trained;
    raw.status = 'NOT_TRAINED';
  }
  return all;
}

await forEachDatabase(({ open, dialect }) => {
  describe('a list that is spread', () => {
    it('is answered as by one node, for every tag, whoever is asked', async () => {
      const { start, addAll, expectSame, asked } = await prepare(await open());
      await addAll(mixed());
      const nodes = [start('a'), start('b'), start('c')];
      for (const node of nodes) {
        const { counts, scores } = (await expectSame(node)) ?? {};
        expect(counts).toMatchObject({ trained: PRINTS - 2, unusable: 2, unusableTrained: 1 });
        expect(scores).toHaveLength(3);
      }
      await expectSame(nodes[0]!, 'phone');
      const view = await nodes[1]!.spread.view(place, asked(['print-p0001', 'print-unknown']));
      expect([view.has('print-p0001'), view.has('print-unknown')]).toEqual([true, false]);
      // Each holds a part, and all of them together everything once.
      const held = nodes.map(({ galleries }) => galleries.stats.prints);
      expect(Math.min(...held)).toBeGreaterThan(0);
      expect(held.reduce((sum, prints) => sum + prints)).toBe(PRINTS);
    });

    // The rest does not depend on the database.
    if (dialect === 'postgres') return;

    it('is answered no further than to the sample that one of the nodes is sure of', async () => {
      const { start, addAll, asked } = await prepare(await open());
      const all = mixed();
      await addAll(all);
      const [node] = [start('a'), start('b'), start('c')];
      const view = await node.spread.view(place, asked());
      const known = all[20]?.trained?.template.embedding;
      // More than go over the wire at once.
      const samples = Array.from({ length: 70 }, (_, index) => sample(index === 1 ? known : undefined));
      const wanted = { model, samples, limit: 5 };
      const whole = await view.nearest(wanted);
      expect(whole).toHaveLength(70);
      const [best = 0, other = 0] = whole.map(([first]) => first?.llr ?? 0).sort((a, b) => b - a);
      const enoughLlr = (best + other) / 2;
      expect(await view.nearest({ ...wanted, enoughLlr })).toEqual(whole.slice(0, 2));
      expect(await view.nearest({ ...wanted, enoughLlr: Infinity })).toEqual(whole);
    });

    it('follows every change, on all nodes', async () => {
      const { start, addAll, expectSame, store } = await prepare(await open());
      await addAll(mixed());
      const nodes = [start('a'), start('b'), start('c')];
      for (const node of nodes) await expectSame(node);
      const pages = nodes.map(({ reading }) => reading.pages);
      await store.transaction(async (tx) => {
        for (const index of [10, 11, 12]) await tx.profiles.delete(SCOPE, `print-p00${index}`);
        await tx.profiles.update(print('p0020', { version: 2 }));
        await tx.collections.removeMembers(SCOPE, 'list', ['owner-p0030', 'owner-p0031']);
      });
      await addAll(names(PRINTS + 20).slice(PRINTS).map((name) => print(name))); // prettier-ignore
      for (const node of nodes) expect((await expectSame(node))?.counts.trained).toBe(PRINTS - 2 - 5 + 20);
      expect(nodes.map(({ reading }) => reading.pages)).toEqual(pages);
    });

    it('loses nothing when nodes go: the others take their shares, from snapshots where there are some', async () => {
      const { start, addAll, expectSame, nodes } = await prepare(await open());
      await addAll(mixed());
      const [first, second, third] = [start('a'), start('b'), start('c')];
      await expectSame(first);
      for (const { galleries } of nodes) await galleries.idle();
      const pages = nodes.map(({ reading }) => reading.pages);
      // Gone, and nobody knows yet.
      third.isAway = true;
      await expectSame(first);
      expect(first.spread.stats.takenOver).toBeGreaterThan(0);
      // Now everybody knows.
      nodes.pop();
      await expectSame(second);
      expect(first.galleries.stats.prints + second.galleries.stats.prints).toBe(PRINTS);
      // Alone in the end, with the shares of all.
      second.isAway = true;
      await expectSame(first);
      expect(first.galleries.stats.prints).toBe(PRINTS);
      expect(nodes.map(({ reading }) => reading.pages)).toEqual(pages.slice(0, 2));
    });

    it('reads from the database only the shares whose snapshots are damaged', async () => {
      const { store, start, addAll, expectSame, nodes, blobs } = await prepare(await open());
      await addAll(mixed());
      const first = start('a');
      await expectSame(first);
      await first.galleries.idle();
      const kept = await store.read.gallerySnapshots.list(SCOPE);
      const isDamaged = (index: number): boolean => index % 4 === 0;
      // Rows that are all there, and a rest that is not.
      for (const [index, { blobIds }] of kept.entries())
        if (isDamaged(index)) blobs.set(blobIds.at(-1) ?? '', Buffer.from('damaged'));
      nodes.pop();
      const second = start('b');
      await expectSame(second);
      expect(second.galleries.stats.prints).toBe(PRINTS);
      await second.galleries.idle();
      const now = (await store.read.gallerySnapshots.list(SCOPE)).map(({ snapshotId }) => snapshotId);
      const stayed = kept.map(({ snapshotId }) => now.includes(snapshotId));
      expect(stayed).toEqual(kept.map((_, index) => !isDamaged(index)));
    });

    it('is read by a node that comes before anybody asks it: its own shares, and no others', async () => {
      const { start, addAll, expectSame, snapshots, nodes } = await prepare(await open());
      await addAll(mixed());
      const first = start('a');
      await expectSame(first);
      await first.galleries.idle();
      const second = start('b');
      const lists = await snapshots.keptInShares();
      expect(lists).toEqual([{ gkScopeId: SCOPE, collectionGkId: 'list' }]);
      await second.spread.warm(lists);
      expect(second.reading.pages).toBe(0);
      const { prints } = second.galleries.stats;
      expect(prints).toBeGreaterThan(0);
      expect(prints).toBeLessThan(PRINTS);
      second.beforeSnapshot = () => Promise.reject(new Error('nothing is to be read'));
      for (const node of nodes) await expectSame(node);
      expect(second.galleries.stats.prints).toBe(prints);
      // Where it is not spread it is not divided.
      const third = start('c', PRINTS + 1);
      await third.spread.warm(lists);
      expect(third.galleries.stats.prints).toBe(0);
    });

    it('moves to a node that joins: answered by those who had it until that one has read it', async () => {
      const { start, addAll, expectSame, clock, nodes } = await prepare(await open());
      await addAll(mixed());
      const [first, second] = [start('a'), start('b')];
      await expectSame(first);
      const third = start('c');
      let goOn = () => {};
      const held = new Promise<void>((resolve) => (goOn = resolve));
      third.beforeSnapshot = () => held;
      for (const node of nodes) await expectSame(node);
      expect(third.galleries.stats.prints).toBe(0);
      goOn();
      await expect.poll(() => third.galleries.stats.prints).toBeGreaterThan(0);
      for (const minutes of [20, 20]) {
        clock.advance(minutes * 60_000);
        for (const node of nodes) await expectSame(node);
      }
      const prints = [first, second, third].map(({ galleries }) => galleries.stats.prints);
      expect(prints.reduce((sum, each) => sum + each)).toBe(PRINTS);
      // After a long time without a question nothing has to be read again.
      const pages = nodes.map(({ reading }) => reading.pages);
      third.beforeSnapshot = () => Promise.reject(new Error('nothing is to be read'));
      clock.advance(24 * 3600_000);
      await expectSame(third);
      expect(nodes.map(({ reading }) => reading.pages)).toEqual(pages);
    });

    it('is held whole below the number of members from which it is spread', async () => {
      const { start, addAll, expectSame, clock } = await prepare(await open());
      await addAll(names(50).map((name) => print(name)));
      const [node, other] = [start('a', 51), start('b', 51)];
      await expectSame(node);
      expect([node.galleries.stats.prints, other.galleries.stats.prints]).toEqual([50, 0]);
      await addAll([print('last')]);
      clock.advance(60_000);
      await expectSame(node);
      expect(node.spread.stats.asked).toBeGreaterThan(0);
      expect(other.galleries.stats.prints).toBeGreaterThan(0);
    });

    it('is refused by name when it is more than all nodes may hold, and not answered in part', async () => {
      const { start, addAll, asked } = await prepare(await open(), { collectionPrintsMax: 70 });
      await addAll(mixed());
      const node = start('a', 100);
      start('b');
      await expect(node.spread.view(place, asked())).rejects.toMatchObject({
        code: 'TOO_LARGE',
        message: expect.stringContaining('add nodes') as string,
        fields: [{ field: 'watchlist.unique_id' }],
      });
    });

    it('makes callers come again whose time is over while a node still reads', async () => {
      const { start, addAll, asked, expectSame } = await prepare(await open());
      await addAll(mixed());
      const node = start('a');
      let goOn = () => {};
      const held = new Promise<void>((resolve) => (goOn = resolve));
      node.reading.afterPage = () => held;
      const caller = new AbortController();
      const waiting = node.spread.view(place, { ...asked(), signal: caller.signal });
      caller.abort();
      await expect(waiting).rejects.toMatchObject({
        code: 'BUSY',
        retryAfterMs: expect.any(Number) as number,
      });
      goOn();
      await expectSame(node);
    });
  });
});
