import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/audit/chain.js';
import { type ExportPage, exportRecords } from '../../src/audit/export-records.js';
import { auditDetail, type AuditEntry, auditedBy, type RecordType } from '../../src/audit/model.js';
import { verifyChain } from '../../src/audit/verify-chain.js';
import type { BiometricsTransaction } from '../../src/biometrics/ports/store.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import { forEachDatabase } from '../support/database.js';
import { meetingOf } from '../support/meeting.js';
import { testCall, type TestStorage, testStorage } from '../support/storage.js';

const CHAIN = 'scope-1';

/** What was done is of no interest to the chain. */
function entry(more: Partial<Omit<AuditEntry, 'operation'>> & { operation?: string } = {}): AuditEntry {
  return {
    ...auditedBy(testCall()),
    chain: CHAIN,
    recordType: 'PERSON_EVENT',
    operation: 'CreatePerson',
    ...more,
  } as AuditEntry;
}

async function append(storage: TestStorage, ...entries: AuditEntry[]): Promise<void> {
  for (const one of entries) await storage.database.transaction((tx) => storage.audit.within(tx).append(one));
}

async function collect(pages: AsyncGenerator<ExportPage>): Promise<ExportPage[]> {
  const all: ExportPage[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

const operationsOf = (pages: ExportPage[]): string[] =>
  pages.flatMap((page) => page.records.map((one) => one.record.operation));

describe('canonical JSON', () => {
  it('does not depend on the order of members and leaves out what is undefined', () => {
    expect(canonicalJson({ b: 1, a: [true, null, { z: 'ü', y: undefined }] })).toBe(
      '{"a":[true,null,{"z":"ü"}],"b":1}',
    );
    expect(canonicalJson({ a: [true, null, { z: 'ü' }], b: 1 })).toBe('{"a":[true,null,{"z":"ü"}],"b":1}');
  });
});

await forEachDatabase(({ open, dialect }) => {
  const setUp = async (): Promise<TestStorage> => testStorage(await open());

  describe('appending', () => {
    it('numbers each chain by itself and keeps what was reported', async () => {
      const storage = await setUp();
      const detail = auditDetail({
        decision: 'AUTHENTIC',
        score: 3.25,
        model: 'm1',
        calibrationRevisionId: 'c1',
        prints: 4,
      });
      await append(
        storage,
        entry({ context: { gkScopeId: CHAIN, gkSessionId: 's' }, subjectIds: ['p1', 'p1'], detail }),
        entry({ chain: 'system' }),
        entry(),
      );
      const records = await storage.audit.read({ chain: CHAIN, afterSeq: 0, limit: 10 });
      expect(records.map((record) => record.seq)).toEqual([1, 2]);
      expect(records[0]).toMatchObject({
        atMs: storage.clock.now(),
        actor: { subject: 'tester', issuer: 'https://issuer.test' },
        context: { gkScopeId: CHAIN, gkSessionId: 's', requestId: 'request-1' },
        subjectIds: ['p1'],
        detail,
        personal: { kind: 'none' },
      });
      expect(await storage.audit.chains()).toEqual(['scope-1', 'system']);
    });

    it('commits with the change or not at all', async () => {
      const storage = await setUp();
      await append(storage, entry());
      const failing = storage.database.transaction(async (tx) => {
        await storage.audit.within(tx).append(entry({ operation: 'Lost' }));
        throw new Error('stop');
      });
      await expect(failing).rejects.toThrow('stop');
      await append(storage, entry({ operation: 'Kept' }));
      expect(await verifyChain(storage.audit, CHAIN)).toMatchObject({ ok: true, records: 2 });
    });

    it.skipIf(dialect !== 'postgres')(
      'is never waited for by one who holds what its holder waits for',
      async () => {
        const { database, keyring, audit } = await setUp();
        const store = createBiometricsStore(database, keyring, audit);
        const runs: string[] = [];
        const meet = meetingOf(2);
        const record = (tx: BiometricsTransaction) => tx.audit.append(entry());
        const note = (tx: BiometricsTransaction, name: string) =>
          tx.collections.addMember(CHAIN, 'group', name, 1);
        const inOrder = (name: string, first: typeof note, then: typeof note) =>
          store.transaction(async (tx) => {
            runs.push(name);
            await first(tx, name);
            await meet();
            await then(tx, name);
          });
        await Promise.all([inOrder('a', record, note), inOrder('b', note, record)]);
        expect(runs.sort()).toEqual(['a', 'b']);
        expect(await verifyChain(audit, CHAIN)).toMatchObject({ ok: true, records: 2 });
      },
    );

    it('keeps the chain whole when many write at once', async () => {
      const storage = await setUp();
      await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          append(storage, entry({ operation: `op-${n}`, personal: { n } })),
        ),
      );
      expect(await verifyChain(storage.audit, CHAIN)).toMatchObject({ ok: true, records: 30 });
    });
  });

  describe('verification', () => {
    const five = async (): Promise<TestStorage> => {
      const storage = await setUp();
      for (let n = 1; n <= 5; n++)
        await append(
          storage,
          entry({ operation: `op-${n}`, detail: auditDetail({ count: n }), personal: { name: `name ${n}` } }),
        );
      return storage;
    };

    it.each([
      ['the detail', { detail: '{"n":33}' }],
      ['the time', { time: 5 }],
      ['the actor', { actor_subject: 'somebody-else' }],
      ['the operation', { operation: 'Nothing' }],
      ['the personal part', { personal: new Uint8Array([1, 2, 3]) }],
      ['the digest of the personal part', { personal_digest: 'ab' }],
      ['its own hash', { hash: 'ab'.repeat(32) }],
    ])('finds the record where %s was changed', async (_what, change) => {
      const storage = await five();
      await storage.database.db.updateTable('audit_records').set(change).where('seq', '=', 3).execute();
      expect(await verifyChain(storage.audit, CHAIN)).toMatchObject({
        ok: false,
        records: 2,
        broken: { seq: 3, fault: 'CONTENT_CHANGED' },
      });
    });

    it('finds a removed record, a cut end and a rewritten record with a fitting hash', async () => {
      const storage = await five();
      const { db } = storage.database;
      const noted = await storage.audit.head(CHAIN);
      const last = await db
        .selectFrom('audit_records')
        .selectAll()
        .where('seq', '=', 5)
        .executeTakeFirstOrThrow();
      await db.deleteFrom('audit_records').where('seq', '=', 5).execute();
      expect(await verifyChain(storage.audit, CHAIN)).toMatchObject({
        broken: { seq: 5, fault: 'RECORD_MISSING' },
      });
      // A cut that also moves the head is only seen against a head that was kept elsewhere.
      await db.updateTable('audit_heads').set({ seq: 4, hash: last.prev_hash }).execute();
      expect(await verifyChain(storage.audit, CHAIN)).toMatchObject({ ok: true, records: 4 });
      expect(await verifyChain(storage.audit, CHAIN, noted)).toMatchObject({
        broken: { seq: 5, fault: 'RECORD_MISSING' },
      });
      await db.deleteFrom('audit_records').where('seq', '=', 2).execute();
      expect(await verifyChain(storage.audit, CHAIN)).toMatchObject({
        records: 1,
        broken: { seq: 2, fault: 'RECORD_MISSING' },
      });
    });

    it('finds a record put in the place of another', async () => {
      const storage = await five();
      const { db } = storage.database;
      await db
        .updateTable('audit_records')
        .set({ prev_hash: 'cd'.repeat(32) })
        .where('seq', '=', 4)
        .execute();
      expect(await verifyChain(storage.audit, CHAIN)).toMatchObject({
        broken: { seq: 4, fault: 'LINK_BROKEN' },
      });
      await db
        .updateTable('audit_heads')
        .set({ hash: 'cd'.repeat(32) })
        .execute();
      await db.deleteFrom('audit_records').where('seq', '>', 0).execute();
      expect(await verifyChain(storage.audit, CHAIN)).toMatchObject({
        broken: { seq: 1, fault: 'RECORD_MISSING' },
      });
    });

    it('holds for an empty chain', async () => {
      const storage = await setUp();
      expect(await verifyChain(storage.audit, 'nobody')).toMatchObject({ ok: true, records: 0 });
    });
  });

  describe('personal values', () => {
    it('are not readable in the database and open with the key', async () => {
      const storage = await setUp();
      await append(storage, entry({ subjectIds: ['p1'], personal: { personId: 'ada@example.org' } }));
      const row = await storage.database.db.selectFrom('audit_records').selectAll().executeTakeFirstOrThrow();
      expect(Buffer.from(row.personal ?? []).includes('ada')).toBe(false);
      const [record] = await storage.audit.read({ chain: CHAIN, afterSeq: 0, limit: 1 });
      if (!record) throw new Error('no record');
      expect(await storage.audit.openPersonal(record)).toEqual({ personId: 'ada@example.org' });
    });

    it('are erased for one subject without breaking the chain or touching others', async () => {
      const storage = await setUp();
      await append(
        storage,
        entry({ subjectIds: ['p1'], personal: { name: 'Ada' } }),
        entry({ subjectIds: ['p2'], personal: { name: 'Bob' } }),
        entry({ subjectIds: ['p1', 'p3'], personal: { name: 'Ada again' } }),
      );
      const erased = await storage.database.transaction((tx) => storage.audit.erasePersonal(tx, CHAIN, 'p1'));
      expect(erased).toBe(2);
      const records = await storage.audit.read({ chain: CHAIN, afterSeq: 0, limit: 10 });
      expect(records.map((record) => record.personal.kind)).toEqual(['erased', 'sealed', 'erased']);
      expect(await verifyChain(storage.audit, CHAIN)).toMatchObject({ ok: true, records: 3 });
    });

    it('are gone with the keys of the scope, and the chain still holds', async () => {
      const storage = await setUp();
      await append(storage, entry({ personal: { name: 'Ada' } }));
      await storage.database.transaction((tx) => storage.keyring.destroy(tx, CHAIN));
      const pages = await collect(
        exportRecords(
          { reader: storage.audit },
          testCall(),
          { gkScopeId: CHAIN, recordType: 'PERSON_EVENT' },
          'plain',
        ),
      );
      expect(JSON.parse(pages[0]?.records[0]?.json ?? '')).toMatchObject({ personal: { erased: true } });
      expect(await verifyChain(storage.audit, CHAIN)).toMatchObject({ ok: true });
    });
  });

  describe('export', () => {
    const start = (recordType: RecordType, more: object = {}) => ({ gkScopeId: CHAIN, recordType, ...more });

    it('gives one type in one window, oldest first', async () => {
      const storage = await setUp();
      const times: number[] = [];
      for (const operation of ['a', 'b', 'c', 'd']) {
        times.push(storage.clock.now());
        await append(
          storage,
          entry({ operation }),
          entry({ operation: `other-${operation}`, recordType: 'GROUP_EVENT' }),
        );
        storage.clock.advance(1000);
      }
      const read = async (more: object): Promise<string[]> =>
        operationsOf(
          await collect(
            exportRecords({ reader: storage.audit }, testCall(), start('PERSON_EVENT', more), 'mask'),
          ),
        );
      expect(await read({})).toEqual(['a', 'b', 'c', 'd']);
      expect(await read({ fromMs: times[1], toMs: times[2] })).toEqual(['b', 'c']);
      expect(await read({ fromMs: (times[3] ?? 0) + 1 })).toEqual([]);
    });

    it('goes on later where an iterator stopped, by duration or to the end', async () => {
      const storage = await setUp();
      await append(storage, entry({ operation: 'first' }));
      const deps = { reader: storage.audit };
      const [page] = await collect(exportRecords(deps, testCall(), start('PERSON_EVENT'), 'mask'));
      expect(page?.endOfRecords).toBe(true);
      storage.clock.advance(1000);
      await append(storage, entry({ operation: 'second' }));
      storage.clock.advance(60_000);
      await append(storage, entry({ operation: 'third' }));
      const iterator = page?.iterator ?? '';
      const short = await collect(
        exportRecords(deps, testCall(), { gkScopeId: CHAIN, iterator, durationMs: 5000 }, 'mask'),
      );
      expect(operationsOf(short)).toEqual(['second']);
      const rest = await collect(
        exportRecords(deps, testCall(), { gkScopeId: CHAIN, iterator: short[0]?.iterator ?? '' }, 'mask'),
      );
      expect(operationsOf(rest)).toEqual(['third']);
    });

    it('comes in pages without gaps or repeats', async () => {
      const storage = await setUp();
      await storage.database.transaction(async (tx) => {
        for (let n = 0; n < 450; n++) await storage.audit.within(tx).append(entry({ operation: `op-${n}` }));
      });
      const pages = await collect(
        exportRecords({ reader: storage.audit }, testCall(), start('PERSON_EVENT'), 'mask'),
      );
      expect(pages.map((page) => [page.records.length, page.endOfRecords])).toEqual([
        [200, false],
        [200, false],
        [50, true],
      ]);
      expect(operationsOf(pages)).toEqual(Array.from({ length: 450 }, (_, n) => `op-${n}`));
    });

    it('masks, keeps encrypted or opens the personal part, as asked for', async () => {
      const storage = await setUp();
      await append(storage, entry({ personal: { name: 'Ada' } }));
      const personalIn = async (mode: 'mask' | 'encrypted' | 'plain'): Promise<unknown> => {
        const [page] = await collect(
          exportRecords({ reader: storage.audit }, testCall(), start('PERSON_EVENT'), mode),
        );
        return (JSON.parse(page?.records[0]?.json ?? '') as { personal: unknown }).personal;
      };
      expect(await personalIn('mask')).toEqual({ masked: true });
      expect(await personalIn('encrypted')).toEqual({
        encrypted: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
      });
      expect(await personalIn('plain')).toEqual({ name: 'Ada' });
    });

    it('refuses callers of other tenants, foreign and made-up iterators', async () => {
      const storage = await setUp();
      await append(storage, entry());
      const deps = { reader: storage.audit };
      const foreign = exportRecords(deps, testCall({ tenants: ['scope-2'] }), start('PERSON_EVENT'), 'mask');
      await expect(collect(foreign)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
      const [page] = await collect(exportRecords(deps, testCall(), start('PERSON_EVENT'), 'mask'));
      for (const iterator of [
        page?.iterator ?? '',
        'x',
        '',
        Buffer.from('[1,"scope-2"]').toString('base64url'),
      ]) {
        const wrong = exportRecords(deps, testCall(), { gkScopeId: 'scope-2', iterator }, 'mask');
        await expect(collect(wrong)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      }
    });
  });
}, 'both quick');
