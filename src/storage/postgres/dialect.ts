// The PostgreSQL side of the query builder. Reads outside a transaction, and the begin of one, are repeated
// on another connection if theirs turns out to be dead: nothing has been done yet.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { checkParameter } from '../parameters.js';
import { DatabaseUnavailable } from '../unavailable.js';
import { asUnavailable, isLost, isReadOnly, lostInCommit } from './faults.js';
import { PostgresPool, type PoolOptions } from './pool.js';
import type { Answer, Session } from './session.js';

const changes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

class PostgresConnection implements DatabaseConnection {
  readonly #pool: PostgresPool;
  #session: Session;
  #inTransaction = false;

  constructor(pool: PostgresPool, session: Session) {
    this.#pool = pool;
    this.#session = session;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const values = query.parameters.map(checkParameter);
    const { command, rowCount, rows } = await this.#ask(query.sql, values);
    return {
      rows: rows as R[],
      ...(changes.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
    };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  async begin(): Promise<void> {
    await this.#ask('begin', []);
    this.#inTransaction = true;
  }

  async commit(): Promise<void> {
    try {
      const { command } = await this.#session.query('commit', []);
      // The commit of a transaction in which a statement failed rolls it back, without an error.
      if (command !== 'COMMIT') throw new Error('the database rolled the transaction back');
    } catch (error) {
      throw lostInCommit(error);
    } finally {
      this.#inTransaction = false;
    }
  }

  /**
   * A failed rollback must not hide the first error; without a connection there is nothing left to roll back.
   */
  async rollback(): Promise<void> {
    this.#inTransaction = false;
    try {
      await this.#session.query('rollback', []);
    } catch (error) {
      this.#pool.discard(this.#session, error as Error);
    }
  }

  release(): void {
    this.#pool.release(this.#session);
  }

  async #ask(text: string, values: readonly unknown[]): Promise<Answer> {
    try {
      return await this.#session.query(text, values);
    } catch (error) {
      if (isReadOnly(error)) this.#pool.discard(this.#session, error as Error);
      else if (!isLost(error) && this.#session.lost === undefined) throw asUnavailable(error);
      if (this.#inTransaction || !/^\s*(select|begin)\b/i.test(text)) throw asUnavailable(error);
      return this.#askAgain(text, values);
    }
  }

  async #askAgain(text: string, values: readonly unknown[]): Promise<Answer> {
    this.#pool.release(this.#session);
    this.#session = await this.#pool.acquire();
    try {
      return await this.#session.query(text, values);
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}

class PostgresDriver implements Driver {
  readonly #pool: PostgresPool;

  constructor(options: PoolOptions) {
    this.#pool = new PostgresPool(options);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new PostgresConnection(this.#pool, await this.#pool.acquire());
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).begin();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).commit();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).rollback();
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    own(connection).release();
  }

  async destroy(): Promise<void> {
    await this.#pool.close();
  }
}

function own(connection: DatabaseConnection): PostgresConnection {
  if (connection instanceof PostgresConnection) return connection;
  throw new DatabaseUnavailable('not a connection of this database');
}

export function postgresDialect(options: PoolOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(options),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  };
}
