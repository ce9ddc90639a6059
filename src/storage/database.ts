// One open database of either kind: queries outside a transaction, transactions that are retried when the
// database asks for it, and hooks that run once a transaction is durable.
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, type KyselyPlugin, type Transaction } from 'kysely';
import { postgresDialect } from './postgres/dialect.js';
import type { DatabaseEvent, PoolOptions } from './postgres/pool.js';
import type { Schema } from './schema.js';
import { sqliteDialect } from './sqlite.js';
import { AsyncContext } from './async-context.js';
import { AtomicCall, atomicCalls } from './atomic-call.js';
import { collectLastSteps, runLastSteps } from './last-steps.js';
import { StorageError } from './storage-error.js';
import { databaseBusy, DatabaseUnavailable } from './unavailable.js';
import { isTransient } from './violations.js';

export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;
export type DialectName = 'sqlite' | 'postgres';

export interface Database {
  /** For reads and single statements. Using it inside `transaction` is refused: it would wait for itself. */
  readonly db: Db;
  readonly dialect: DialectName;
  /**
   * Runs `work` in one transaction. It may run more than once (deadlocks, lost connections), so it must
   * change nothing outside the database; anything that must follow the commit goes into `afterCommit`.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs a whole call and then `last`, in the transaction in which the call recorded its change: both become
   * durable together or not at all. If the call changed nothing, `last` gets a transaction of its own. If the
   * call throws, whatever it committed stays.
   */
  asOne<T>(work: () => Promise<T>, last: (tx: Tx, result: T) => Promise<void>): Promise<T>;
  close(): Promise<void>;
}

export type DatabaseOptions =
  | { kind: 'sqlite'; file: string }
  | ({ kind: 'postgres'; url: string; onEvent?: (event: DatabaseEvent) => void } & Partial<PostgresLimits>);

/** How many PostgreSQL connections this node may use, and how long it waits. */
export type PostgresLimits = {
  poolMax: number;
  connectTimeoutMs: number;
  /** 0: no limit. */
  statementTimeoutMs: number;
};

const ATTEMPTS_MAX = 5;
/** Each lost lock costs seconds of waiting; a caller is not helped by five such waits. */
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
    db: readingInAtomicCalls(root.withPlugin(outsideTransactions)),
    dialect: options.kind,
    transaction: (work) => inTransaction(root, work),
    asOne: (work, last) => asOne(root, work, last),
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

const running = new AsyncContext<Running>();
const commitHooks = new WeakMap<object, (() => void)[]>();

const outsideTransactions: KyselyPlugin = {
  transformQuery: ({ node }) => {
    refuseNesting('database.db was used inside database.transaction: use the transaction it was given');
    return node;
  },
  transformResult: async ({ result }) => result,
};

function refuseNesting(message: string): void {
  if (running.current?.open) throw new StorageError('MISUSE', message);
}

const readOnly = new WeakSet<Db>();

/**
 * Whether reads should lock their rows because the caller is about to change them. Rows that a call merely
 * looks at while its transaction is held open, such as settings shared by its tenant, must not be locked for
 * everybody else.
 */
export const locksRows = (db: Db): boolean => db.isTransaction && !readOnly.has(db);

/** The same transaction for reading only. */
export const withoutLocks = (tx: Db): Db => readingFrom(() => tx, tx);

/**
 * A call with an open transaction also reads in it: outside, it would not see its own change, or would wait
 * for itself.
 */
const readingInAtomicCalls = (db: Db): Db => readingFrom(() => atomicCalls.current?.tx ?? db, db);

function readingFrom(sourceOf: () => Db, db: Db): Db {
  const reading = new Proxy(db, {
    get(_target, name) {
      const source = sourceOf();
      const member: unknown = Reflect.get(source, name, source);
      return typeof member === 'function' && name !== 'fn' ? (member.bind(source) as unknown) : member;
    },
  });
  readOnly.add(reading);
  return reading;
}

async function asOne<T>(
  root: Db,
  work: () => Promise<T>,
  last: (tx: Tx, result: T) => Promise<void>,
): Promise<T> {
  const call = new AtomicCall();
  let result: T;
  try {
    result = await atomicCalls.run(call, work);
  } catch (error) {
    await call.end(undefined).catch(() => false);
    throw isTransient(error) ? databaseBusy(error) : error;
  }
  const keep = (tx: Tx): Promise<void> => last(tx, result);
  try {
    if (!(await call.end(keep))) await inTransaction(root, keep);
  } catch (error) {
    throw isTransient(error) ? databaseBusy(error) : error;
  }
  return result;
}

async function inTransaction<T>(root: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  refuseNesting('database.transaction was called inside another transaction');
  const call = atomicCalls.current;
  if (call?.tx)
    return call.join(work).catch((error: unknown) => {
      // The work done earlier in the held transaction cannot be repeated from here: the whole call has to be
      // retried.
      throw isTransient(error) ? databaseBusy(error) : error;
    });
  const startedAtMs = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(root, work, call);
    } catch (error) {
      const lost = error instanceof DatabaseUnavailable && error.retryNow;
      if (!lost && !isTransient(error)) throw error;
      if (attempt >= ATTEMPTS_MAX || performance.now() - startedAtMs > RETRY_UNTIL_MS)
        throw lost ? error : databaseBusy(error);
      await pauseBefore(attempt);
    }
  }
}

/** Resolves when the transaction is durable, or when the call that it belongs to keeps it open. */
function attemptOnce<T>(root: Db, work: (tx: Tx) => Promise<T>, call: AtomicCall | undefined): Promise<T> {
  const state: Running = { open: true };
  const hooks: (() => void)[] = [];
  return new Promise<T>((resolve, reject) => {
    const ended: Promise<void> = running
      .run(state, () =>
        root.transaction().execute(async (tx) => {
          commitHooks.set(tx, hooks);
          const lastSteps = collectLastSteps(tx);
          const result = await work(tx);
          if (call?.holds(tx)) {
            state.open = false;
            const toEnd = call.hold({ tx, hooks, lastSteps, ended });
            resolve(result);
            await (
              await toEnd
            )?.(tx);
          }
          await runLastSteps(lastSteps);
          return result;
        }),
      )
      .finally(() => (state.open = false))
      .then((result) => {
        for (const hook of hooks) hook();
        resolve(result);
      });
    ended.catch(reject);
  });
}

/** Waits 5, 10, 20, 40 ms, give or take half, so that two losers of a deadlock do not collide again. */
function pauseBefore(attempt: number): Promise<void> {
  const baseMs = 5 * 2 ** (attempt - 1);
  return pause(baseMs * (0.5 + Math.random()));
}

/** Runs `hook` once the transaction is durable; never when it is rolled back. Hooks must not throw. */
export function afterCommit(tx: Tx, hook: () => void): void {
  const hooks = commitHooks.get(tx);
  if (!hooks)
    throw new StorageError('MISUSE', 'afterCommit needs the transaction that database.transaction gave');
  hooks.push(hook);
}
