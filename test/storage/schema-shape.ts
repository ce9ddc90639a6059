// The tables of a database as an older program sees them, and what it would stumble over after a step of the schema.
import { sql } from 'kysely';
import type { Database } from '../../src/storage/database.js';

interface Shape {
  /** By `table.column`: its type, whether it may be empty, and whether an insert may leave it out. */
  columns: Map<string, { type: string; nullable: boolean; optional: boolean }>;
  /** `table(columns)` of unique indexes. */
  unique: Set<string>;
}

interface ColumnRow {
  name: string;
  type: string;
  nullable: number;
  fallback: string | null;
}

export async function shapeOf({ db, dialect }: Database): Promise<Shape> {
  const known =
    dialect === 'sqlite'
      ? sql<ColumnRow>`select m.name || '.' || c.name as name, c.type as type, c."notnull" = 0 as nullable,
          c.dflt_value as fallback from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'`
      : sql<ColumnRow>`select table_name || '.' || column_name as name, data_type as type,
          case is_nullable when 'YES' then 1 else 0 end as nullable, column_default as fallback
          from information_schema.columns where table_schema = current_schema()`;
  const columns: Shape['columns'] = new Map();
  for (const { name, type, nullable, fallback } of (await known.execute(db)).rows)
    columns.set(name, { type, nullable: nullable === 1, optional: nullable === 1 || fallback !== null });
  const indexes =
    dialect === 'sqlite'
      ? sql<{
          name: string;
        }>`select m.name || '(' || group_concat(c.name) || ')' as name from sqlite_master m,
          pragma_index_list(m.name) i, pragma_index_info(i.name) c where m.type = 'table' and i."unique" = 1 group by m.name, i.name`
      : sql<{ name: string }>`select regexp_replace(indexdef, '.* ON [^.]*\\.', '') as name from pg_indexes
          where schemaname = current_schema() and indexdef like '%UNIQUE%'`;
  return { columns, unique: new Set((await indexes.execute(db)).rows.map(({ name }) => name)) };
}

/** What the version before would stumble over, in the tables that it knows. */
export function hindrances(before: Shape, after: Shape): string[] {
  const found: string[] = [];
  const tables = new Set([...before.columns.keys()].map((column) => column.split('.')[0]));
  for (const [name, column] of before.columns) {
    const now = after.columns.get(name);
    if (!now) found.push(`${name} is gone`);
    else if (now.type !== column.type || now.nullable !== column.nullable) found.push(`${name} is another`);
  }
  for (const [name, { optional }] of after.columns)
    if (!before.columns.has(name) && !optional && tables.has(name.split('.')[0]))
      found.push(`${name} has to be written`);
  for (const name of after.unique)
    if (!before.unique.has(name) && tables.has(name.split(/[ (]/)[0])) found.push(`${name} must be unique`);
  return found;
}
