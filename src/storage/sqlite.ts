// The SQLite side of the query builder: one file, one connection, durable commits. It is a dialect of our
// own because the driver has sharp edges that must not reach the adapters: a boolean parameter aborts the
// process, text is cut at a NUL, and blobs come back as ArrayBuffers.
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Libsql from 'libsql';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { AppError } from '../errors.js';
import { checkParameter } from './parameters.js';
import { databaseBusy, DatabaseUnavailable, READ_ONLY } from './unavailable.js';
import { isTransient } from './violations.js';

// The driver blocks the event loop while it waits for another process's lock, so it may wait only briefly;
// after that we wait ourselves and try again.
const OPEN_BUSY_TIMEOUT_MS = 5000;
const BLOCKING_BUSY_TIMEOUT_MS = 25;
const BUSY_RETRIES_MAX = 400;
const BUSY_RETRY_PAUSE_MS = 10;
const BEGIN = 'begin immediate';
const writes = /^\s*(?:with\b[\s\S]*\b)?(?:insert into|update|delete from)\b/i;
const STATEMENT_CACHE_MAX = 256;

type Statement = ReturnType<Libsql.Database['prepare']>;

/** Row locks mean nothing where a write transaction is alone: `.forUpdate()` compiles to nothing here. */
class LockFreeQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'ForUpdate' || node.modifier === 'ForShare') return;
    if (node.modifier === 'NoWait' || node.modifier === 'SkipLocked') return;
    super.visitSelectModifier(node);
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #file: Libsql.Database;
  readonly #path: string;
  // Preparing costs as much as running a small statement, and the program has a bounded set of statements.
  readonly #statements = new Map<string, Statement>();

  constructor(file: Libsql.Database, path: string) {
    this.#file = file;
    this.#path = path;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const parameters = query.parameters.map(checkParameter);
    for (let retries = 0; ; retries++) {
      try {
        return this.#execute<R>(query.sql, parameters);
      } catch (error) {
        // Inside a transaction we already hold the write lock, so this can only be its begin or a single
        // statement.
        if (!isBusy(error) || this.#file.inTransaction || retries >= BUSY_RETRIES_MAX)
          throw named(error, this.#path);
        await pause(BUSY_RETRY_PAUSE_MS);
      }
    }
  }

  /**
   * A prepared statement that finds the database locked stays half-way in the driver, with a view of the database that no later
   * writer may start from. So the lock is always taken by text, which leaves nothing.
   */
  #execute<R>(sql: string, parameters: unknown[]): QueryResult<R> {
    if (sql !== BEGIN && (this.#file.inTransaction || !writes.test(sql))) return this.#run(sql, parameters);
    this.#file.exec(BEGIN);
    if (sql === BEGIN) return { rows: [] };
    try {
      const result = this.#run<R>(sql, parameters);
      this.#file.exec('commit');
      return result;
    } catch (error) {
      if (this.#file.inTransaction) this.#file.exec('rollback');
      throw error;
    }
  }

  #run<R>(sql: string, parameters: unknown[]): QueryResult<R> {
    const statement = this.#prepare(sql);
    if (statement.reader) {
      const rows = statement.all(parameters) as Record<string, unknown>[];
      for (const row of rows) plainBytes(row);
      return { rows: rows as R[] };
    }
    const { changes } = statement.run(parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  forget(): void {
    this.#statements.clear();
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.#file.prepare(sql);
    if (!cacheable(sql)) {
      // A statement prepared before a schema change may describe columns that are gone.
      this.#statements.clear();
      return statement;
    }
    if (this.#statements.size >= STATEMENT_CACHE_MAX) {
      const oldest = this.#statements.keys().next().value;
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Gives disk and file faults a name; everything else is passed on unchanged. */
function named(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (isTransient(error)) return databaseBusy(error);
  if (code === 'SQLITE_FULL')
    return new DatabaseUnavailable('the disk is full', {
      cause: new Error(`${path}: no space left`, { cause: error }),
      detail: 'DISK_FULL',
    });
  if (code.startsWith('SQLITE_READONLY') || code === 'SQLITE_CANTOPEN')
    return new DatabaseUnavailable('the database cannot be written', { cause: error, detail: READ_ONLY });
  if (code.startsWith('SQLITE_IOERR'))
    return new DatabaseUnavailable('the disk of the database is failing', { cause: error });
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB')
    return new AppError('INTERNAL_ERROR', 'the database is damaged', {
      diagnostics: [{ code: 'DATABASE_DAMAGED' }],
      cause: error,
    });
  return error;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}

function cacheable(sql: string): boolean {
  return /^\s*(select|insert|update|delete|with|begin|commit|rollback)\b/i.test(sql);
}

function plainBytes(row: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(row)) {
    if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
    else if (Buffer.isBuffer(value)) row[name] = new Uint8Array(value);
  }
}

class SqliteDriver implements Driver {
  readonly #path: string;
  #file: Libsql.Database | undefined;
  #connection: SqliteConnection | undefined;
  #waiting: (() => void)[] = [];
  #taken = false;

  constructor(path: string) {
    this.#path = path;
  }

  async init(): Promise<void> {
    try {
      this.#file = openFile(this.#path);
    } catch (error) {
      throw named(error, this.#path);
    }
    this.#connection = new SqliteConnection(this.#file, this.#path);
  }

  /** First come, first served: a stream of short queries must not starve a transaction. */
  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    if (!this.#connection) throw new Error('the database is closed');
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // Immediate: taking the write lock later could fail half-way, when another process writes too.
    await connection.executeQuery(CompiledQuery.raw(BEGIN));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // Some errors (disk full) roll back by themselves; a second rollback would hide the first cause.
    if (this.#file?.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async destroy(): Promise<void> {
    const file = this.#file;
    this.#connection?.forget();
    this.#connection = undefined;
    this.#file = undefined;
    if (!file) return;
    try {
      // The driver closes the file for good only when its objects are garbage-collected, so the log is
      // emptied here.
      file.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    } catch {
      // Another process holds it open; the log stays and is read at the next start.
    }
    file.close();
  }
}

function openFile(path: string): Libsql.Database {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // The write-ahead log inherits the mode of the file, so the mode is set before SQLite creates it. Not on
    // an existing file: closing any descriptor of a file ends all locks of the process on it, and the next
    // process to close the database would delete the log of a server that has lost its lock.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  }
  const file = new Libsql(path, { timeout: OPEN_BUSY_TIMEOUT_MS });
  for (const setting of [
    'journal_mode = WAL',
    // FULL: an acknowledged commit is on the disk, not only in the operating system.
    'synchronous = FULL',
    'foreign_keys = ON',
    // Deleted personal data is overwritten, not left in free pages.
    'secure_delete = ON',
    'cache_size = -16000',
    `busy_timeout = ${BLOCKING_BUSY_TIMEOUT_MS}`,
  ]) {
    file.prepare(`PRAGMA ${setting}`).all();
  }
  return file;
}

/** A dialect over one SQLite file; `:memory:` gives a private database that lives as long as the object. */
export function sqliteDialect(path: string): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(path),
    createQueryCompiler: () => new LockFreeQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  };
}
