// One open database, whichever it is: queries outside a transaction, transactions that are retried when the
// database asks for it, and things to do once a transaction is durable.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely, type KyselyPlugin, type Transaction } from 'kysely';
import { AppError } from '../errors.js';
import { postgresDialect } from './postgres/dialect.js';
import type { DatabaseEvent, PoolOptions } from './postgres/pool.js';
import type { Schema } from './schema.js';
import { sqliteDialect } from './sqlite.js';
import { StorageError } from './storage-error.js';
import { DatabaseUnavailable } from './unavailable.js';
import { isTransient } from './violations.js';

export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;
export type DialectName = 'sqlite' | 'postgres';

export interface Database {
  /** For reads and single statements. Using it inside `transaction` is refused: it would wait for itself. */
  readonly db: Db;
  readonly dialect: DialectName;
  /**
   * Runs `work` in one transaction. Work may run more than once (deadlocks, lost connections), so it must change
   * nothing outside the database; what must follow the commit goes into `afterCommit`.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export type DatabaseOptions =
  | { kind: 'sqlite'; file: string }
  | ({ kind: 'postgres'; url: string; onEvent?: (event: DatabaseEvent) => void } & Partial<PostgresLimits>);

/** How much of PostgreSQL this node may use, and how long it waits for it. */
export type PostgresLimits = {
  poolMax: number;
  connectTimeoutMs: number;
  /** 0: as long as it takes. */
  statementTimeoutMs: number;
};

const ATTEMPTS_MAX = 5;
/** Losers of a lock wait for seconds each time; nobody is served by five such waits. */
const RETRY_UNTIL_MS = 10_000;
const postgresDefaults: PostgresLimits = {
  poolMax: 10,
  connectTimeoutMs: 3000,
  statementTimeoutMs: 30_000,
};

/** Opens the database; the schema is not touched, see `migrate`. */
export function openDatabase(options: DatabaseOptions): Database {
  const dialect =
    options.kind === 'sqlite' ? sqliteDialect(options.file) : postgresDialect(poolOptions(options));
  const root = new Kysely<Schema>({ dialect });
  return {
    db: root.withPlugin(outsideTransactions),
    dialect: options.kind,
    transaction: (work) => inTransaction(root, work),
    close: () => root.destroy(),
  };
}

function poolOptions(options: DatabaseOptions & { kind: 'postgres' }): PoolOptions {
  const { url, onEvent = () => {}, ...limits } = options;
  const { poolMax, connectTimeoutMs, statementTimeoutMs } = { ...postgresDefaults, ...limits };
  return { url, max: poolMax, connectTimeoutMs, statementTimeoutMs, onEvent };
}

interface Running {
  open: boolean;
}

const running = new AsyncLocalStorage<Running>();
/** While none is open, nothing needs to be followed: before Node 24, following makes every promise of the process dearer. */
let openTransactions = 0;
const commitHooks = new WeakMap<object, (() => void)[]>();

const outsideTransactions: KyselyPlugin = {
  transformQuery: ({ node }) => {
    refuseNesting('database.db was used inside database.transaction: use the transaction it was given');
    return node;
  },
  transformResult: async ({ result }) => result,
};

function refuseNesting(message: string): void {
  if (running.getStore()?.open) throw new StorageError('MISUSE', message);
}

async function inTransaction<T>(root: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  refuseNesting('database.transaction was called inside another transaction');
  const startedAtMs = performance.now();
  for (let attempt = 1; ; attempt++) {
    const state: Running = { open: true };
    const hooks: (() => void)[] = [];
    try {
      const result = await followed(state, () =>
        root.transaction().execute(async (tx) => {
          commitHooks.set(tx, hooks);
          return work(tx);
        }),
      );
      for (const hook of hooks) hook();
      return result;
    } catch (error) {
      const lost = error instanceof DatabaseUnavailable && error.retryNow;
      if (!lost && !isTransient(error)) throw error;
      if (attempt >= ATTEMPTS_MAX || performance.now() - startedAtMs > RETRY_UNTIL_MS) {
        throw lost
          ? error
          : new AppError('BUSY', 'the database is busy', { retryAfterMs: 1000, cause: error });
      }
      await pause(attempt);
    }
  }
}

/** Runs one attempt so that whatever it starts knows that it is inside. */
async function followed<T>(state: Running, attempt: () => Promise<T>): Promise<T> {
  openTransactions++;
  try {
    return await running.run(state, attempt);
  } finally {
    state.open = false;
    if (--openTransactions === 0) running.disable();
  }
}

/** Waits 5, 10, 20, 40 ms, give or take half: two losers of a deadlock must not meet again. */
function pause(attempt: number): Promise<void> {
  const baseMs = 5 * 2 ** (attempt - 1);
  return new Promise((resolve) => setTimeout(resolve, baseMs * (0.5 + Math.random())));
}

/** Runs `hook` once the transaction is durable; never when it is rolled back. Hooks must not throw. */
export function afterCommit(tx: Tx, hook: () => void): void {
  const hooks = commitHooks.get(tx);
  if (!hooks)
    throw new StorageError('MISUSE', 'afterCommit needs the transaction that database.transaction gave');
  hooks.push(hook);
}
