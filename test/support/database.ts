// Runs a suite of tests once per database: SQLite in a file, and PostgreSQL. A store's conformance suite is
// written once inside `forEachDatabase` and proves that both behave the same.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe } from 'vitest';
import { type Database, type DatabaseOptions, type DialectName, openDatabase } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { type FreshPostgres, freshPostgresDatabase, sharedPostgres } from './postgres.js';

export interface OpenOptions {
  /** Leave the database empty; by default the schema is there. */
  empty?: boolean;
}

export interface DatabaseUnderTest {
  dialect: DialectName;
  /** A database of its own for this test, closed and removed afterwards. */
  open(options?: OpenOptions): Promise<Database>;
  /** Where the next database would be, for tests that open it several times or from other processes. */
  locate(): Promise<DatabaseOptions>;
}

type Suite = (under: DatabaseUnderTest) => void;

/** Where PostgreSQL cannot be started, its half is skipped on a developer's machine and fails in CI. */
export async function forEachDatabase(suite: Suite): Promise<void> {
  describe('sqlite', () => suite(underTest('sqlite', sqliteLocation)));
  const postgres = await sharedPostgres();
  if ('url' in postgres) {
    describe('postgres', () => {
      let fresh: Promise<FreshPostgres> | undefined;
      afterAll(async () => (await fresh)?.drop());
      suite(
        underTest('postgres', async () => {
          fresh ??= freshPostgresDatabase(postgres.url);
          const schema = await (await fresh).newSchema();
          return { options: { kind: 'postgres', url: schema.url, poolMax: 4 }, remove: schema.drop };
        }),
      );
    });
    return;
  }
  if (process.env['CI']) throw new Error(`PostgreSQL is needed and did not start:\n${postgres.fault}`);
  describe.skipIf(true)(`postgres (not started: ${postgres.fault})`, () => suite(underTest('postgres', sqliteLocation)));
}

interface Location {
  options: DatabaseOptions;
  remove(): Promise<void>;
}

function underTest(dialect: DialectName, make: () => Promise<Location>): DatabaseUnderTest {
  const opened: Database[] = [];
  const locations: Location[] = [];
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
    for (const location of locations.splice(0)) await location.remove();
  });
  const locate = async (): Promise<DatabaseOptions> => {
    const location = await make();
    locations.push(location);
    return location.options;
  };
  return {
    dialect,
    locate,
    async open(options = {}) {
      const database = openDatabase(await locate());
      opened.push(database);
      if (!options.empty) await migrate(database, { now: () => 0 });
      return database;
    },
  };
}

async function sqliteLocation(): Promise<Location> {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-db-'));
  return {
    options: { kind: 'sqlite', file: join(folder, 'voxgate.db') },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
