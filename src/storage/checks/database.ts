// Looks for damage in the database itself. SQLite checks its own file; PostgreSQL is asked what its checksums found.
import { sql } from 'kysely';
import { AppError } from '../../errors.js';
import type { Database } from '../database.js';

const DAMAGES_NAMED = 5;

/**
 * The damage in the words of the database; empty if there is none. `quick` leaves out checks that read
 * everything twice.
 */
export async function findDamage(database: Database, depth: 'quick' | 'full'): Promise<string[]> {
  try {
    return database.dialect === 'sqlite'
      ? await sqliteDamage(database, depth)
      : await postgresDamage(database);
  } catch (error) {
    if (error instanceof AppError && error.diagnostics.some(({ code }) => code === 'DATABASE_DAMAGED'))
      return [error.cause instanceof Error ? error.cause.message : error.message];
    throw error;
  }
}

async function sqliteDamage({ db }: Database, depth: 'quick' | 'full'): Promise<string[]> {
  const pragma = sql.raw(`pragma ${depth === 'quick' ? 'quick_check' : 'integrity_check'}(${DAMAGES_NAMED})`);
  const { rows } = await sql<Record<string, string>>`${pragma}`.execute(db);
  return rows
    .flatMap((row) => Object.values(row))
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== 'ok' && !line.startsWith('***'));
}

async function postgresDamage({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ failures: number | string | null }>`
    select checksum_failures as failures from pg_stat_database where datname = current_database()`.execute(
    db,
  );
  const failures = Number(rows[0]?.failures ?? 0);
  return failures > 0 ? [`${failures} pages with wrong checksums, as PostgreSQL counts them`] : [];
}

/** The current version of the schema; undefined before the first migration. */
export async function schemaVersion({ db, dialect }: Database): Promise<number | undefined> {
  const exists =
    dialect === 'sqlite'
      ? sql<{ n: number }>`select count(*) as n from sqlite_master where name = 'schema_migrations'`
      : sql<{ n: number }>`select count(to_regclass('schema_migrations')) as n`;
  if (Number((await exists.execute(db)).rows[0]?.n) === 0) return undefined;
  const { rows } = await sql<{ v: number | null }>`select max(version) as v from schema_migrations`.execute(
    db,
  );
  return rows[0]?.v ?? undefined;
}
