// The first call for a long list: it is read once for everybody, other work has its turn meanwhile, and what
// happens to the list during the reading is not lost.
import { describe, expect, it } from 'vitest';
import { deleteBiometricContent } from '../../../src/storage/biometrics/delete-tenant-content.js';
import { forEachDatabase } from '../../support/database.js';
import { names, prepare as prepareOn, print, sample, SCOPE, turnsDuring } from './prints.js';

/** Three pages of members. */
const many = names(250);
const PAGES_OF_MANY = 3;

function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
}

await forEachDatabase(({ open: database }) => {
  async function prepare() {
    const prepared = await prepareOn(await database());
    await prepared.addAll(many.map((name) => print(name)));
    return prepared;
  }

  describe('reading a long list', () => {
    it('happens once for all first callers, also when the first of them does not wait any longer', async () => {
      const { open, reading } = await prepare();
      const held = gate();
      reading.afterPage = () => held.passed;
      const gone = Promise.race([open(), Promise.reject(new Error('ran out of time'))]);
      await expect(gone).rejects.toThrow('ran out of time');
      const others = [open(), open()];
      held.open();
      const [one, another] = await Promise.all(others);
      expect(one?.size).toBe(many.length);
      expect(another).toBe(one);
      expect(reading.pages).toBe(PAGES_OF_MANY);
      expect(await open()).toBe(one);
      expect(reading.pages).toBe(PAGES_OF_MANY);
    });

    it('gives other work its turn between pages', async () => {
      const { open } = await prepare();
      expect(await turnsDuring(open())).toBeGreaterThan(1);
    });

    it('loses nothing that changes meanwhile, before and behind the place it has reached', async () => {
      const { open, view, both, reading, store, add } = await prepare();
      let later: ReturnType<typeof view> | undefined;
      reading.afterPage = async (page) => {
        if (page !== 2) return;
        for (const part of [many.slice(0, 4), many.slice(-4)] as [string, string, string, string][]) {
          const [changed, deleted, removed, back] = part;
          await store.transaction((tx) => tx.profiles.update(print(changed, { version: 2 })));
          await store.transaction((tx) => tx.profiles.delete(SCOPE, `print-${deleted}`));
          await store.transaction((tx) =>
            tx.collections.removeMembers(SCOPE, 'list', [`owner-${removed}`, `owner-${back}`]),
          );
          await store.transaction((tx) => tx.collections.addMember(SCOPE, 'list', `owner-${back}`, 2));
        }
        await add(print('a-first'));
        await add(print('z-last'));
        // Asked after the changes and before the end of the reading: it has to know them.
        later = view();
      };
      await open();
      const heard = sample();
      const [found, wanted] = await both(heard, await later);
      expect(found).toHaveLength(many.length - 4 + 2);
      expect(found).toEqual(wanted);
      expect(reading.pages).toBe(PAGES_OF_MANY);
    });

    it('begins anew after it failed', async () => {
      const { open, reading } = await prepare();
      reading.afterPage = async (page) => {
        if (page === 2) throw new Error('the connection broke');
      };
      await expect(open()).rejects.toThrow('the connection broke');
      expect((await open()).size).toBe(many.length);
    });

    it('keeps nothing of a scope whose content is deleted meanwhile', async () => {
      const { open, galleries, reading, database: opened } = await prepare();
      const held = gate();
      const reached = gate();
      reading.afterPage = (page) => {
        if (page !== 1) return Promise.resolve();
        reached.open();
        return held.passed;
      };
      const waiting = open();
      await reached.passed;
      await opened.transaction((tx) => deleteBiometricContent(tx, SCOPE));
      galleries.forget(SCOPE);
      const fresh = open();
      held.open();
      expect((await waiting).size).toBe(0);
      expect((await fresh).size).toBe(0);
      expect(galleries.stats.prints).toBe(0);
    });
  });
});
