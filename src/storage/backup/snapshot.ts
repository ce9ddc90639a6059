// All rows of all tables as of one moment, while others go on writing: one read transaction that blocks
// nobody.
import { CompiledQuery, type Kysely } from 'kysely';
import type { Database, Db } from '../database.js';
import type { Schema } from '../schema.js';
import type { Value } from './archive.js';

export type Row = Record<string, Value>;

interface TableReader {
  name: string;
  pages(): AsyncIterable<readonly Row[]>;
}

/** Read first: it says what the other tables look like. */
export const MIGRATIONS_TABLE = 'schema_migrations';
const PAGE_ROWS = 200;
const ROW_NUMBER = 'voxgate_row_number';

export async function withSnapshot<T>(
  database: Database,
  work: (tables: readonly TableReader[]) => Promise<T>,
): Promise<T> {
  const names = await tableNames(database);
  return database.db.connection().execute(async (connection) => {
    const ask = asker(connection);
    const pagesOf = database.dialect === 'sqlite' ? sqlitePages : postgresPages;
    await ask(database.dialect === 'sqlite' ? 'begin' : 'begin isolation level repeatable read read only');
    try {
      // Writing the rows out may be slow, and the server would take the silence for a client that is gone.
      if (database.dialect === 'postgres') await ask('set local idle_in_transaction_session_timeout = 0');
      return await work(names.map((name) => ({ name, pages: () => pagesOf(ask, name) })));
    } finally {
      // Nothing was written; if the connection is lost, there is nothing left to end.
      await ask('rollback').catch(() => {});
    }
  });
}

/** Our tables, that of the migrations first. */
export async function tableNames({ db, dialect }: Database): Promise<string[]> {
  const names = await asker(db)(
    dialect === 'sqlite'
      ? `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`
      : `select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name`,
  );
  const others = names.map((row) => String(row['name'])).filter((name) => name !== MIGRATIONS_TABLE);
  return others.length < names.length ? [MIGRATIONS_TABLE, ...others] : others;
}

type Ask = (text: string, ...parameters: Value[]) => Promise<readonly Row[]>;

const asker =
  (db: Db | Kysely<Schema>): Ask =>
  async (text, ...parameters) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, parameters))).rows;

async function* sqlitePages(ask: Ask, name: string): AsyncGenerator<readonly Row[]> {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const rows = await ask(
      `select rowid as ${ROW_NUMBER}, * from "${name}" where rowid > ? order by rowid limit ${PAGE_ROWS}`,
      after,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Number(last[ROW_NUMBER]);
    for (const row of rows) delete row[ROW_NUMBER];
    yield rows;
  }
}

/**
 * Reads with a cursor. A `fetch` is never repeated, so a lost connection ends the snapshot instead of
 * falsifying it.
 */
async function* postgresPages(ask: Ask, name: string): AsyncGenerator<readonly Row[]> {
  await ask(`declare pages no scroll cursor for select * from "${name}"`);
  for (;;) {
    const rows = await ask(`fetch ${PAGE_ROWS} from pages`);
    if (rows.length === 0) break;
    yield rows;
  }
  await ask('close pages');
}
