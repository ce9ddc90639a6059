// Assessments are stored: whatever is written, and by whichever writer, what is stored is what is worked out afresh, and filters find exactly
// that; also after an upgrade, and with several nodes that write at once. On both databases.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { BiometricsStore } from '../../../src/biometrics/ports/store.js';
import { caveatNames } from '../../../src/biometrics/assessment/caveats.js';
import { forEachDatabase } from '../../support/database.js';
import { TENANT, world } from './assessments-world.js';

const SEED = Number(process.env['ASSESSMENTS_SEED'] ?? 5);
const STEPS = Number(process.env['ASSESSMENTS_STEPS'] ?? 160);
const stored = ['session_assessments', 'session_caveats', 'unassessed_sessions'] as const;
const times = { created_at: 1, modified_at: 1, last_activity_at: 1 };
const common = { gk_scope_id: TENANT, gk_engagement_id: 'e', is_active: 1, ...times };
const session = {
  ...common,
  ...{ gk_session_id: 's', session_type: 'CALL_CENTER', claimed_gk_person_id: null },
  ...{ document: '{}', details: new Uint8Array(), cut_off_at: null },
};
const assessment = {
  gk_engagement_id: 'e',
  headline: '',
  decision: null,
  follows_engagement: 0,
  modified_at: 1,
};
/** Later than what the world writes. */
const LOOKED_AT_MS = Number.MAX_SAFE_INTEGER - 1;
const look = (store: BiometricsStore): Promise<void> =>
  store.transaction((tx) => tx.assessments.enterWrittenBefore(LOOKED_AT_MS));
/** Needs calls with several channels, or a lock. */
const notDrawn = ['CALLER_NOT_ISOLATED', 'REFUSED'];

await forEachDatabase(({ open, dialect }) => {
  describe('assessments that are stored', () => {
    it('are those that are worked out afresh, whatever was written', { tags: 'slow' }, async () => {
      const { compare, draw, assessAll } = await world(await open(), SEED);
      const seen = new Set<string>();
      for (let step = 0; step < STEPS; step++) {
        const writer = await draw();
        // Often several changes come together.
        if (step % 4 === 0) for (const name of await compare(`${step} ${writer}`)) seen.add(name);
        if (step % 10 === 0) await assessAll();
      }
      // The draw is no test of what never happens.
      expect([...seen]).toEqual(
        expect.arrayContaining(caveatNames.filter((name) => !notDrawn.includes(name))),
      );
    });

    it('are worked out for what 0.2.0 changed, and right meanwhile', async () => {
      const database = await open();
      const { draw, compare, store, assessAll } = await world(database, SEED);
      for (let step = 0; step < 150; step++) await draw();
      await assessAll();
      for (const table of ['session_assessments', 'session_caveats'] as const)
        await database.db.deleteFrom(table).execute();
      await look(store);
      expect(await store.read.assessments.countUnassessed()).toBeGreaterThan(5);
      const some = await store.read.assessments.unassessed(3);
      await store.transaction((tx) => tx.assessments.assess(TENANT, some?.gkSessionIds ?? []));
      await compare('half-way');
      await assessAll();
      await compare('after an upgrade');
    });

    it('follow checks that 0.2.0 makes beside this program, until it erases them', async () => {
      const database = await open();
      const { db } = database;
      const { draw, compare, store, assessAll } = await world(database, SEED);
      for (let step = 0; step < 60; step++) await draw();
      await assessAll();
      const { gk_session_id, gk_engagement_id } = await db
        .selectFrom('sessions')
        .select(['gk_session_id', 'gk_engagement_id'])
        .orderBy('gk_session_id')
        .executeTakeFirstOrThrow();
      const checked = {
        kind: 'FRAUD_DETECTION',
        operation: 'Verify',
        decision: 'FRAUD',
        reason: '',
        netSpeechMs: 1,
      };
      const named = { score: 7, risk: 900, gkVoiceprintProfileId: 'theirs', gkProcessedAudioId: 'heard' };
      const whatIsFound = () =>
        db
          .selectFrom('factors')
          .select(['decision', 'operation', 'gk_voiceprint_profile_id', 'gk_processed_audio_id'])
          .where('factor_id', '=', 'older')
          .executeTakeFirst();
      const older = (document: object) => ({ document: JSON.stringify(document) });
      const insert = () =>
        sql`insert into factors (factor_id, gk_scope_id, gk_engagement_id, gk_session_id, kind, document, created_at)
          values ('older', ${TENANT}, ${gk_engagement_id}, ${gk_session_id}, 'FRAUD_DETECTION',
            ${older({ ...checked, ...named }).document}, 1)`.execute(db);
      await insert();
      await look(store);
      const columns = { decision: 'FRAUD', operation: 'Verify' };
      expect(await whatIsFound()).toEqual({
        ...columns,
        gk_voiceprint_profile_id: 'theirs',
        gk_processed_audio_id: 'heard',
      });
      await compare('a check of 0.2.0');
      await assessAll();
      await compare('a check of 0.2.0, assessed');
      const forgotten = { ...columns, gk_voiceprint_profile_id: null, gk_processed_audio_id: null };
      await store.transaction((tx) => tx.erasure.forgetScores(TENANT, { prints: ['theirs'] }, new Set()));
      expect(await whatIsFound()).toEqual(forgotten);
      await compare('erased by this program');
      await db.deleteFrom('factors').where('factor_id', '=', 'older').execute();
      await insert();
      await store.transaction((tx) => tx.erasure.forgetScores(TENANT, { prints: ['theirs'] }, new Set()));
      expect(await whatIsFound()).toEqual(forgotten);
      await compare('erased before it was looked for');
      await db.deleteFrom('factors').where('factor_id', '=', 'older').execute();
      await insert();
      await look(store);
      await assessAll();
      await db.updateTable('factors').set(older(checked)).where('factor_id', '=', 'older').execute();
      await db
        .updateTable('sessions')
        .set({ modified_at: sql`modified_at + 1` })
        .where('gk_session_id', '=', gk_session_id)
        .execute();
      await look(store);
      expect(await whatIsFound()).toEqual(forgotten);
      await assessAll();
      await compare('erased by 0.2.0');
    });

    it('are due for sessions that 0.2.0 starts, changes and judges beside this program, and go with them', async () => {
      const database = await open();
      const { db } = database;
      const { store } = await world(database, SEED);
      const due = async () => {
        await look(store);
        const rows = await db.selectFrom('unassessed_sessions').selectAll().execute();
        for (const table of ['unassessed_sessions', 'session_assessments'] as const)
          await db.deleteFrom(table).execute();
        await sql`insert into session_assessments
            (gk_session_id, gk_scope_id, gk_engagement_id, created_at, headline, follows_engagement, modified_at)
          select gk_session_id, gk_scope_id, gk_engagement_id, created_at, '', 0, modified_at from sessions`.execute(
          db,
        );
        return rows.map((row) => row.gk_session_id).toSorted();
      };
      const engagement = { engagement_id: '', correlation_id: '', document: '{}', texts: null };
      await db
        .insertInto('engagements')
        .values({ ...common, ...engagement })
        .execute();
      for (const id of ['other', 's'])
        await db
          .insertInto('sessions')
          .values({ ...session, gk_session_id: id })
          .execute();
      expect(await due()).toEqual(['other', 's']);
      expect(await due()).toEqual([]);
      await db.updateTable('sessions').set({ modified_at: 2 }).where('gk_session_id', '=', 's').execute();
      expect(await due()).toEqual(['s']);
      await db
        .updateTable('engagements')
        .set({ modified_at: LOOKED_AT_MS, document: JSON.stringify({ verdict: { verdict: 'FRAUD' } }) })
        .where('gk_engagement_id', '=', 'e')
        .execute();
      expect(await due()).toEqual(['other', 's']);
      await db.deleteFrom('sessions').where('gk_session_id', '=', 's').execute();
      await look(store);
      const left = await db.selectFrom('session_assessments').select('gk_session_id').execute();
      expect(left.map((row) => row.gk_session_id)).not.toContain('s');
    });

    it('are right when several nodes write at the same time', async () => {
      const database = await open();
      const { draw, compare, assessAll } = await world(database, SEED);
      for (let step = 0; step < 60; step++) await draw();
      const writer = async (): Promise<void> => {
        for (let step = 0; step < 40; step++) await draw();
      };
      await Promise.all([writer(), writer(), writer(), assessAll()]);
      await assessAll();
      await compare(`with several nodes on ${dialect}`);
    });

    it('go with the sessions that have become too old, however many there are', async () => {
      const database = await open();
      const { store } = await world(database, SEED);
      const { db } = database;
      for (let number = 0; number < 110; number++) {
        const kept = { gk_session_id: `s${number}`, gk_scope_id: TENANT, created_at: 1 };
        await db
          .insertInto('sessions')
          .values({ ...session, ...kept })
          .execute();
        await db
          .insertInto('session_assessments')
          .values({ ...kept, ...assessment })
          .execute();
        await db
          .insertInto('session_caveats')
          .values({ ...kept, caveat: 'CUT_OFF' })
          .execute();
      }
      expect(await store.transaction((tx) => tx.sessions.deleteOlder(TENANT, 2, 500))).toBe(110);
      for (const table of stored) expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    });
  });
}, 'both quick');
