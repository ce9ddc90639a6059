// Brings the schema up to this program's version. All pending steps run in one transaction under a lock, so that two servers
// starting together migrate once, and a failed step leaves the schema as it was. A newer schema is accepted unless one of its
// steps says that older programs cannot work with it: an older version may be started again alongside the next one, or instead
// of it.
import { type Kysely, sql } from 'kysely';
import type { Database, Tx } from './database.js';
import { migrations as allMigrations, OLDEST_RELEASE } from './migrations/index.js';
import type { Migration } from './migrations/migration.js';
import { StorageError } from './storage-error.js';

export interface MigrationReport {
  from: number;
  to: number;
  applied: string[];
}

interface MigrationTables {
  schema_migrations: { version: number; name: string; applied_at: number };
}

/** Appended to the name of such a step, so that programs that do not know the step can tell. */
const BREAKS_OLDER = ' (breaks older programs)';

// Any fixed number does: it only has to differ from other users of the same PostgreSQL database.
const ADVISORY_LOCK = 0x766f7867;

export async function migrate(
  database: Database,
  clock: { now(): number },
  migrations: readonly Migration[] = allMigrations,
  /** Runs in the same transaction, once the tables exist. */
  andThen: (tx: Tx) => Promise<void> = async () => {},
): Promise<MigrationReport> {
  return database.transaction(async (tx) => {
    if (database.dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(tx);
    const db = tx as unknown as Kysely<MigrationTables>;
    await db.schema
      .createTable('schema_migrations')
      .ifNotExists()
      .addColumn('version', 'integer', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('applied_at', 'bigint', (c) => c.notNull())
      .execute();
    const rows = await db.selectFrom('schema_migrations').select(['version', 'name']).execute();
    const done = new Set(rows.map((row) => row.version));
    const from = Math.max(0, ...done);
    const to = Math.max(0, ...migrations.map((migration) => migration.version));
    if (from > to) {
      const breaking = rows.some(({ version, name }) => version > to && name.endsWith(BREAKS_OLDER));
      if (breaking) throw tooNew(from, to);
      await andThen(tx);
      return { from, to: from, applied: [] };
    }
    const unknown = unknownVersion(from, migrations);
    if (unknown) throw tooOld(from, unknown);
    const applied: string[] = [];
    for (const migration of migrations) {
      if (done.has(migration.version)) continue;
      await migration.up(tx as unknown as Kysely<unknown>, {
        dialect: database.dialect,
        bytes: database.dialect === 'postgres' ? 'bytea' : 'blob',
      });
      await db
        .insertInto('schema_migrations')
        .values({
          version: migration.version,
          name: `${migration.name}${migration.breaksOlder ? BREAKS_OLDER : ''}`,
          applied_at: clock.now(),
        })
        .execute();
      applied.push(`${String(migration.version).padStart(4, '0')}-${migration.name}`);
    }
    await andThen(tx);
    return { from, to, applied };
  });
}

/** The steps in the database after this one that earlier versions of the program cannot work with. */
export async function breakingSteps(database: Database, after: number): Promise<number[]> {
  const db = database.db as unknown as Kysely<MigrationTables>;
  const rows = await db
    .selectFrom('schema_migrations')
    .select(['version', 'name'])
    .where('version', '>', after)
    .execute();
  return rows.flatMap(({ version, name }) => (name.endsWith(BREAKS_OLDER) ? version : []));
}

interface UnknownVersion {
  age: string;
  /** The program that upgrades it to a version that is known. */
  program: string;
}

/** Whether the schema is older than the steps that this program knows, or of a build between two of them. */
export function unknownVersion(
  version: number,
  migrations: readonly Migration[] = allMigrations,
): UnknownVersion | undefined {
  const known = migrations.map((migration) => migration.version);
  const next = known.find((other) => other >= version);
  if (version === 0 || next === undefined || next === version) return undefined;
  return next === known[0]
    ? { age: `older than Voxgate ${OLDEST_RELEASE}`, program: `Voxgate ${OLDEST_RELEASE}` }
    : { age: 'of a build between releases', program: `the build with version ${next}` };
}

function tooNew(from: number, to: number): StorageError {
  return new StorageError(
    'SCHEMA_TOO_NEW',
    `the database has schema version ${from}, this program knows versions up to ${to}: use a newer program`,
  );
}

function tooOld(from: number, { age, program }: UnknownVersion): StorageError {
  return new StorageError(
    'SCHEMA_TOO_OLD',
    `the database has schema version ${from}, ${age}: start ${program} with it once, then this program`,
  );
}
