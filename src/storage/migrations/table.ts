// A short way to write tables and indexes in migrations. Released steps depend on what these functions
// create, so a new need gets a new function.
import type { Kysely } from 'kysely';

type Column = 'text' | 'integer' | 'bigint' | 'double precision' | 'blob' | 'bytea';

/** A column is mandatory unless its type ends with a question mark; the first `keys` columns are the primary key. */
export async function createTable(
  db: Kysely<unknown>,
  name: string,
  columns: Record<string, Column | `${Column}?`>,
  keys = 1,
): Promise<void> {
  let table = db.schema.createTable(name);
  for (const [column, type] of Object.entries(columns)) {
    const nullable = type.endsWith('?');
    table = table.addColumn(column, type.replace('?', '') as Column, (c) => (nullable ? c : c.notNull()));
  }
  const primary = Object.keys(columns).slice(0, keys);
  await table.addPrimaryKeyConstraint(`${name}_pk`, primary as never).execute();
}

/** PostgreSQL truncates names at 63 bytes, so they are truncated before. */
const NAME_LENGTH_MAX = 60;

export async function createIndex(
  db: Kysely<unknown>,
  table: string,
  columns: string[],
  unique = false,
): Promise<void> {
  const builder = db.schema
    .createIndex(`${table}_${columns.join('_')}`.slice(0, NAME_LENGTH_MAX))
    .on(table)
    .columns(columns);
  await (unique ? builder.unique() : builder).execute();
}
