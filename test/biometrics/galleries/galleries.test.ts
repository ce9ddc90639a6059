// Groups and watchlists in memory: the scores are those of comparing with every print in the store, and every
// change counts at once, also one that another process made.
import { describe, expect, it } from 'vitest';
import { unlocked } from '../../../src/biometrics/rules/profile-changes.js';
import { deleteBiometricContent } from '../../../src/storage/biometrics/delete-tenant-content.js';
import { forEachDatabase } from '../../support/database.js';
import { model, names, prepare as prepareOn, print, sample, SCOPE } from './prints.js';

await forEachDatabase(({ open }) => {
  const prepare = async (limits?: Parameters<typeof prepareOn>[1]) => prepareOn(await open(), limits);

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
      await store.transaction((tx) => tx.profiles.delete(SCOPE, 'print-p4'));
      expect(await same()).not.toContain('print-p4');
      await store.transaction((tx) => tx.collections.removeMembers(SCOPE, 'list', ['owner-p5', 'owner-p6']));
      expect(await same()).toHaveLength(37);
      await store.transaction((tx) => tx.collections.addMember(SCOPE, 'list', 'owner-p5', 2));
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
      const lock = { ...unlocked, locked: true, autoUnlockAtMs: clock.now() + 1000 };
      await add(print('locked', { lock, ownerType: 'PERSON' }));
      await add(print('shut', { lock: { ...unlocked, locked: true }, ownerType: 'PERSON' }));
      // A lock never hides a fraudster.
      await add(print('wanted', { lock: { ...unlocked, locked: true } }));

      const all = await view();
      expect([all.trained, all.scorable, all.unusable, all.unusableTrained]).toEqual([5, 3, 2, 1]);
      const judged = await all.consistency({ revisionId: 'c-1', modelRevision: model.revision }, 10);
      expect(judged).toMatchObject({ compatible: 5, untrained: 1, incompatible: 1, damaged: [] });
      expect(judged.first[0]).toMatchObject({
        gkVoiceprintProfileId: 'print-old',
        trained: { calibrationRevisionId: 'c-1', modelRevision: 'm-0' },
      });
      const phone = await view('list', 'phone');
      const [heard = []] = await phone.nearest({ model, samples: [sample()], limit: 10 });
      expect(heard.map(({ label }) => label.gkOwnerId)).toEqual(['owner-phone']);
      expect([phone.trained, phone.scorable, phone.unusable]).toEqual([1, 1, 0]);
      clock.advance(1000);
      expect((await view()).scorable).toBe(4);
    });

    it('is empty once the content of its scope is deleted', async () => {
      const { add, view, database } = await prepare();
      await add(print('a'));
      expect((await view()).scorable).toBe(1);
      await database.transaction((tx) => deleteBiometricContent(tx, SCOPE));
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
      galleries.forget(SCOPE);
      expect(galleries.stats.galleries).toBe(0);
    });

    it('refuse a list that is too large by naming it', async () => {
      const { add, view } = await prepare({ printsMax: 2 });
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

    it('follow many changes without reading the list again', { tags: 'slow' }, async () => {
      const { addAll, both, reading, store } = await prepare();
      const all = names(250);
      await addAll(all.map((name) => print(name)));
      await both(sample());
      const pages = reading.pages;
      await store.transaction(async (tx) => {
        for (const name of all) await tx.profiles.update(print(name, { version: 2 }));
      });
      await store.transaction((tx) =>
        tx.collections.removeMembers(
          SCOPE,
          'list',
          all.slice(0, 210).map((name) => `owner-${name}`),
        ),
      );
      const [found, wanted] = await both(sample());
      expect(found).toHaveLength(40);
      expect(found).toEqual(wanted);
      expect(reading.pages).toBe(pages);
    });
  });
});
