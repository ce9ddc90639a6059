// What the retention settings remove, and what they leave: old sessions go with their factors, engagements stay
// while audio of theirs does, and the audit trail loses its oldest records but can still be verified.
import { describe, expect, it } from 'vitest';
import { auditDetail, auditedBy, type AuditEntry } from '../../../src/audit/model.js';
import { verifyChain } from '../../../src/audit/verify-chain.js';
import { applyRetention } from '../../../src/compose/retention.js';
import { configWith } from '../../../src/config.js';
import type { Engagement, Session } from '../../../src/biometrics/model/sessions.js';
import { emptyDetails } from '../../../src/biometrics/sessions/start-session.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import { forEachDatabase } from '../../support/database.js';
import { testCall, testStorage } from '../../support/storage.js';

const DAY_MS = 24 * 3600_000;
const CHAIN = 'scope-1';

await forEachDatabase(({ open }) => {
  async function prepare() {
    const storage = await testStorage(await open());
    const { database, keyring, audit, clock } = storage;
    const store = createBiometricsStore(database, keyring, audit);
    const config = configWith({ 'retention.sessionDays': 30, 'retention.auditDays': 100 });
    const entry: AuditEntry = {
      ...auditedBy(testCall()),
      chain: CHAIN,
      recordType: 'PERSON_EVENT',
      operation: 'CreatePerson',
    };
    return {
      ...storage,
      store,
      apply: () => applyRetention({ clock, config }, { store, audit }),
      append: async (count: number, more: Partial<AuditEntry> = {}) => {
        for (let index = 0; index < count; index++)
          await database.transaction((tx) => audit.within(tx).append({ ...entry, ...more }));
      },
      verify: (expected?: { seq: number; hash: string }) => verifyChain(audit, CHAIN, expected),
    };
  }

  describe('the audit trail', () => {
    it('loses its oldest records by whole days, says so in the chain, and verifies from there', async () => {
      const { append, apply, clock, verify, audit, database } = await prepare();
      await append(5, { subjectIds: ['p'], personal: { name: 'n' } });
      const noted = await verify();
      clock.advance(60 * DAY_MS);
      await append(3);
      expect(await apply()).toMatchObject({ auditRecords: 0 });
      clock.advance(41 * DAY_MS);
      expect(await apply()).toMatchObject({ auditRecords: 5 });
      expect(await verify()).toMatchObject({ ok: true, from: 6, records: 4, head: { seq: 9 } });
      const kept = await audit.read({ chain: CHAIN, afterSeq: 0, limit: 100 });
      expect(kept.map(({ seq }) => seq)).toEqual([6, 7, 8, 9]);
      expect(kept.at(-1)).toMatchObject({
        operation: 'CutAuditTrail',
        detail: { lastSeq: 5, lastHash: noted.head.hash, records: 5 },
      });
      const links = await database.db.selectFrom('audit_subjects').selectAll().execute();
      expect(links).toEqual([]);
      // A head that was noted down before is still known as long as it is the last one that went.
      expect((await verify(noted.head)).ok).toBe(true);
      expect(await verify({ seq: 3, hash: noted.head.hash })).toMatchObject({
        ok: false,
        broken: { seq: 3, message: expect.stringContaining('retention') },
      });

      expect(await apply()).toMatchObject({ auditRecords: 0 });
      clock.advance(60 * DAY_MS);
      await append(1);
      expect(await apply()).toMatchObject({ auditRecords: 3 });
      expect(await verify()).toMatchObject({ ok: true, from: 9, head: { seq: 11 } });
    });

    it('is broken when records are gone that no cut tells of, or a cut was made up', async () => {
      const { append, verify, database } = await prepare();
      await append(6);
      const drop = (upTo: number) =>
        database.db
          .deleteFrom('audit_records')
          .where('scope_key', '=', CHAIN)
          .where('seq', '<=', upTo)
          .execute();
      await drop(2);
      expect(await verify()).toMatchObject({ ok: false, broken: { seq: 1, fault: 'RECORD_MISSING' } });
      await append(1, {
        operation: 'CutAuditTrail',
        detail: auditDetail({ lastSeq: 2, lastHash: 'f'.repeat(64) }),
      });
      expect(await verify()).toMatchObject({ ok: false, broken: { seq: 1, fault: 'RECORD_MISSING' } });
    });

    it('keeps its last record however old it is, so that a chain never starts from nothing', async () => {
      const { append, apply, clock, verify } = await prepare();
      await append(1);
      clock.advance(500 * DAY_MS);
      await apply();
      expect(await verify()).toMatchObject({ ok: true, from: 1, head: { seq: 1 } });
    });
  });

  it('old sessions go with their factors; an engagement stays while there is audio of it', async () => {
    const { store, apply, clock, verify } = await prepare();
    const at = clock.now();
    const engagement = (id: string, used: number): Engagement => ({
      gkEngagementId: id,
      gkScopeId: CHAIN,
      engagementId: '',
      correlationId: '',
      analystId: '',
      isActive: false,
      configsetId: '',
      customData: {},
      createdAtMs: at,
      modifiedAtMs: at,
      lastActivityAtMs: used,
    });
    const session = (id: string, gkEngagementId: string, used: number): Session => ({
      gkSessionId: id,
      gkScopeId: CHAIN,
      gkEngagementId,
      sessionType: 'IVR',
      isTest: false,
      isActive: true,
      configsetId: '',
      details: { ...emptyDetails, ani: '+49' },
      createdAtMs: at,
      modifiedAtMs: at,
      lastActivityAtMs: used,
    });
    await store.transaction(async (tx) => {
      for (const [name, used] of [
        ['old', at],
        ['heard', at],
        ['young', at + 20 * DAY_MS],
      ] as const) {
        await tx.engagements.insert(engagement(`e-${name}`, used));
        await tx.sessions.insert(session(`s-${name}`, `e-${name}`, used));
        await tx.factors.insert({
          factorId: `f-${name}`,
          gkScopeId: CHAIN,
          gkEngagementId: `e-${name}`,
          gkSessionId: `s-${name}`,
          kind: 'AUTHENTICATION',
          operation: 'Verify',
          decision: 'AUTHENTIC',
          reason: 'VOICEPRINT_MATCH',
          netSpeechMs: 1,
          configsetRevisionId: 'c',
          calibrationRevisionId: 'k',
          createdAtMs: at,
        });
      }
      await tx.media.insert({
        gkMediaSegmentId: 'm',
        gkScopeId: CHAIN,
        gkEngagementId: 'e-heard',
        gkSessionId: 's-heard',
        container: 'WAV',
        callParties: [],
        uploadExpiresAtMs: at,
        legalHold: true,
        customData: {},
        createdAtMs: at,
        modifiedAtMs: at,
      });
    });
    clock.advance(31 * DAY_MS);
    expect(await apply()).toEqual({ sessions: 2, engagements: 1, auditRecords: 0 });
    const { read } = store;
    const there = async () => ({
      sessions: (await read.sessions.list(CHAIN, {}, { limit: 10 })).sessions.map((one) => one.gkSessionId),
      factors: (await read.factors.list(CHAIN, {}, { limit: 10 })).factors.map((one) => one.factorId),
      heard: (await read.engagements.find(CHAIN, 'e-heard')) !== undefined,
      old: (await read.engagements.find(CHAIN, 'e-old')) !== undefined,
    });
    expect(await there()).toEqual({ sessions: ['s-young'], factors: ['f-young'], heard: true, old: false });
    expect(await apply()).toEqual({ sessions: 0, engagements: 0, auditRecords: 0 });
    await store.transaction((tx) => tx.media.delete(CHAIN, 'm'));
    expect(await apply()).toMatchObject({ engagements: 1 });
    expect((await verify()).ok).toBe(true);
  });
});
