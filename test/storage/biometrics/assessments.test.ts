// Assessments are stored: whatever is written, and by whichever writer, what is stored is what is worked out afresh, and filters find exactly
// that; also after an upgrade, and with several nodes that write at once. On both databases.
import { describe, expect, it } from 'vitest';
import { caveatNames } from '../../../src/biometrics/assessment/caveats.js';
import { forEachDatabase } from '../../support/database.js';
import { TENANT, world } from './assessments-world.js';

const SEED = Number(process.env['ASSESSMENTS_SEED'] ?? 5);
const STEPS = Number(process.env['ASSESSMENTS_STEPS'] ?? 160);
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

    it('are worked out for what 0.2.0 wrote, and right meanwhile', async () => {
      const database = await open();
      const { draw, compare, store, assessAll } = await world(database, SEED);
      for (let step = 0; step < 150; step++) await draw();
      await assessAll();
      for (const table of ['session_assessments', 'session_caveats'] as const)
        await database.db.deleteFrom(table).execute();
      const columns = { decision: null, gk_voiceprint_profile_id: null, gk_processed_audio_id: null };
      await database.db.updateTable('factors').set(columns).execute();
      await store.transaction((tx) => tx.assessments.findWrittenBefore());
      expect(await store.read.assessments.countUnassessed()).toBeGreaterThan(5);
      const some = await store.read.assessments.unassessed(3);
      await store.transaction((tx) => tx.assessments.assess(TENANT, some?.gkSessionIds ?? []));
      await compare('half-way');
      await assessAll();
      await compare('after an upgrade');
    });

    it('are right when several nodes write at the same time', async () => {
      const database = await open();
      const { draw, compare, assessAll, store } = await world(database, SEED);
      for (let step = 0; step < 60; step++) await draw();
      const writer = async (): Promise<void> => {
        for (let step = 0; step < 40; step++) await draw();
      };
      await Promise.all([writer(), writer(), writer(), assessAll()]);
      await assessAll();
      await compare(`with several nodes on ${dialect}`);
      // What is gone leaves nothing.
      while (await store.transaction((tx) => tx.sessions.deleteOlder(TENANT, Number.MAX_SAFE_INTEGER, 50)));
      for (const table of ['session_assessments', 'session_caveats', 'unassessed_sessions'] as const)
        expect(await database.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    });
  });
}, 'both quick');
