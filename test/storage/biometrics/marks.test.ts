// Marks beside decisions are stored: whatever is written, and by whichever door, what is stored is what is worked out afresh, and filters
// find exactly that; also while much is still due, and by several nodes at once. On both databases.
import { describe, expect, it } from 'vitest';
import { refreshMarks, spreadChanges } from '../../../src/biometrics/activity/stored-marks.js';
import { workOutMarks } from '../../../src/biometrics/activity/work-out-marks.js';
import type { MarkName, Session } from '../../../src/biometrics/model/sessions.js';
import type { BiometricsDeps } from '../../../src/biometrics/ports/deps.js';
import { markNames } from '../../../src/biometrics/rules/session-marks.js';
import { migrate } from '../../../src/storage/migrate.js';
import { migrations } from '../../../src/storage/migrations/index.js';
import { forEachDatabase } from '../../support/database.js';
import { testClock } from '../../support/storage.js';
import { allMarks, TENANT, world } from './marks-world.js';

const SEED = Number(process.env['MARKS_SEED'] ?? 5);
const STEPS = Number(process.env['MARKS_STEPS'] ?? 250);
const LAST_WITHOUT_MARKS = 49;

await forEachDatabase(({ open, dialect }) => {
  describe('marks that are stored', () => {
    it('are those that are worked out afresh, whatever was written', { tags: 'slow' }, async () => {
      const { compare, draw } = await world(await open(), SEED);
      const seen = new Set<MarkName>();
      for (let step = 0; step < STEPS; step++) {
        const door = await draw();
        // Often several changes come together.
        if (step % 3 === 0) for (const mark of await compare(`${step} ${door}`)) seen.add(mark);
      }
      // The draw is no test of what never happens.
      expect([...seen].toSorted()).toEqual([...allMarks].toSorted());
    });

    it('are worked out for what was there before, and right meanwhile', async () => {
      const database = await open({ empty: true });
      await migrate(
        database,
        testClock(),
        migrations.filter(({ version }) => version <= LAST_WITHOUT_MARKS),
      );
      const { draw, all, compare, store, deps } = await world(database, SEED);
      // As an earlier version does: there is no table for marks yet.
      for (let step = 0; step < STEPS; step++) await draw();
      await migrate(database, testClock());
      const sessions = await all();
      expect(await store.read.marks.countDue()).toBeGreaterThan(10);
      // Some were worked out when the program was killed.
      await refreshMarks(deps, TENANT, await store.read.marks.due(TENANT, 5));
      const left = await store.read.marks.countDue();
      expect(left).toBeGreaterThan(5);
      const afresh = await workOutMarks(deps, TENANT, sessions);
      for (const mark of allMarks) {
        const filter = { marks: [mark], orDue: true };
        const { sessions: offered } = await store.read.sessions.list(
          TENANT,
          { marked: filter },
          { limit: 1000 },
        );
        const told = await withMarksUnstored(deps, offered);
        const meant = sessions.filter(({ gkSessionId }) =>
          markNames(afresh.get(gkSessionId) ?? {}).includes(mark),
        );
        expect(told.filter(({ names }) => names.includes(mark)).map(({ id }) => id)).toEqual(
          meant.map(({ gkSessionId }) => gkSessionId),
        );
      }
      await compare('after an upgrade');
      expect(await store.read.marks.countDue()).toBe(0);
    });

    it('are right when two nodes work and write at the same time', async () => {
      const database = await open();
      const { draw, compare, deps, store, all } = await world(database, SEED);
      for (let step = 0; step < 60; step++) await draw();
      const node = async (): Promise<void> => {
        for (let turn = 0; turn < 15; turn++) {
          await spreadChanges(deps, TENANT);
          await refreshMarks(deps, TENANT, await store.read.marks.due(TENANT, 3));
        }
      };
      const writer = async (): Promise<void> => {
        for (let step = 0; step < 40; step++) await draw();
      };
      await Promise.all([node(), node(), writer()]);
      await compare(`with two nodes on ${dialect}`);
      // What is gone leaves nothing.
      await database.db.deleteFrom('factors').execute();
      await database.db.deleteFrom('sessions').execute();
      await spreadChanges(deps, TENANT);
      expect(await all()).toEqual([]);
      for (const table of ['mark_changes', 'marks_due', 'marked_sessions', 'session_marks'] as const)
        expect(await database.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    });
  });
}, 'both quick');

/** As a list tells them, and leaves what is due as it is. */
async function withMarksUnstored(deps: BiometricsDeps, sessions: readonly Session[]) {
  const { marks } = deps.store.read;
  const ids = sessions.map(({ gkSessionId }) => gkSessionId);
  const due = new Set((await marks.dueAmong(TENANT, ids)).map(({ gkSessionId }) => gkSessionId));
  const stored = await marks.findMany(TENANT, ids);
  const afresh = await workOutMarks(
    deps,
    TENANT,
    sessions.filter(({ gkSessionId }) => due.has(gkSessionId)),
  );
  return ids.map((id) => ({ id, names: markNames((due.has(id) ? afresh : stored).get(id) ?? {}) }));
}
