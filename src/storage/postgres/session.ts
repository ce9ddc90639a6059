// One connection to one server: opens it, sets it up, runs statements, and cuts it when it has gone silent.
// It always has a listener for errors: a broken connection must never end the process.
import pg from 'pg';
import { isLost, timeout } from './faults.js';

interface SessionOptions {
  url: string;
  connectTimeoutMs: number;
  /** 0: no limit. */
  statementTimeoutMs: number;
  readOnlyWillDo: boolean;
}

const KEEP_ALIVE_DELAY_MS = 10_000;
const LOCK_TIMEOUT_MS = 5000;
/** A node that was stopped in the middle of a transaction must not hold its locks forever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const END_TIMEOUT_MS = 1000;

const oid = { bytea: 17, int8: 20, numeric: 1700 } as const;

function parserFor(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (format !== 'binary') {
    // Counts, sequence numbers and millisecond timestamps all stay far below 2^53.
    if (type === oid.int8 || type === oid.numeric) return Number;
    if (type === oid.bytea) return (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'));
  }
  return pg.types.getTypeParser(type as never, format as never) as (text: string) => unknown;
}

export interface Answer {
  command: string;
  rowCount: number | null;
  rows: unknown[];
}

export class Session {
  readonly #client: pg.Client;
  readonly statementTimeoutMs: number;
  /** Process number of the backend; undefined behind a pooler, which reports another one. */
  backend: number | undefined;
  /** Since when a statement has been waiting for its answer, by `performance.now()`. */
  busySinceMs: number | undefined;
  /** How often the pool's watch has come by since then, or since it last found that all is well. */
  rounds = 0;
  idleSinceMs = 0;
  lost: Error | undefined;
  onLost: (() => void) | undefined;

  constructor(client: pg.Client, statementTimeoutMs: number) {
    this.#client = client;
    this.statementTimeoutMs = statementTimeoutMs;
    client.on('error', (error: Error) => this.#lose(error));
    client.on('end', () => this.#lose(new Error('Connection terminated')));
  }

  async connect({ statementTimeoutMs, readOnlyWillDo }: SessionOptions): Promise<void> {
    await this.#client.connect();
    // Set by statement, not as start-up options, which connection poolers refuse. One message, one round
    // trip.
    const answers = (await this.#client.query(
      [
        `set lock_timeout = ${LOCK_TIMEOUT_MS}`,
        `set statement_timeout = ${statementTimeoutMs}`,
        `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS}`,
        'set client_min_messages = warning',
        `select current_setting('transaction_read_only') as read_only, pg_backend_pid() as backend`,
      ].join('; '),
    )) as unknown as { rows: { read_only: string; backend: number }[] }[];
    const facts = answers.at(-1)?.rows[0];
    if (facts?.read_only === 'on' && !readOnlyWillDo)
      throw Object.assign(new Error('the server accepts no writes'), { code: '25006' });
    const { processID } = this.#client as unknown as { processID: number };
    if (facts?.backend === processID) this.backend = processID;
  }

  async query(text: string, values: readonly unknown[]): Promise<Answer> {
    if (this.lost) throw this.lost;
    this.busySinceMs = performance.now();
    this.rounds = 0;
    try {
      return await this.#client.query(text, [...values]);
    } catch (error) {
      if (isLost(error)) this.#lose(error as Error);
      throw error;
    } finally {
      this.busySinceMs = undefined;
    }
  }

  /**
   * Ends the connection without asking the server, which may never answer; pending statements fail with the
   * reason.
   */
  cut(reason: Error): void {
    this.#lose(reason);
    const { connection } = this.#client as unknown as { connection: { stream: { destroy(): void } } };
    connection.stream.destroy();
  }

  async end(): Promise<void> {
    const timer = setTimeout(() => this.cut(new Error('Connection terminated')), END_TIMEOUT_MS);
    await this.#client.end().catch(() => {});
    clearTimeout(timer);
  }

  #lose(error: Error): void {
    if (this.lost) return;
    this.lost = error;
    this.onLost?.();
  }
}

const QUIET_STEPS = 8;

/**
 * A time limit in small steps: while this process itself had no time to listen, the other side was not
 * silent, and its answer may be waiting unread.
 */
function afterQuiet(limitMs: number, then: () => void): () => void {
  let steps = 0;
  const timer = setInterval(() => {
    if (++steps < QUIET_STEPS) return;
    clearInterval(timer);
    then();
  }, limitMs / QUIET_STEPS);
  return () => clearInterval(timer);
}

/** Returns a connected and configured session; if it throws the driver's error, nothing is left open. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const client = new pg.Client({
    connectionString: options.url,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    application_name: 'voxgate',
    types: { getTypeParser: parserFor as never },
  });
  const session = new Session(client, options.statementTimeoutMs);
  const stopWaiting = afterQuiet(options.connectTimeoutMs, () => session.cut(timeout()));
  try {
    await session.connect(options);
    return session;
  } catch (error) {
    session.cut(error as Error);
    throw session.lost ?? error;
  } finally {
    stopWaiting();
  }
}
