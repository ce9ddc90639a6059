// The PostgreSQL side of the query builder: a bounded pool, and value types that match the SQLite side
// (bigint as number, bytea as a plain Uint8Array).
import { CompiledQuery, type DatabaseConnection, type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import { checkParameter } from './parameters.js';

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 15_000;

const oid = { bytea: 17, int8: 20, numeric: 1700 } as const;

function parserFor(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (format !== 'binary') {
    // Counts, sequence numbers and millisecond timestamps all stay far below 2^53.
    if (type === oid.int8 || type === oid.numeric) return Number;
    if (type === oid.bytea) return (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'));
  }
  return pg.types.getTypeParser(type as never, format as never) as (text: string) => unknown;
}

export interface PostgresOptions {
  url: string;
  poolMax: number;
  /** Told about connections that break while idle; the pool replaces them. */
  onIdleError: (error: Error) => void;
}

export function postgresDialect(options: PostgresOptions): Dialect {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    application_name: 'voxgate',
    types: { getTypeParser: parserFor as never },
  });
  pool.on('error', options.onIdleError);
  return new PostgresDialect({
    pool,
    onCreateConnection: async (connection: DatabaseConnection) => {
      // Set by statement, not as start-up options: connection poolers refuse those.
      await connection.executeQuery(CompiledQuery.raw(`set lock_timeout = ${LOCK_TIMEOUT_MS}`));
      await connection.executeQuery(CompiledQuery.raw('set client_min_messages = warning'));
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = async (query: CompiledQuery) =>
        execute({ ...query, parameters: query.parameters.map(checkParameter) });
    },
  });
}
