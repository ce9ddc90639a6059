// Groups and watchlists in memory: the scores are those of comparing with every print in the store, and every
// change counts at once, also one that another process made.
import { describe, expect, it } from 'vitest';
import { Galleries, galleryLimits, type GalleryLimits } from '../../src/biometrics/galleries/galleries.js';
import type { Profile } from '../../src/biometrics/profiles/model.js';
import { unlocked } from '../../src/biometrics/profiles/profile-changes.js';
import { deleteBiometricContent } from '../../src/storage/biometrics/delete-scope-content.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import { normalised } from '../../src/voice/embedding/vector.js';
import { scoreSample } from '../../src/voice/scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../../src/voice/scoring/speaker-model.js';
import { buildTemplate } from '../../src/voice/scoring/template.js';
import { forEachDatabase } from '../support/database.js';
import { createRng } from '../support/sounds.js';
import { testStorage } from '../support/storage.js';

const dim = 32;
const scope = 'scope-1';
const random = createRng(5);
const vector = () => normalised(Float32Array.from({ length: dim }, () => random() + random() - 1));
const model: SpeakerModel = {
  revision: 'm-1',
  dim,
  scoring: {
    coefficients: [-2, 1, 6, 0.2, -0.1, 0.05, -0.3, -0.6, 0.15, 0.1, 0.05, -0.1, -0.2],
    netTestClampS: [1, 30],
    netEnrolClampS: [2, 60],
    snrClampDb: [0, 30],
    llrClamp: [-20, 20],
  },
  thresholds: [{ far: 0.01, llr: 1 }],
};

const sample = (embedding = vector()): VoiceSample => ({
  embedding,
  netMs: 2000 + 9000 * random(),
  snrDb: 30 * random(),
  bandwidth: random() < 0.5 ? 'narrow' : 'wide',
  modelRevision: model.revision,
});

function print(name: string, more: Partial<Profile> = {}): Profile {
  return {
    gkVoiceprintProfileId: `print-${name}`,
    gkScopeId: scope,
    gkOwnerId: `owner-${name}`,
    ownerType: 'FRAUDSTER',
    tag: 'main',
    status: 'BASIC_TRAINED',
    version: 1,
    lock: unlocked,
    trained: {
      template: buildTemplate(model, [sample()]),
      calibrationRevisionId: 'c-1',
      segmentCount: 1,
      trainedAt: 1,
    },
    nearTermAdaptation: false,
    customData: {},
    createdAt: 1,
    modifiedAt: 1,
    ...more,
  };
}

await forEachDatabase(({ open }) => {
  async function prepare(limits: Partial<GalleryLimits> = {}) {
    const { database, keyring, audit, clock } = await testStorage(await open());
    const store = createBiometricsStore(database, keyring, audit);
    // What another process would hold of the same database.
    const elsewhere = createBiometricsStore(database, keyring, audit);
    const galleries = new Galleries({ store, clock, model }, { ...galleryLimits, ...limits });
    const add = (profile: Profile, list = 'list') =>
      elsewhere.transaction(async (tx) => {
        await tx.profiles.insert(profile);
        await tx.collections.addMember(scope, list, profile.gkOwnerId, 1);
      });
    const view = async (list = 'list', tag?: string) =>
      (await galleries.open(scope, list, 'watchlist.unique_id')).at(clock.now(), tag);
    /** What the gallery finds, and what comparing with every print of the store gives. */
    const both = async (heard: VoiceSample) => {
      const found = await (await view()).nearest(model, heard, 1000);
      const stored = await store.read.profiles.listByCollection(scope, 'list', undefined, 1000);
      const scored = stored.flatMap((profile) =>
        profile.trained
          ? [{ id: profile.gkVoiceprintProfileId, ...scoreSample(model, profile.trained.template, heard) }]
          : [],
      );
      const order = (a: { id: string; llr: number }, b: { id: string; llr: number }) =>
        b.llr - a.llr || (a.id < b.id ? -1 : 1);
      return [
        found
          .map(({ label, llr, reliability }) => ({ id: label.gkVoiceprintProfileId, llr, reliability }))
          .sort(order),
        scored.map(({ id, llr, reliability }) => ({ id, llr, reliability })).sort(order),
      ];
    };
    return { database, store: elsewhere, galleries, add, view, both, clock };
  }

  describe('a gallery', () => {
    it('gives exactly the scores of comparing one by one, and follows every change from elsewhere', async () => {
      const { add, both, store } = await prepare();
      for (let index = 0; index < 40; index++) await add(print(`p${index}`));
      await add(print('stranger'), 'another list');
      const same = async () => {
        const [found, wanted] = await both(sample());
        expect(found).toEqual(wanted);
        return wanted?.map(({ id }) => id) ?? [];
      };
      expect(await same()).toHaveLength(40);

      await store.transaction((tx) => tx.profiles.update(print('p3', { version: 2 })));
      expect(await same()).toHaveLength(40);
      await store.transaction((tx) => tx.profiles.delete(scope, 'print-p4'));
      expect(await same()).not.toContain('print-p4');
      await store.transaction((tx) => tx.collections.removeMembers(scope, 'list', ['owner-p5', 'owner-p6']));
      expect(await same()).toHaveLength(37);
      await store.transaction((tx) => tx.collections.addMember(scope, 'list', 'owner-p5', 2));
      expect(await same()).toContain('print-p5');
      await add(print('late'));
      expect(await same()).toContain('print-late');
      const { trained: _, ...untrained } = print('p7');
      await store.transaction((tx) => tx.profiles.update({ ...untrained, status: 'NOT_TRAINED' }));
      expect(await same()).not.toContain('print-p7');
      await store.transaction((tx) =>
        tx.profiles.insert({ ...print('p8'), gkVoiceprintProfileId: 'second', tag: 'second' }),
      );
      expect(await same()).toContain('second');
    });

    it('knows what cannot be scored, tags, and locks that end by themselves', async () => {
      const { add, view, clock } = await prepare();
      const { trained: _, ...untrained } = print('raw');
      await add({ ...untrained, status: 'NOT_TRAINED' });
      const old = print('old');
      if (old.trained) old.trained.template.modelRevision = 'm-0';
      await add(old);
      await add(print('phone', { tag: 'phone' }));
      await add(print('open'));
      const lock = { ...unlocked, locked: true, autoUnlockAt: clock.now() + 1000 };
      await add(print('locked', { lock }));
      await add(print('shut', { lock: { ...unlocked, locked: true } }));

      const all = await view();
      expect([all.trained, all.scorable, all.unusable.length]).toEqual([4, 2, 2]);
      expect(
        all.unusable.find((unusable) => unusable.gkVoiceprintProfileId === 'print-old')?.trained,
      ).toEqual({
        calibrationRevisionId: 'c-1',
        modelRevision: 'm-0',
      });
      const phone = await view('list', 'phone');
      const heard = await phone.nearest(model, sample(), 10);
      expect(heard.map(({ label }) => label.gkOwnerId)).toEqual(['owner-phone']);
      expect([phone.trained, phone.scorable, phone.unusable.length]).toEqual([1, 1, 0]);
      clock.advance(1000);
      expect((await view()).scorable).toBe(3);
    });

    it('is empty once the content of its scope is deleted', async () => {
      const { add, view, database } = await prepare();
      await add(print('a'));
      expect((await view()).scorable).toBe(1);
      await database.transaction((tx) => deleteBiometricContent(tx, scope));
      expect((await view()).scorable).toBe(0);
    });
  });

  describe('galleries', () => {
    it('keep no more prints in memory than they may, and forget the idle', async () => {
      const { add, view, galleries, clock } = await prepare({ printsMax: 5, idleMs: 60_000 });
      for (const list of ['a', 'b', 'c'])
        for (const index of [1, 2]) await add(print(`${list}${index}`), list);
      await view('a');
      await view('b');
      expect(galleries.stats).toEqual({ galleries: 2, prints: 4 });
      await view('a');
      await view('c');
      expect(galleries.stats).toEqual({ galleries: 2, prints: 4 });
      expect((await view('b')).scorable).toBe(2);
      clock.advance(60_000);
      await view('b');
      expect(galleries.stats).toEqual({ galleries: 1, prints: 2 });
      galleries.forget(scope);
      expect(galleries.stats.galleries).toBe(0);
    });

    it('refuse a list that is too large by naming it', async () => {
      const { add, view } = await prepare({ collectionPrintsMax: 2 });
      for (const name of ['a', 'b']) await add(print(name));
      expect((await view()).scorable).toBe(2);
      await add(print('c'));
      for (const _ of [1, 2])
        await expect(view()).rejects.toMatchObject({
          code: 'TOO_LARGE',
          fields: [{ field: 'watchlist.unique_id' }],
        });
    });

    it('read everything again when they are too far behind', async () => {
      const { add, view, database, store } = await prepare();
      await add(print('a'));
      await view();
      await store.transaction((tx) => tx.profiles.update(print('a')));
      await add(print('b'));
      await database.db.deleteFrom('print_changes').where('seq', '<=', 3).execute();
      expect((await view()).scorable).toBe(2);
    });

    it('read a list once for all who wait for it', async () => {
      const { add, galleries } = await prepare();
      await add(print('a'));
      const opened = await Promise.all(
        [1, 2, 3].map(() => galleries.open(scope, 'list', 'watchlist.unique_id')),
      );
      expect(new Set(opened).size).toBe(1);
    });
  });
});
