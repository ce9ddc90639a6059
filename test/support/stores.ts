// On which of the two stores the tests of a suite run. What storage itself promises is tried on SQLite and on PostgreSQL. The rest of the
// platform asks storage for the same things in both cases: there each test runs on one of them. VOXGATE_TEST_STORES=both
// (npm run test:matrix) runs everything on both (docs/adr/0084-one-store-per-test.md).
import { expect, TestRunner } from 'vitest';
import type { DialectName } from '../../src/storage/database.js';

/**
 * both: each test on each store.
 * parts: by turns, one test or block of tests after another; for suites whose parts do not build on each other.
 * whole: all of the suite on one store, chosen by the name of its file.
 * A store: all of it there, because some of it can happen nowhere else.
 */
export type StoresOf = 'both' | 'parts' | 'whole' | DialectName;

const RUNS_ALL = process.env['VOXGATE_TEST_STORES'] === 'both';
const dialects: readonly DialectName[] = ['sqlite', 'postgres'];

/** Parts that have no turns. */
const staying = new WeakSet<object>();

/** Whether the suite has tests on this store. */
export function runsOn(dialect: DialectName, stores: StoresOf): boolean {
  if (RUNS_ALL || stores === 'both' || stores === 'parts') return true;
  return dialect === (stores === 'whole' ? dialects[fileNumber() % 2] : stores);
}

/** Tests, in a suite that runs in parts, of what can happen on one store only. */
export function onlyOn(only: DialectName, dialect: DialectName, define: () => void): void {
  if (only !== dialect) return;
  const { tasks } = TestRunner.getCurrentSuite();
  const before = tasks.length;
  define();
  for (const task of tasks.slice(before)) staying.add(task);
}

/** To be called at the end of the block of tests for a store: leaves out those whose turn is on the other one. */
export function leaveToOther(dialect: DialectName, stores: StoresOf): void {
  if (RUNS_ALL || stores !== 'parts') return;
  const { tasks } = TestRunner.getCurrentSuite();
  const turns = tasks.filter((task) => !staying.has(task));
  if (turns.length < 2) throw new Error('a suite of one part leaves nothing to the other store: say "whole"');
  const first = fileNumber() + dialects.indexOf(dialect);
  const here = new Set(turns.filter((_, index) => (index + first) % 2 === 0));
  tasks.splice(0, tasks.length, ...tasks.filter((task) => staying.has(task) || here.has(task)));
}

/** Of several ways to ask for the same the one whose turn it is, by a number and a name; all of them where everything runs. */
export function byTurns<T>(ways: readonly T[], number: number, name: string): readonly T[] {
  return RUNS_ALL ? ways : ways.filter((_, at) => at === (number + name.length) % ways.length);
}

/** Of the name of the file that is read now, the same on every machine. */
function fileNumber(): number {
  const [, name] = (expect.getState().testPath ?? '').split('/test/');
  if (name === undefined) throw new Error('the file of the test is not known');
  return [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
}
