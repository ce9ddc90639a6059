// A suite that runs on both stores: on SQLite in the quick lane of the tests, on PostgreSQL in the slow one
// (docs/adr/0084-two-lanes-of-tests.md).
import { describe } from 'vitest';
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
