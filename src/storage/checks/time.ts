// The clock of the database, which all nodes share.
import { sql } from 'kysely';
import type { Database } from '../database.js';

/** Milliseconds since 1970 by the clock of the PostgreSQL machine. */
export async function askTime({ db }: Database): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  return Number(rows[0]?.ms);
}
