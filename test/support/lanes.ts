// What of a suite runs in the slow lane of the tests (docs/adr/0084-two-lanes-of-tests.md): its half on PostgreSQL, or the rest of a
// long table.
import { describe, it } from 'vitest';
import type { DialectName } from '../../src/storage/database.js';
import { sharedPostgres } from './postgres.js';

/** 'both quick' for the suite of a repository: what it tries differs between the stores. */
export type StoreLanes = 'PostgreSQL slow' | 'both quick';

/**
 * Where PostgreSQL cannot be started, its half is skipped on a developer's machine and fails in CI. `define` is given the address
 * of the server for PostgreSQL.
 */
export async function describeStores(
  define: (dialect: DialectName, postgresUrl: string) => void,
  lanes: StoreLanes = 'PostgreSQL slow',
): Promise<void> {
  const postgres = await sharedPostgres();
  if ('fault' in postgres && process.env['CI'])
    throw new Error(`PostgreSQL is needed and did not start:\n${postgres.fault}`);
  describe('on SQLite', () => define('sqlite', ''));
  describe.skipIf('fault' in postgres)(
    'on PostgreSQL',
    { tags: lanes === 'both quick' ? [] : ['slow'] },
    () => define('postgres', 'fault' in postgres ? '' : postgres.socketUrl),
  );
}

/** One row of so many is the sample of the quick lane. */
const SAMPLED = 4;

/** `it.each` for a long table: a sample of its rows is in the quick lane, the others are in the slow one. */
export function itInLanes<Row extends readonly unknown[]>(
  rows: readonly Row[],
): (name: string, test: (...row: Row) => unknown) => void {
  return (name, test) => {
    const run = async (row: Row): Promise<void> => void (await test(...row));
    it.for(rows.filter((_, index) => index % SAMPLED === 0))(name, run);
    it.for(rows.filter((_, index) => index % SAMPLED !== 0))(name, { tags: ['slow'] }, run);
  };
}
