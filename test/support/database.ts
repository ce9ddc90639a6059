// Runs a suite of tests on SQLite in a file and on PostgreSQL. A store's conformance suite is written once inside
// `forEachDatabase` and proves that both behave the same.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import {
  type Database,
  type DatabaseOptions,
  type DialectName,
  openDatabase,
} from '../../src/storage/database.js';
import { migratedFile } from './migrated.js';
import { type FreshPostgres, type FreshSchema, freshPostgresDatabase } from './fresh-postgres.js';
import { describeStores, type StoreLanes } from './lanes.js';

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

export function forEachDatabase(suite: Suite, lanes?: StoreLanes): Promise<void> {
  return describeStores(
    (dialect, postgresUrl) =>
      suite(underTest(dialect, dialect === 'sqlite' ? sqlitePlaces() : postgresPlaces(postgresUrl))),
    lanes,
  );
}

interface Place {
  options: DatabaseOptions;
  release(): Promise<void>;
}

/** Makes databases; one with the schema comes from a stock, because migrating for each test takes too long. */
interface Places {
  empty(): Promise<Place>;
  migrated(): Promise<Place>;
}

function underTest(dialect: DialectName, places: Places): DatabaseUnderTest {
  const opened: Database[] = [];
  const used: Place[] = [];
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
    for (const place of used.splice(0)) await place.release();
  });
  return {
    dialect,
    async locate() {
      const place = await places.empty();
      used.push(place);
      return place.options;
    },
    async open(options = {}) {
      const place = await (options.empty ? places.empty() : places.migrated());
      used.push(place);
      const database = openDatabase(place.options);
      opened.push(database);
      return database;
    },
  };
}

/** A migrated file is copied. */
function sqlitePlaces(): Places {
  const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'voxgate-db-')), 'voxgate.db');
  const placeAt = (file: string): Place => ({
    options: { kind: 'sqlite', file },
    release: async () => rmSync(dirname(file), { recursive: true, force: true }),
  });
  return {
    empty: async () => placeAt(newFile()),
    async migrated() {
      const file = newFile();
      copyFileSync(await migratedFile(), file);
      return placeAt(file);
    },
  };
}

/** A migrated schema is emptied and used again. */
function postgresPlaces(serverUrl: string): Places {
  let database: Promise<FreshPostgres> | undefined;
  afterAll(async () => (await database)?.drop());
  const stock: FreshSchema[] = [];
  const ownDatabase = (): Promise<FreshPostgres> => (database ??= freshPostgresDatabase(serverUrl));
  const optionsOf = (schema: FreshSchema): DatabaseOptions => ({
    kind: 'postgres',
    url: schema.url,
    poolMax: 4,
  });
  return {
    async empty() {
      const schema = await (await ownDatabase()).newSchema();
      return { options: optionsOf(schema), release: () => schema.drop() };
    },
    async migrated() {
      const migrated = stock.pop() ?? (await (await ownDatabase()).migratedSchema());
      return {
        options: optionsOf(migrated),
        async release() {
          await migrated.clear();
          stock.push(migrated);
        },
      };
    },
  };
}
