// A call under an idempotency key is done once. The rules over both databases: what a repetition gets, what is refused, what is
// durable together, and what two nodes do that are asked at the same time.
import { describe, expect, it, vi } from 'vitest';
import type { ConfigsetRevision } from '../../src/biometrics/model/configsets.js';
import { Once, type KeyedRequest } from '../../src/idempotency/once.js';
import type { NewAnswer } from '../../src/idempotency/ports.js';
import { DAY_MS } from '../../src/platform.js';
import { afterCommit, type Tx } from '../../src/storage/database.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import { keptAnswers } from '../../src/storage/idempotency/kept-answers.js';
import { forEachDatabase, type DatabaseUnderTest } from '../support/database.js';
import { meetingOf } from '../support/meeting.js';
import { testStorage, type TestStorage } from '../support/storage.js';
import type { AuditAct } from '../../src/words/audit/english.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (answer: Uint8Array): string => new TextDecoder().decode(answer);

const request = (more: Partial<KeyedRequest> = {}): KeyedRequest => ({
  owner: 'client-1',
  key: 'key-1',
  fingerprint: new Uint8Array(32).fill(1),
  ...more,
});

async function recordChange({ audit }: TestStorage, tx: Tx, name: string): Promise<void> {
  await tx.insertInto('settings').values({ name, value: 'x' }).execute();
  await audit.atEndOf(tx).append({
    chain: 'system',
    recordType: 'WEB_APP_EVENT',
    operation: name as AuditAct,
    actor: { subject: 'tester', issuer: 'https://issuer.test' },
    requestId: 'request-1',
  });
}

/** A call that makes a setting, with its record, and answers its name; it is about these. */
const making =
  (storage: TestStorage, name: string, ...names: string[]) =>
  async (): Promise<NewAnswer> => {
    await storage.database.transaction((tx) => recordChange(storage, tx, name));
    return { answer: bytes(`made ${name}`), names: new Set(names) };
  };

const sharedSet: ConfigsetRevision = {
  gkConfigsetRevisionId: 'revision',
  gkScopeId: 't',
  configsetId: 'telephone',
  type: 'OPERATIONAL',
  configClass: 'CONFIGSET',
  state: 'ACTIVE',
  content: '{}',
  description: '',
  createdBy: 'tester',
  updatedBy: 'tester',
  createdAtMs: 0,
  modifiedAtMs: 0,
};

const settingsOf = async ({ database }: TestStorage): Promise<string[]> => {
  const rows = await database.db.selectFrom('settings').select('name').where('name', 'like', 't.%').execute();
  return rows.map(({ name }) => name).sort();
};

await forEachDatabase(({ open, dialect }: DatabaseUnderTest) => {
  const start = async () => {
    const storage = await testStorage(await open());
    const kept = keptAnswers(storage);
    return { storage, kept, once: new Once(kept) };
  };

  describe('a repetition', () => {
    it('gets the first answer, and nothing is done', async () => {
      const { storage, once } = await start();
      const first = await once.answer(request(), making(storage, 't.a'));
      const again = await once.answer(request(), making(storage, 't.b'));
      expect([textOf(first.answer), first.isRepeat]).toEqual(['made t.a', false]);
      expect([textOf(again.answer), again.isRepeat]).toEqual(['made t.a', true]);
      expect(await settingsOf(storage)).toEqual(['t.a']);
    });

    it('under the key of another client is another call', async () => {
      const { storage, once } = await start();
      await once.answer(request(), making(storage, 't.a'));
      const other = await once.answer(request({ owner: 'client-2' }), making(storage, 't.b'));
      expect(other.isRepeat).toBe(false);
    });

    it('with another request is refused', async () => {
      const { storage, once } = await start();
      await once.answer(request(), making(storage, 't.a'));
      await expect(
        once.answer(request({ fingerprint: new Uint8Array(32).fill(2) }), making(storage, 't.b')),
      ).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        diagnostics: [{ code: 'IDEMPOTENCY_KEY_REUSED' }],
      });
      expect(await settingsOf(storage)).toEqual(['t.a']);
    });

    it('while the first still runs is told to wait', async () => {
      const { storage, once } = await start();
      let release = (): void => {};
      const gate = new Promise<void>((resolve) => (release = resolve));
      const first = once.answer(request(), async () => {
        await gate;
        return making(storage, 't.a')();
      });
      await expect(once.answer(request(), making(storage, 't.b'))).rejects.toMatchObject({
        code: 'IN_PROGRESS',
        retryAfterMs: 1000,
        diagnostics: [{ code: 'IDEMPOTENCY_KEY_IN_USE' }],
      });
      release();
      await first;
      expect((await once.answer(request(), making(storage, 't.b'))).isRepeat).toBe(true);
    });

    it('after a failure is a first call again', async () => {
      const { storage, once } = await start();
      await expect(once.answer(request(), () => Promise.reject(new Error('not today')))).rejects.toThrow(
        'not today',
      );
      expect((await once.answer(request(), making(storage, 't.a'))).isRepeat).toBe(false);
    });

    it('after a day is a first call again, and the old answer is swept', async () => {
      const { storage, once, kept } = await start();
      await once.answer(request(), making(storage, 't.a'));
      await once.answer(request({ key: 'key-2' }), making(storage, 't.b'));
      storage.clock.advance(DAY_MS - 1);
      expect(await kept.sweep()).toBe(0);
      storage.clock.advance(1);
      expect((await once.answer(request(), making(storage, 't.c'))).isRepeat).toBe(false);
      expect(await kept.sweep()).toBe(1);
      expect((await once.answer(request(), making(storage, 't.d'))).isRepeat).toBe(true);
    });

    it('keeps nobody waiting when it is forgotten and nothing is to be emptied', async () => {
      const { storage, kept } = await start();
      const opened = vi.spyOn(storage.database, 'transaction');
      await kept.sweep();
      expect(opened).not.toHaveBeenCalled();
    });
  });

  describe('a key', () => {
    it.each(['', ' ', 'a b', 'ä', 'x'.repeat(256)])('%j is refused', async (key) => {
      const { storage, once } = await start();
      await expect(once.answer(request({ key }), making(storage, 't.a'))).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        diagnostics: [{ code: 'IDEMPOTENCY_KEY_INVALID' }],
      });
    });

    it('is not stored, and the answer is sealed', async () => {
      const { storage, once } = await start();
      await once.answer(request({ key: 'order-of-anna' }), making(storage, 't.secret'));
      const rows = await storage.database.db.selectFrom('kept_answers').selectAll().execute();
      const stored = rows.map(({ id, sealed }) => id + Buffer.from(sealed).toString('latin1')).join();
      expect(rows).toHaveLength(1);
      expect(stored).not.toMatch(/anna|secret/);
    });
  });

  describe('change and answer', () => {
    it('are durable together: where the answer is lost, so is the change', async () => {
      const { storage } = await start();
      const { database } = storage;
      let hooks = 0;
      const lost = database.asOne(
        () =>
          database.transaction(async (tx) => {
            afterCommit(tx, () => (hooks += 1));
            await recordChange(storage, tx, 't.a');
          }),
        () => Promise.reject(new Error('no room for the answer')),
      );
      await expect(lost).rejects.toThrow('no room');
      expect([await settingsOf(storage), hooks]).toEqual([[], 0]);
    });

    it('take in what the call does after its change, and reads see it', async () => {
      const { storage } = await start();
      const { database } = storage;
      const order: string[] = [];
      const seen = await database.asOne(
        async () => {
          await database.transaction(async (tx) => {
            afterCommit(tx, () => order.push('hook'));
            await recordChange(storage, tx, 't.a');
          });
          const failed = database.transaction(async (tx) => {
            await recordChange(storage, tx, 't.b');
            throw new Error('only this part');
          });
          await expect(failed).rejects.toThrow('only this part');
          await database.transaction((tx) => recordChange(storage, tx, 't.c'));
          return settingsOf(storage);
        },
        async () => void order.push('last'),
      );
      expect(seen).toEqual(['t.a', 't.c']);
      expect(await settingsOf(storage)).toEqual(['t.a', 't.c']);
      expect(order).toEqual(['last', 'hook']);
    });

    it('of a call that fails after its change: the change stays, as without a key', async () => {
      const { storage, once } = await start();
      const failing = once.answer(request(), async () => {
        await making(storage, 't.a')();
        throw new Error('too late');
      });
      await expect(failing).rejects.toThrow('too late');
      expect(await settingsOf(storage)).toEqual(['t.a']);
    });

    it('come again as a whole where a later part of the call lost a deadlock', async () => {
      const { storage } = await start();
      const { database } = storage;
      const lost = database.asOne(
        async () => {
          await database.transaction((tx) => recordChange(storage, tx, 't.a'));
          await database.transaction(() =>
            Promise.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' })),
          );
        },
        async () => {},
      );
      await expect(lost).rejects.toMatchObject({ code: 'BUSY' });
    });

    // SQLite has one writer at a time: there nobody meets.
    if (dialect === 'postgres')
      it('do not keep other calls from the settings that the tenant shares', async () => {
        const { storage } = await start();
        const { database, keyring, audit } = storage;
        const store = createBiometricsStore(database, keyring, audit);
        await store.transaction((tx) => tx.configsets.insert(sharedSet));
        const meet = meetingOf(2);
        const found = () => store.read.configsets.findActive('t', 'CONFIGSET', 'telephone');
        const call = (name: string) =>
          store.asOne(
            async () => {
              await database.transaction((tx) => recordChange(storage, tx, name));
              const own = await found();
              // In a transaction, too, as enrollment reads it.
              const again = await store.transaction((tx) =>
                tx.configsets.findActive('t', 'CONFIGSET', 'telephone'),
              );
              await meet();
              return [own?.content, again?.content];
            },
            async () => {},
          );
        expect(await Promise.all([call('t.a'), call('t.b')])).toEqual([
          ['{}', '{}'],
          ['{}', '{}'],
        ]);
      });

    it('of two nodes that are asked at once: one does it, both give its answer', async () => {
      const { storage, kept } = await start();
      const meet = meetingOf(2);
      const ask = (name: string) =>
        new Once(kept).answer(request(), async () => {
          await meet();
          return making(storage, name)();
        });
      const answers = await Promise.all([ask('t.a'), ask('t.b')]);
      const done = await settingsOf(storage);
      expect(done).toHaveLength(1);
      expect(answers.map(({ answer }) => textOf(answer))).toEqual([`made ${done[0]}`, `made ${done[0]}`]);
      expect(answers.map(({ isRepeat }) => isRepeat).sort()).toEqual([false, true]);
    });
  });
}, 'both quick');
